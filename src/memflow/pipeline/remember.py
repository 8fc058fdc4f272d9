"""The write path: the words first, durably; then, at any time, what search needs of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memflow.ingest.chunking import chunk_spans
from memflow.protocols import Encoder, IndexEntry, Store, Vector
from memflow.settings import Settings
from memflow.text import terms
from memflow.types import AddResult, Fact, NewTurn, SessionKind, Turn

Extract = Callable[[Turn], Sequence[Fact]]
Progress = Callable[[int, int], None]

# One transaction indexes at most this many turns, and about this many characters.
BLOCK_TURNS = 256
BLOCK_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk on its way into the index."""

    turn_id: str
    start: int
    end: int
    text: str
    digest: str


class Rememberer:
    """Adds turns to a store and keeps its index level with them.

    `extract` reads the profile facts off one turn. The store must have been opened with the
    encoder's info (or None without an encoder), so that both agree on what is still pending.
    """

    def __init__(
        self, store: Store, encoder: Encoder | None, settings: Settings, *, extract: Extract
    ) -> None:
        self._store = store
        self._encoder = encoder
        self._settings = settings
        self._extract = extract

    def add(
        self, space: str, turns: Iterable[NewTurn], progress: Progress | None = None
    ) -> AddResult:
        """Store the turns, then index them and whatever an earlier run left pending.

        Once stored the words are safe: when indexing fails, its error is raised and the next
        call takes up the work.
        """
        result = self._store.append(space, turns)
        self.index_pending(space, progress)
        return result

    def index_pending(self, space: str, progress: Progress | None = None) -> int:
        """Index all pending turns; how many there were. `progress(done, total)` after each block.

        A crash loses at most the block at hand, which is then still pending.
        """
        done = 0
        total = int(self._store.stats(space)["pending"]) if progress else 0
        while waiting := self._store.pending(space, BLOCK_TURNS):
            for block in _blocks(waiting):
                self._index(space, block)
                done += len(block)
                if progress:
                    # Others may have added turns since the count.
                    progress(done, max(total, done))
        return done

    def _index(self, space: str, turns: Sequence[Turn]) -> None:
        pieces = [piece for turn in turns for piece in self._pieces(turn)]
        vectors = self._vectors(space, pieces)
        entries = [
            IndexEntry(
                turn_id=piece.turn_id,
                start=piece.start,
                end=piece.end,
                # Of the text alone: retrieval matches speakers by itself.
                terms=Counter(terms(piece.text)),
                vector=vectors.get(piece.digest),
            )
            for piece in pieces
        ]
        facts = [fact for turn in turns for fact in self._extract(turn)]
        self._store.index(space, [turn.id for turn in turns], entries, facts)

    def _pieces(self, turn: Turn) -> Iterator[_Piece]:
        settings = self._settings
        document = turn.kind is SessionKind.DOCUMENT
        words = settings.document_chunk_words if document else settings.chunk_words
        for start, end in chunk_spans(turn.text, turn.kind, words):
            text = turn.text[start:end]
            digest = hashlib.sha256(text.encode()).hexdigest()
            yield _Piece(turn.id, start, end, text, digest)

    def _vectors(self, space: str, pieces: Sequence[_Piece]) -> dict[str, Vector]:
        """By digest; only texts the store has no vector of are encoded."""
        if self._encoder is None:
            return {}
        texts = {piece.digest: piece.text for piece in pieces}
        vectors = dict(self._store.embeddings(space, list(texts)))
        # Texts of like length share a batch: less padding.
        unknown = sorted(texts.keys() - vectors.keys(), key=lambda key: (len(texts[key]), key))
        size = self._settings.encode_batch
        for start in range(0, len(unknown), size):
            batch = unknown[start : start + size]
            rows = self._encoder.encode([texts[key] for key in batch])
            vectors.update(zip(batch, rows, strict=True))
        return vectors


def _blocks(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    """In order; a block ends with the turn that reaches the limit of characters."""
    block: list[Turn] = []
    characters = 0
    for turn in turns:
        block.append(turn)
        characters += len(turn.text)
        if characters >= BLOCK_CHARACTERS:
            yield block
            block, characters = [], 0
    if block:
        yield block

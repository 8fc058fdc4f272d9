"""The haystack read by the model in parts, each compressed to profile facts.

The reply is one line a fact, `person | topic | subtopic | fact`; a grammar keeps a backend that has
them to that form, and what comes without one is read leniently. Parts never cross a session, so
that a fact's date is its session's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memflow.calls import ModelCall, Purpose
from memflow.errors import ModelError
from memflow.evals.systems.base import Flow
from memflow.evals.systems.reader import Reader, rendered
from memflow.ingest.chunking import chunk_spans
from memflow.packing import render
from memflow.prompts import load
from memflow.text import content_words, fold, similar
from memflow.types import Item, Message, Packed, SessionKind, Slot, Turn

PART_TOKENS, FACT_TOKENS = 700, 320
_PIECE_WORDS, _ECHO_WORDS = 120, 40
TOPICS = tuple(
    "identity contact family home work education health interests preferences possessions plans"
    " events opinions instructions other".split()
)
_TOPIC = " | ".join(f'"{topic}"' for topic in TOPICS)
GRAMMAR = rf"""
root ::= "none" | line{{1,12}}
line ::= field " | " topic " | " field " | " field "\n"
topic ::= {_TOPIC}
field ::= [^|\n] [^|\n]+
"""
_NAME_CHARACTERS, _FACT_CHARACTERS = 40, 240
_SAME = 0.7  # Jaccard of content words: a fact told again
_PER_SUBTOPIC, _IN_ALL = 6, 400


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact of the profile, and the turns it was read from; `place` counts parts."""

    person: str
    topic: str
    subtopic: str
    fact: str
    turns: tuple[Turn, ...]
    place: int

    @property
    def slot(self) -> tuple[str, str, str]:
        return (fold(self.person), self.topic, fold(self.subtopic))


@dataclass(slots=True)
class Profile:
    """By person, topic and subtopic. A fact told again takes the place of its older wording; each
    subtopic keeps its newest six, the whole its newest four hundred."""

    slots: dict[tuple[str, str, str], list[Entry]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        words = content_words(entry.fact)
        held = self.slots.get(entry.slot, [])
        others = [e for e in held if not similar(words, content_words(e.fact), _SAME)]
        self.slots[entry.slot] = [*others, entry][-_PER_SUBTOPIC:]

    def entries(self) -> tuple[Entry, ...]:
        """Oldest first."""
        every = sorted((e for held in self.slots.values() for e in held), key=lambda e: e.place)
        return tuple(every[-_IN_ALL:])


@dataclass(frozen=True, slots=True)
class Compressed:
    """`read` of `total` tokens of history were shown to the model; `failed` parts gave nothing."""

    entries: tuple[Entry, ...]
    read: int
    total: int
    parts: int
    failed: int

    @property
    def remark(self) -> str:
        """What was left out, for every reply that rests on it; "" when nothing was."""
        remarks = []
        if self.read < self.total:
            remarks.append(f"profile of the newest {self.read:,} of {self.total:,} tokens")
        if self.failed:
            remarks.append(f"{self.failed} of {self.parts} parts of it could not be read")
        return "; ".join(remarks)


def compress(turns: Sequence[Turn], limit: int, reader: Reader) -> Flow[Compressed]:
    """One call for each part of the newest `limit` tokens. A call that fails costs its part."""
    pieces = [_Piece(item, reader.counter.count(render.line(item)) + 1) for item in _pieces(turns)]
    total = sum(piece.tokens for piece in pieces)
    newest: list[_Piece] = []
    left = limit
    for piece in reversed(pieces):
        left -= piece.tokens
        if left < 0:
            break
        newest.insert(0, piece)
    profile = Profile()
    parts = failed = 0
    for part in _parts(newest):
        for packed in _fitting([piece.item for piece in part], reader):
            parts += 1
            if packed is None:
                failed += 1
                continue
            try:
                reply = yield _call(packed)
            except ModelError:
                failed += 1
                continue
            for entry in facts(reply.text, packed, parts):
                profile.add(entry)
    read = sum(piece.tokens for piece in newest)
    return Compressed(profile.entries(), read, total, parts, failed)


@dataclass(frozen=True, slots=True)
class _Piece:
    item: Item
    tokens: int


def _pieces(turns: Sequence[Turn]) -> Iterator[Item]:
    """Turns in pieces of bounded length; of an assistant's only the beginning, since what it says
    about its user it was told by them."""
    for place, turn in enumerate(turns):
        echo = turn.kind is SessionKind.ASSISTANT and turn.role == "assistant"
        spans = chunk_spans(turn.text, turn.kind, _ECHO_WORDS if echo else _PIECE_WORDS)
        for start, end in spans[:1] if echo else spans:
            yield Item(
                Slot.RAW, turn.text[start:end], (turn,), 0.0, (place, start), span=(start, end)
            )


def _parts(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    part: list[_Piece] = []
    for piece in pieces:
        other = bool(part) and part[-1].item.turns[0].session != piece.item.turns[0].session
        if part and (other or sum(p.tokens for p in part) + piece.tokens > PART_TOKENS):
            yield part
            part = []
        part.append(piece)
    if part:
        yield part


def _fitting(items: Sequence[Item], reader: Reader) -> Iterator[Packed | None]:
    """The part, or its halves where the window is too small; None for a piece that never fits."""
    packed = rendered(items, reader.counter)
    if reader.over(_messages(packed), FACT_TOKENS) <= 0:
        yield packed
    elif len(items) == 1:
        yield None
    else:
        middle = len(items) // 2
        yield from _fitting(items[:middle], reader)
        yield from _fitting(items[middle:], reader)


def _messages(packed: Packed) -> tuple[Message, ...]:
    prompt = load("baseline-memobase")
    return (Message("system", prompt.text), *prompt.examples, Message("user", packed.text))


def _call(packed: Packed) -> ModelCall:
    return ModelCall(Purpose.EXTRACT, _messages(packed), FACT_TOKENS, grammar=GRAMMAR)


def facts(text: str, packed: Packed, place: int) -> Iterator[Entry]:
    """The lines of a reply that have the form, or nearly: three fields lack the person."""
    turns = tuple(dict.fromkeys(turn for item in packed.items for turn in item.turns))
    for line in text.splitlines():
        fields = [part.strip(' \t-*•`"') for part in line.split("|")]
        fields = [part for part in fields if part]
        if len(fields) == 3:
            fields.insert(0, turns[0].speaker if turns else "user")
        if len(fields) < 4:
            continue
        topic = fields[1].lower()
        yield Entry(
            fields[0][:_NAME_CHARACTERS],
            topic if topic in TOPICS else "other",
            fields[2][:_NAME_CHARACTERS],
            " ".join(fields[3:])[:_FACT_CHARACTERS],
            turns,
            place,
        )

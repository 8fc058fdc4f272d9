"""From turns to an index: what is encoded, what is left after a crash, what search then finds."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memflow.backends.store import SqliteStore, open_store
from memflow.pipeline.remember import BLOCK_TURNS, Rememberer
from memflow.protocols import Encoder, EncoderInfo, Vector
from memflow.settings import Settings
from memflow.text import terms
from memflow.types import Fact, NewTurn, SessionKind, Turn

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class CountingEncoder:
    """Vectors from the text's hash; remembers the batches, and fails when told to."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.fail_after = 10**9

    @property
    def info(self) -> EncoderInfo:
        return EncoderInfo("counting", "1", 8, "mean", "")

    def encode(self, texts: Sequence[str]) -> Vector:
        if len(self.batches) >= self.fail_after:
            raise MemoryError("no room")
        self.batches.append(list(texts))
        return np.array([self.encode_query(text) for text in texts])

    def encode_query(self, text: str) -> Vector:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        row = np.random.default_rng(seed).standard_normal(8)
        return (row / np.linalg.norm(row)).astype(np.float32)

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def extract(turn: Turn) -> tuple[Fact, ...]:
    if not turn.text.startswith("I live in "):
        return ()
    value = turn.text.removeprefix("I live in ")
    return (Fact(0, turn.speaker, "home", value, "identity", turn.id, turn.text, turn.time),)


@pytest.fixture
def encoder() -> CountingEncoder:
    return CountingEncoder()


@pytest.fixture
def store(tmp_path: Path, encoder: CountingEncoder) -> Iterator[SqliteStore]:
    with open_store(tmp_path / "m.db", encoder=encoder.info) as opened:
        yield opened


def rememberer(
    store: SqliteStore, encoder: Encoder | None, settings: Settings | None = None
) -> Rememberer:
    return Rememberer(store, encoder, settings or Settings(), extract=extract)


def texts(store: SqliteStore, space: str = "x") -> list[str]:
    return [chunk.text for chunk in store.chunks(space, list(store.catalogue(space).keys))]


def test_added_turns_are_found_with_words_vectors_and_facts(
    store: SqliteStore, encoder: CountingEncoder
) -> None:
    result = rememberer(store, encoder).add(
        "x", [NewTurn("I live in Porto", "s", time=NOON), NewTurn(" ", "s")]
    )
    assert (len(result.stored), len(result.skipped)) == (1, 1)
    catalogue = store.catalogue("x")
    assert np.array_equal(catalogue.vectors, [encoder.encode_query("I live in Porto")])
    assert store.postings("x", ["porto"])["porto"][1].tolist() == [1]
    assert [(f.subject, f.value, f.turn_id) for f in store.facts("x")] == [
        ("user", "Porto", result.stored[0])
    ]


def test_known_texts_are_not_encoded_again(store: SqliteStore, encoder: CountingEncoder) -> None:
    memory = rememberer(store, encoder)
    memory.add("x", [NewTurn("hello", "s", id="1"), NewTurn("hello", "s", id="2")])
    memory.add("x", [NewTurn("hello", "t", id="3"), NewTurn("new", "t", id="4")])
    assert encoder.texts == ["hello", "new"]
    assert store.catalogue("x").vectors.any(axis=1).all()
    memory.add("x", [NewTurn("hello", "t", id="3")])
    memory.add("y", [NewTurn("hello", "s", id="1")])
    assert encoder.texts == ["hello", "new", "hello"]  # spaces share nothing


def test_batches_hold_texts_of_like_length(store: SqliteStore, encoder: CountingEncoder) -> None:
    rows = [NewTurn("w " * (n * 7 % 10 + 1), "s", id=str(n)) for n in range(10)]
    rememberer(store, encoder, Settings(encode_batch=4)).add("x", rows)
    assert [len(batch) for batch in encoder.batches] == [4, 4, 2]
    lengths = [len(text) for text in encoder.texts]
    assert lengths == sorted(lengths)


def test_long_turns_become_chunks_by_the_settings(
    store: SqliteStore, encoder: CountingEncoder
) -> None:
    settings = Settings(chunk_words=10, document_chunk_words=20)
    memory = rememberer(store, encoder, settings)
    memory.add(
        "x", [NewTurn("word " * 40, "s"), NewTurn("other " * 40, "d", kind=SessionKind.DOCUMENT)]
    )
    assert Counter(len(text.split()) for text in texts(store)) == {10: 4, 20: 2}


def test_speakers_are_no_terms(store: SqliteStore) -> None:
    with open_store(store.connections.path, encoder=None) as words_only:
        row = NewTurn("went sailing", "s", speaker="Caroline", kind=SessionKind.PEER)
        rememberer(words_only, None).add("x", [row])
        assert words_only.postings("x", ["carolin", "caroline"]) == {}
        assert words_only.catalogue("x").speaker_names == ("Caroline",)


def test_what_fails_half_way_is_taken_up_by_the_next_call(
    store: SqliteStore, encoder: CountingEncoder
) -> None:
    rows = [NewTurn(f"text {n}", "s", id=str(n)) for n in range(2 * BLOCK_TURNS + 5)]
    memory = rememberer(store, encoder, Settings(encode_batch=64))
    encoder.fail_after = BLOCK_TURNS // 64 + 1
    with pytest.raises(MemoryError):
        memory.add("x", rows)
    assert len(store.turns("x")) == len(rows)  # the words are safe
    assert store.catalogue("x").size == BLOCK_TURNS
    encoder.fail_after = 10**9
    encoder.batches.clear()
    seen: list[tuple[int, int]] = []
    assert memory.index_pending("x", lambda done, total: seen.append((done, total))) == 261
    assert seen == [(256, 261), (261, 261)]
    assert len(encoder.texts) == 261  # the finished block was not encoded again
    assert store.catalogue("x").size == len(rows)
    assert memory.index_pending("x") == 0


def test_an_encoder_that_comes_later_fills_in_vectors(tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    with open_store(path, encoder=None) as store:
        rememberer(store, None).add("x", [NewTurn("I live in Porto", "s", id="1")])
        assert store.catalogue("x").vectors.shape == (0, 0)
    encoder = CountingEncoder()
    with open_store(path, encoder=encoder.info) as store:
        rememberer(store, encoder).add("x", [NewTurn("new", "s", id="2")])
        assert store.catalogue("x").vectors.shape == (2, 8)
        assert texts(store) == ["I live in Porto", "new"]
        assert [f.value for f in store.facts("x")] == ["Porto"]


@hypothesis_settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from("red green blue the running 東京 ok. \n".split(" ")), max_size=30
        ).map(" ".join),
        max_size=6,
    )
)
def test_index_terms_equal_a_count_by_hand(rows: list[str]) -> None:
    with TemporaryDirectory() as folder, open_store(f"{folder}/m.db", encoder=None) as store:
        rememberer(store, None, Settings(chunk_words=5)).add("x", [NewTurn(r, "s") for r in rows])
        catalogue = store.catalogue("x")
        chunks = store.chunks("x", list(catalogue.keys))
        counted = {chunk.key: Counter(terms(chunk.text)) for chunk in chunks}
        assert [sum(c.values()) for c in counted.values()] == catalogue.lengths.tolist()
        vocabulary = {term for count in counted.values() for term in count}
        for term, (keys, frequencies) in store.postings("x", sorted(vocabulary)).items():
            vocabulary.discard(term)
            expected = {key: count[term] for key, count in counted.items() if count[term]}
            assert dict(zip(keys.tolist(), frequencies.tolist(), strict=True)) == expected
        assert not vocabulary

"""The store through its public seam: what is kept, skipped, refused, found and forgotten."""

from __future__ import annotations

import json
import resource
import sqlite3
import stat
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memflow.backends.store import SqliteStore, open_store
from memflow.errors import (
    EncoderMismatch,
    SchemaTooNew,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
)
from memflow.protocols import EncoderInfo, IndexEntry, Store, Vector
from memflow.types import Fact, NewTurn, SessionKind, Trace, Turn

ENCODER = EncoderInfo("tiny", "1", 4, "mean", "")
OTHER = EncoderInfo("other", "1", 4, "mean", "")
DAY = datetime(2026, 3, 1, 10, tzinfo=timezone(timedelta(hours=1)))

few = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with open_store(path, encoder=ENCODER, busy_timeout_s=5) as opened:
        yield opened


def words(text: str) -> Counter[str]:
    return Counter(text.lower().split())


def vector(text: str) -> Vector:
    seed = int.from_bytes(text.encode()[:8].ljust(8, b"."), "big")
    return np.random.default_rng(seed).standard_normal(4).astype(np.float32)


def entry(turn: Turn, *, vectors: bool = True) -> IndexEntry:
    found = vector(turn.text) if vectors else None
    return IndexEntry(turn.id, 0, len(turn.text), words(turn.text), found)


def index(store: SqliteStore, space: str, facts: Sequence[Fact] = ()) -> None:
    while pending := store.pending(space, 100):
        entries = [entry(turn, vectors=store.encoder is not None) for turn in pending]
        store.index(space, [turn.id for turn in pending], entries, facts)


def add(store: SqliteStore, space: str, *texts: str, session: str = "s") -> list[str]:
    result = store.append(space, [NewTurn(text, session) for text in texts])
    index(store, space)
    return list(result.stored)


def fact(turn: str, value: str, time: datetime | None, key: str = "home") -> Fact:
    return Fact(0, "user", key, value, "identity", turn, f"I live in {value}.", time)


# --------------------------------------------------------------------------- the words


def test_it_is_a_store(store: SqliteStore) -> None:
    as_protocol: Store = store
    assert as_protocol.spaces() == []


@pytest.mark.parametrize(
    "text",
    [
        "  plain, with outer space \n",
        "👩‍👩‍👧 🇵🇹 emoji",
        "שלום עולם",
        "مرحبا بالعالم",
        "東京は雨です。",
        "a\0b\0",
        "e\u0301 is not é",
        "'; DROP TABLE turn; --",
        "\ufeff\u200b\U0010ffff",
    ],
)
def test_words_come_back_as_they_were(store: SqliteStore, text: str) -> None:
    store.append(text, [NewTurn(text, text, speaker=text, id=text, source=text, time=DAY)])
    (turn,) = store.turns(text, ids=[text], session=text)
    assert (turn.text, turn.session, turn.speaker, turn.source) == (text,) * 4
    assert turn.time is not None
    assert turn.time.isoformat() == "2026-03-01T10:00:00+01:00"
    index(store, text)
    (key,) = store.postings(text, [text.lower().split()[0]])[text.lower().split()[0]][0]
    assert [chunk.text for chunk in store.chunks(text, [key])] == [text]


def test_every_row_is_stored_skipped_or_failed(store: SqliteStore) -> None:
    rows = [
        NewTurn("kept", "s", id="a"),
        NewTurn(" \n", "s"),
        NewTurn("half \ud83d", "s"),
        NewTurn("no zone", "s", time=DAY.replace(tzinfo=None)),
        NewTurn("kept", "s", id="a"),
        NewTurn("other", "s", id="a"),
        NewTurn("also kept", "s", source="chat.json"),
        NewTurn("ok", "bad \udc00"),
    ]
    result = store.append("x", rows)
    assert len(result.stored) == 2
    assert [(r.where, r.reason) for r in result.skipped] == [
        ("turn 5, id a", "already stored"),
        ("turn 2", "empty"),
    ]
    assert [r.reason for r in result.failed] == [
        "id 'a' already holds other text",
        "text is not valid Unicode: half a surrogate pair at 5",
        "the time has no zone",
        "session is not valid Unicode: half a surrogate pair at 4",
    ]
    assert result.sessions == ("s",)


def test_a_broken_iterable_stores_nothing(store: SqliteStore) -> None:
    def rows() -> Iterator[NewTurn]:
        yield NewTurn("one", "s")
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        store.append("x", rows())
    assert store.spaces() == []


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"text": "b"}, "text"),
        ({"time": DAY + timedelta(1)}, "time"),
        ({"speaker": "Bob"}, "speaker"),
        ({"session": "t"}, "session"),
    ],
)
def test_an_id_holds_one_content(store: SqliteStore, change: dict[str, object], other: str) -> None:
    row: dict[str, object] = {"text": "a", "session": "s", "time": DAY, "id": "1"}
    store.append("x", [NewTurn(**row)])  # type: ignore[arg-type]
    result = store.append("x", [NewTurn(**row | change)])  # type: ignore[arg-type]
    assert [r.reason for r in result.failed] == [f"id '1' already holds other {other}"]
    same_instant = NewTurn(**row | {"time": DAY.astimezone(UTC)})  # type: ignore[arg-type]
    assert store.append("x", [same_instant]).skipped


TURNS = st.lists(
    st.builds(
        NewTurn,
        text=st.sampled_from(["ok", "yes", "I moved", "  "]),
        session=st.sampled_from(["a", "b"]),
        role=st.sampled_from(["user", "assistant"]),
        time=st.sampled_from([None, DAY, DAY + timedelta(1)]),
    ),
    max_size=12,
)


@few
@given(TURNS, TURNS)
def test_adding_again_changes_nothing_and_growing_adds_the_new(
    rows: list[NewTurn], more: list[NewTurn]
) -> None:
    with TemporaryDirectory() as folder, open_store(f"{folder}/m.db", encoder=None) as store:
        kept = [row for row in rows if row.text.strip()]
        assert len(store.append("x", rows).stored) == len(kept)
        before = store.turns("x")
        again = store.append("x", rows)
        assert not again.stored
        assert not again.failed
        assert store.turns("x") == before
        grown = [row for row in rows + more if row.text.strip()]
        store.append("x", rows + more)
        found = Counter((t.session, t.role, t.text, t.time) for t in store.turns("x"))
        assert found == Counter((r.session, r.role, r.text, r.time) for r in grown)


def test_reading_order(store: SqliteStore) -> None:
    late, early = DAY + timedelta(5), DAY
    store.append("x", [NewTurn("untimed 1", "u"), NewTurn("late", "l", time=late)])
    store.append("x", [NewTurn("early 2", "e", time=early), NewTurn("untimed 2", "u")])
    assert [t.text for t in store.turns("x")] == ["early 2", "late", "untimed 1", "untimed 2"]
    # An older turn goes to its place in a session that is timed throughout...
    store.append("x", [NewTurn("early 1", "e", time=early - timedelta(1))])
    assert [t.text for t in store.turns("x", session="e")] == ["early 1", "early 2"]
    assert [t.position for t in store.turns("x", session="e")] == [0, 1]
    # ...and one without a time makes it a session in the order of coming, until it is forgotten.
    added = store.append("x", [NewTurn("when?", "e")]).stored
    assert [t.text for t in store.turns("x", session="e")] == ["early 2", "early 1", "when?"]
    store.forget("x", added)
    assert [t.text for t in store.turns("x", session="e")] == ["early 1", "early 2"]
    ids = [t.id for t in store.turns("x")]
    assert [t.id for t in store.turns("x", ids=[*reversed(ids), "unknown"])] == ids


# --------------------------------------------------------------------------- search


def test_catalogue_columns(store: SqliteStore) -> None:
    store.append(
        "x",
        [
            NewTurn("second session", "b", time=DAY + timedelta(1), role="assistant"),
            NewTurn("first one", "a", time=DAY, speaker="Ann", kind=SessionKind.PEER),
            NewTurn("first two words", "a", time=DAY + timedelta(hours=1), speaker="Bob"),
            NewTurn("no time", "c"),
        ],
    )
    assert store.catalogue("x").size == 0
    index(store, "x")
    found = store.catalogue("x")
    assert [chunk.text for chunk in store.chunks("x", list(found.keys))] == [
        "first one",
        "first two words",
        "second session",
        "no time",
    ]
    assert [found.session_names[i] for i in found.sessions] == ["a", "a", "b", "c"]
    assert [found.speaker_names[i] for i in found.speakers] == ["Ann", "Bob", "assistant", "user"]
    assert found.roles.tolist() == [0, 0, 1, 0]
    assert found.lengths.tolist() == [2, 3, 2, 2]
    assert found.times[:3].tolist() == [DAY.timestamp() + s for s in (0, 3600, 86400)]
    assert np.isnan(found.times[3])
    expected = [vector(c.text) for c in store.chunks("x", list(found.keys))]
    assert np.array_equal(found.vectors, np.array(expected))
    assert found.vectors.dtype == np.float32
    assert found.vectors.flags.c_contiguous
    assert store.catalogue("x") is found
    assert store.catalogue("nowhere").size == 0
    with pytest.raises(ValueError, match="read-only"):
        found.keys[0] = 1


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "reindex", "forget"]),
        st.sampled_from(["a", "b", "c"]),
        st.one_of(st.none(), st.integers(0, 5)),
    ),
    max_size=10,
)


@few
@given(STEPS)
def test_a_refreshed_catalogue_equals_a_loaded_one(
    steps: list[tuple[str, str, int | None]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        open_store(f"{folder}/m.db", encoder=ENCODER) as writer,
        open_store(f"{folder}/m.db", encoder=ENCODER) as reader,
    ):
        for number, (step, session, day) in enumerate(steps):
            there = writer.turns("x", session=session)
            if step == "add":
                time = None if day is None else DAY + timedelta(day)
                rows = [NewTurn(f"{number} {n} text", session, time=time) for n in range(2)]
                writer.append("x", rows)
                index(writer, "x")
            elif step == "reindex":
                writer.index("x", [t.id for t in there], [entry(t) for t in there], [])
            else:
                writer.forget("x", [t.id for t in there[:1]])
            with open_store(f"{folder}/m.db", encoder=ENCODER) as fresh:
                held, loaded = reader.catalogue("x"), fresh.catalogue("x")
            for name in ("keys", "roles", "times", "lengths", "vectors"):
                assert np.array_equal(getattr(held, name), getattr(loaded, name), equal_nan=True)
            for kind in ("session", "speaker"):
                assert [getattr(held, f"{kind}_names")[i] for i in getattr(held, f"{kind}s")] == [
                    getattr(loaded, f"{kind}_names")[i] for i in getattr(loaded, f"{kind}s")
                ]
            texts = [c.turn.id for c in reader.chunks("x", list(held.keys))]
            assert texts == [t.id for t in reader.turns("x")]


@few
@given(st.dictionaries(st.sampled_from("xy"), st.lists(st.text("ab c", min_size=1), max_size=8)))
def test_postings_equal_a_count_by_hand_and_spaces_do_not_mix(spaces: dict[str, list[str]]) -> None:
    with TemporaryDirectory() as folder, open_store(f"{folder}/m.db", encoder=None) as store:
        for space, texts in spaces.items():
            add(store, space, *texts)
        for space in "xy":
            kept = [text for text in spaces.get(space, []) if text.strip()]
            catalogue = store.catalogue(space)
            found = {c.key: c.text for c in store.chunks(space, list(catalogue.keys))}
            assert sorted(found.values()) == sorted(kept)
            vocabulary = {word for text in kept for word in words(text)}
            postings = store.postings(space, [*vocabulary, "absent"])
            assert postings.keys() == vocabulary
            for term, (keys, frequencies) in postings.items():
                assert keys.tolist() == sorted(keys.tolist())
                assert dict(zip(keys.tolist(), frequencies.tolist(), strict=True)) == {
                    key: words(text)[term] for key, text in found.items() if words(text)[term]
                }
            other = "y" if space == "x" else "x"
            assert store.chunks(other, list(catalogue.keys)) == []


def test_the_same_ids_in_two_spaces_are_two_things(store: SqliteStore) -> None:
    for space in ("x", "y"):
        store.append(space, [NewTurn(f"home of {space}", "s", id="1")])
        index(store, space, [fact("1", space, DAY)])
        store.save_trace(space, Trace("t", space, DAY, {"turn": "1"}))
    store.forget("x", ["1"])
    assert store.turns("x") == []
    assert store.facts("x") == []
    assert store.trace("x", "t") is None
    assert store.spaces() == ["y"]
    assert [t.text for t in store.turns("y", ids=["1"])] == ["home of y"]
    assert [f.value for f in store.facts("y")] == ["y"]
    assert store.trace("y", "t") == Trace("t", "y", DAY, {"turn": "1"})
    assert store.postings("y", ["home"]).keys() == {"home"}


def test_known_texts_keep_their_vectors(store: SqliteStore) -> None:
    import hashlib

    first, second = add(store, "x", "same words", "other words")
    digest = hashlib.sha256(b"same words").hexdigest()
    assert np.array_equal(store.embeddings("x", [digest, "00" * 32])[digest], vector("same words"))
    assert store.embeddings("y", [digest]) == {}
    store.append("x", [NewTurn("same words", "t", id="again")])
    store.index("x", ["again"], [IndexEntry("again", 0, 10, {"same": 1}, None)], [])
    store.forget("x", [first])
    assert digest in store.embeddings("x", [digest])  # another chunk says it still
    store.forget("x", ["again"])
    assert store.embeddings("x", [digest]) == {}
    assert store.turns("x")[0].id == second


def test_indexing_a_forgotten_turn_does_not_bring_it_back(store: SqliteStore) -> None:
    store.append("x", [NewTurn("gone soon", "s", id="1"), NewTurn("stays", "s", id="2")])
    pending = store.pending("x", 10)
    store.forget("x", ["1"])
    store.index("x", ["1", "2"], [entry(t) for t in pending], [fact("1", "there", None)])
    assert store.catalogue("x").size == 1
    assert store.facts("x") == []
    with pytest.raises(ValueError, match="not being indexed"):
        store.index("x", ["2"], [entry(pending[0])], [])


# --------------------------------------------------------------------------- encoders


def test_vectors_of_two_encoders_never_mix(path: Path) -> None:
    with open_store(path, encoder=ENCODER) as store:
        (known,) = add(store, "x", "hello there")
    with open_store(path, encoder=OTHER) as store:
        # The words are safe whatever the encoder.
        assert store.append("x", [NewTurn("more", "s", id="2")]).stored == ("2",)
        assert store.postings("x", ["hello"])
        for needs_vectors in (
            lambda: store.catalogue("x"),
            lambda: store.embeddings("x", ["00" * 32]),
            lambda: index(store, "x"),
        ):
            with pytest.raises(EncoderMismatch, match="encoder tiny"):
                needs_vectors()
        assert store.stats("x")["encoder"] == "tiny"
        store.forget("x", [known])
        index(store, "x")  # with the last vector gone, another encoder may begin
        assert store.stats("x")["encoder"] == "other"


def test_without_an_encoder_words_alone_and_a_later_one_fills_in(path: Path) -> None:
    with open_store(path, encoder=None) as store:
        add(store, "x", "hello there")
        assert store.catalogue("x").vectors.shape == (0, 0)
        assert store.stats("x")["pending"] == 0
        store.append("x", [NewTurn("v", "s", id="1")])
        with pytest.raises(ValueError, match="without an encoder"):
            store.index("x", ["1"], [IndexEntry("1", 0, 1, {}, vector("v"))], [])
    with open_store(path, encoder=ENCODER) as store:
        assert store.stats("x")["pending"] == 2
        index(store, "x")
        assert store.catalogue("x").vectors.shape == (2, 4)
        assert store.postings("x", ["hello"])["hello"][1].tolist() == [1]


# --------------------------------------------------------------------------- facts


def values(store: SqliteStore, *, current: bool = True) -> list[str]:
    return [f.value for f in store.facts("x", current=current)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_facts_supersede_by_event_time_in_whatever_order_they_come(
    store: SqliteStore, order: Sequence[int]
) -> None:
    said = ["Porto", "porto", "Lisbon", "Porto"]
    for n in order:
        store.append("x", [NewTurn(f"I live in {said[n]}", "s", id=str(n))])
        index(store, "x", [fact(str(n), said[n], DAY + timedelta(n))])
    assert values(store) == ["Porto"]
    assert values(store, current=False) == ["Porto", "Lisbon", "Porto"]
    first, second, third = store.facts("x", key="home", current=False)
    assert (first.superseded_by, second.superseded_by) == (second.id, third.id)
    assert store.facts("x", key="job", current=False) == []
    assert store.stats("x")["facts"] == 3
    # What superseded is forgotten: the older fact is in force again, its repetition with it.
    store.forget("x", ["2", "3"])
    assert values(store, current=False) == ["Porto"]
    store.forget("x", ["0"])
    assert values(store) == ["porto"]


def test_facts_without_time_count_in_the_order_they_came(store: SqliteStore) -> None:
    ids = add(store, "x", "a", "b")
    store.index("x", ids, [], [fact(ids[1], "b", None), fact(ids[0], "a", DAY)])
    assert values(store) == ["b"]
    store.index("x", ids, [], [])
    assert values(store, current=False) == []


# --------------------------------------------------------------------------- forgetting


def remains(folder: Path, needle: str) -> list[str]:
    return [file.name for file in folder.iterdir() if needle.encode() in file.read_bytes()]


@settings(few, max_examples=4)
@given(st.integers(0, 10_000), st.integers(150, 300))
def test_forgetting_leaves_nothing_in_any_file(seed: int, count: int) -> None:
    # So many that tables split their pages, which is when SQLite leaves copies behind.
    random = np.random.default_rng(seed)
    secrets = []
    with TemporaryDirectory() as folder:
        with open_store(f"{folder}/m.db", encoder=ENCODER) as store:
            for n in range(count):
                secret = n % 5 == 0
                name = f"{random.integers(10**9)}{'xsecretx' if secret else 'open'}{n}"
                drawn = random.integers(0, 300, random.integers(1, 60))
                text = " ".join(f"{w}{name}" for w in drawn.tolist())
                store.append("x", [NewTurn(text, name, id=name, speaker=name, source=name)])
                if n % 7 == 0 or n == count - 1:
                    index(store, "x", [fact(name, name, DAY + timedelta(n))])
                    store.save_trace("x", Trace(name, name, DAY, {"hits": [{name: 1}], "q": text}))
                secrets += [name] * secret
            assert remains(Path(folder), "xsecretx")
            counts = store.forget("x", secrets)
            for table in ("turn", "session", "chunk", "embedding"):
                assert counts[table] == len(secrets), table
            assert remains(Path(folder), "xsecretx") == []
            assert remains(Path(folder), "open")
            assert len(store.turns("x")) == store.catalogue("x").size == count - len(secrets)
            assert store.forget("x", secrets)["turn"] == 0
        assert remains(Path(folder), "xsecretx") == []


def test_what_a_crash_left_is_scrubbed_at_the_next_opening(path: Path) -> None:
    with open_store(path, encoder=None) as store:
        ids = add(store, "x", *(f"xsecretx {n} " + "pad " * 300 for n in range(40)))
    with closing(sqlite3.connect(path)) as raw:
        # As `forget` leaves it between its two steps; here without secure_delete.
        raw.execute("PRAGMA secure_delete = OFF")
        for table in ("posting", "chunk", "turn"):
            raw.execute(f"DELETE FROM {table}")
        raw.execute("INSERT INTO meta VALUES ('scrub', 'due')")
        raw.commit()
    assert ids
    assert remains(path.parent, "xsecretx")
    with open_store(path, encoder=None):
        assert remains(path.parent, "xsecretx") == []


# --------------------------------------------------------------------------- traces and stats


def test_traces(store: SqliteStore) -> None:
    trace = Trace("t1", "why \ud83d?", DAY, {"route": {"scores": [0.5, None]}, "text": "東京"})
    store.save_trace("x", trace)
    assert store.trace("x", "t1") == trace
    assert store.trace("x", "t2") is None
    newer = Trace("t1", "why", DAY, {})
    store.save_trace("x", newer)
    assert store.trace("x", "t1") == newer
    assert store.spaces() == []  # nothing is remembered there


def test_stats(store: SqliteStore, path: Path) -> None:
    nothing = store.stats("nowhere")
    assert (nothing["turns"], nothing["first_time"], nothing["encoder"]) == (0, None, None)
    store.append("x", [NewTurn("a", "s", time=DAY), NewTurn("b", "t", time=DAY + timedelta(1))])
    stats = store.stats("x")
    assert (stats["turns"], stats["sessions"], stats["chunks"], stats["pending"]) == (2, 2, 0, 2)
    assert (stats["first_time"], stats["last_time"]) == (DAY, DAY + timedelta(1))
    index(store, "x")
    stats = store.stats("x")
    assert (stats["chunks"], stats["pending"], stats["encoder"]) == (2, 0, "tiny")
    assert stats["bytes"] >= path.stat().st_size


# --------------------------------------------------------------------------- the file


def test_the_file_is_private(store: SqliteStore, path: Path) -> None:
    add(store, "x", "secret")
    modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {0o600}


@pytest.mark.parametrize("content", [b"x", b"not a database " * 1000, b"SQLite format 3\0" * 99])
def test_a_file_that_is_no_database_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt, match="choose another file"):
        open_store(path, encoder=None)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE meta (name TEXT)")
        raw.commit()
    with pytest.raises(StoreCorrupt, match="another program"):
        open_store(path, encoder=None)


def test_a_newer_schema_is_refused(path: Path) -> None:
    open_store(path, encoder=None).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE meta SET value = '999' WHERE name = 'schema'")
        raw.commit()
    with pytest.raises(SchemaTooNew, match="upgrade"):
        open_store(path, encoder=None)


@pytest.mark.parametrize("place", [".", "no/such/folder/m.db", "file/m.db"])
def test_a_place_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFull, match="cannot be written"):
        open_store(tmp_path / place, encoder=None)


def test_a_full_disk_keeps_what_was_acknowledged(path: Path) -> None:
    with open_store(path, encoder=None) as store:
        add(store, "x", "before")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
        try:
            with pytest.raises(StoreFull, match="free some disk space"):
                store.append("x", [NewTurn("y" * 1_000_000, "s")])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert [t.text for t in store.turns("x")] == ["before"]
        assert store.append("x", [NewTurn("after", "s")]).stored


def test_a_held_write_lock_is_busy_for_writers_only(path: Path) -> None:
    with (
        open_store(path, encoder=None, busy_timeout_s=0.1) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as raw,
    ):
        add(store, "x", "before")
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="busy_timeout_s"):
            store.append("x", [NewTurn("blocked", "s")])
        assert [t.text for t in store.turns("x")] == ["before"]
        raw.execute("ROLLBACK")
        assert store.append("x", [NewTurn("free", "s")]).stored


def test_a_closed_store_says_so(path: Path) -> None:
    store = open_store(path, encoder=None)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.turns("x")
    assert list(path.parent.iterdir()) == [path]  # no log left behind


def test_threads_share_a_store(store: SqliteStore) -> None:
    failures: list[Exception] = []

    def work(name: str) -> None:
        try:
            for n in range(10):
                store.append("x", [NewTurn(f"{name} {n}", name, id=f"{name}{n}")])
                index(store, "x")
                assert store.catalogue("x").size > n
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.catalogue("x").size == 40


def test_reading_never_writes(store: SqliteStore, path: Path) -> None:
    add(store, "x", "hello")
    before = {f.name: f.read_bytes() for f in path.parent.iterdir() if f.suffix != ".db-shm"}
    store.turns("y"), store.catalogue("x"), store.postings("y", ["a"]), store.stats("x")
    store.facts("x"), store.trace("x", "t"), store.pending("y", 1), store.embeddings("x", [])
    after = {f.name: f.read_bytes() for f in path.parent.iterdir() if f.suffix != ".db-shm"}
    assert before == after
    assert json.dumps(store.spaces()) == '["x"]'

"""Several processes on one store, and processes that die in the middle of a write."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memflow.backends.store import open_store
from memflow.types import NewTurn

# Writes turns one by one for ever, each printed once it is acknowledged, each indexed after that.
WRITER = """
import sys
from collections import Counter
from memflow.backends.store import open_store
from memflow.protocols import IndexEntry
from memflow.types import NewTurn

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = open_store(path, encoder=None)
for n in range(count):
    text = f"{name} says number {n} " + "and more words " * (n % 40)
    store.append("x", [NewTurn(text, name, id=f"{name}-{n}")])
    print(f"{name}-{n}", flush=True)
    pending = [t for t in store.pending("x", 50) if t.session == name]
    entries = [IndexEntry(t.id, 0, len(t.text), Counter(t.text.split()), None) for t in pending]
    store.index("x", [t.id for t in pending], entries, [])
store.close()
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def check_index(path: Path) -> list[str]:
    """The turn ids; raises unless every indexed chunk is found by its words, and only those."""
    with open_store(path, encoder=None) as store:
        turns = store.turns("x")
        pending = {turn.id for turn in store.pending("x", 10_000)}
        indexed = [turn for turn in turns if turn.id not in pending]
        catalogue = store.catalogue("x")
        chunks = store.chunks("x", list(catalogue.keys))
        assert [chunk.turn.id for chunk in chunks] == [turn.id for turn in indexed]
        found = store.postings("x", ["says"]).get("says")
        assert (set(found[0].tolist()) if found else set()) == set(catalogue.keys.tolist())
        assert [len(c.text.split()) for c in chunks] == catalogue.lengths.tolist()
        return [turn.id for turn in turns]


def test_kill_at_any_moment_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    acknowledged: list[str] = []
    for round_, delay in enumerate((0.0, 0.013, 0.029, 0.047, 0.071)):
        with writer(path, f"w{round_}", 100_000) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read()
        # A line cut off by the kill was no acknowledgement.
        acknowledged += (first + rest).rpartition("\n")[0].split("\n")
        stored = check_index(path)
        assert set(acknowledged) <= set(stored)
        # At most the one that was stored when the kill came.
        assert len(stored) - len(acknowledged) <= round_ + 1


def test_two_processes_open_a_new_store_and_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    with writer(path, "a", 25) as one, writer(path, "b", 25) as two:
        one.communicate(timeout=60)
        two.communicate(timeout=60)
    assert (one.returncode, two.returncode) == (0, 0)
    assert sorted(check_index(path)) == sorted(f"{name}-{n}" for name in "ab" for n in range(25))


def test_a_reader_sees_what_another_process_adds_and_forgets(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    with open_store(path, encoder=None) as store:
        store.append("x", [NewTurn("kept", "s", id="kept")])
        assert store.catalogue("x").size == 0
        with writer(path, "a", 3) as process:
            process.communicate(timeout=60)
        assert store.catalogue("x").size == 3
        code = (
            "import sys; from memflow.backends.store import open_store\n"
            "with open_store(sys.argv[1], encoder=None) as store: store.forget('x', ['a-1'])"
        )
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)
        assert store.catalogue("x").size == 2
        assert [turn.id for turn in store.turns("x")] == ["kept", "a-0", "a-2"]


@pytest.mark.parametrize("statement", ["store.append('x', rows)", "store.forget('x', ['a', 'b'])"])
def test_a_kill_inside_a_transaction_undoes_it(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "memories.db"
    with open_store(path, encoder=None) as store:
        store.append("x", [NewTurn("one", "s", id="a"), NewTurn("two", "s", id="b")])
    code = f"""
import os, signal
from memflow.backends.store import open_store
from memflow.types import NewTurn
rows = [NewTurn("three", "s", id="c"), NewTurn("four", "s", id="d")]
store = open_store({str(path)!r}, encoder=None)
def die_at_commit(sql):
    if sql == "COMMIT":
        os.kill(os.getpid(), signal.SIGKILL)
with store.connections.borrowed() as db:
    db.set_trace_callback(die_at_commit)
{statement}
"""
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    with open_store(path, encoder=None) as store:
        assert [turn.id for turn in store.turns("x")] == ["a", "b"]

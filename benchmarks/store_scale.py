"""How the store holds up at scale: times of loading, refreshing and searching a synthetic space.

Run: python benchmarks/store_scale.py [turns] [--keep FILE]
Words follow Zipf's law and vectors are random, so only times mean anything here.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from memflow.backends.store import SqliteStore, open_store
from memflow.protocols import EncoderInfo, IndexEntry
from memflow.types import NewTurn

ENCODER = EncoderInfo("synthetic", "1", 384, "mean", "")
SPACE = "scale"
VOCABULARY = 60_000
TERMS_PER_TURN = 30
TURNS_PER_SESSION = 20


class Synthetic:
    """Turns with Zipf-distributed words, their terms, and a unit vector each."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        # Stopwords are gone from the index, so the head of the law is flattened.
        weights = 1.0 / (np.arange(VOCABULARY) + 30.0)
        self._shares = weights / weights.sum()

    def words(self, count: int) -> list[str]:
        drawn = self._random.choice(VOCABULARY, size=count, p=self._shares)
        return [f"w{number:x}" for number in drawn]

    def turn(self, number: int) -> NewTurn:
        session, position = divmod(number, TURNS_PER_SESSION)
        start = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=session)
        return NewTurn(
            text=" ".join(self.words(TERMS_PER_TURN)),
            session=f"s{session}",
            role="assistant" if position % 2 else "user",
            time=start + timedelta(seconds=position),
            id=f"t{number}",
        )

    def entry(self, turn: NewTurn) -> IndexEntry:
        vector = self._random.standard_normal(ENCODER.dimension, dtype=np.float32)
        vector /= np.linalg.norm(vector)
        assert turn.id is not None
        return IndexEntry(turn.id, 0, len(turn.text), Counter(turn.text.split()), vector)


def build(store: SqliteStore, data: Synthetic, numbers: range) -> Iterator[tuple[float, float]]:
    """Seconds to append and to index, block by block."""
    for start in range(numbers.start, numbers.stop, 256):
        turns = [data.turn(n) for n in range(start, min(start + 256, numbers.stop))]
        entries = [data.entry(turn) for turn in turns]
        began = time.perf_counter()
        store.append(SPACE, turns)
        stored = time.perf_counter()
        store.index(SPACE, [entry.turn_id for entry in entries], entries, [])
        yield stored - began, time.perf_counter() - stored


def report(name: str, seconds: float) -> None:
    sys.stdout.write(f"{name:<54}{seconds * 1000:>12.1f} ms\n")


def timed(name: str, action: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    result = action()
    report(name, time.perf_counter() - began)
    return result


def measure(path: Path, turns: int) -> None:
    data = Synthetic(0)
    with open_store(path, encoder=ENCODER) as store:
        times = list(build(store, data, range(turns)))
        report(f"append {turns} turns, in blocks of 256", sum(t[0] for t in times))
        report(f"index {turns} turns, in blocks of 256", sum(t[1] for t in times))
        sys.stdout.write(f"{'file size':<54}{path.stat().st_size / 2**20:>12.1f} MB\n")
    with open_store(path, encoder=ENCODER) as store:

        def load() -> object:
            return store.catalogue(SPACE)

        timed("catalogue: load", load)
        timed("catalogue: unchanged", load)
        list(build(store, data, range(turns, turns + 1)))
        timed("catalogue: after a turn at the very end", load)
        ends = data.turn(TURNS_PER_SESSION - 1).time
        for name, time_ in (("at the end of", ends), ("inside", data.turn(1).time)):
            turn = NewTurn(" ".join(data.words(30)), "s0", time=time_, id=name)
            store.append(SPACE, [turn])
            store.index(SPACE, [name], [data.entry(turn)], [])
            timed(f"catalogue: after a turn {name} the first session", load)

        samples, sizes = [], []
        for _ in range(100):
            query = data.words(7)
            began = time.perf_counter()
            found = store.postings(SPACE, query)
            samples.append(time.perf_counter() - began)
            sizes.append(sum(len(keys) for keys, _ in found.values()))
        ordered = sorted(samples)
        report(f"postings: 7 terms, median ({statistics.median(sizes):.0f} rows)", ordered[50])
        report(f"postings: 7 terms, 90th percentile (max {max(sizes)} rows)", ordered[90])
        keys = [int(key) for key in store.catalogue(SPACE).keys[:: max(turns // 80, 1)]]
        timed(f"chunks: {len(keys)} by key", lambda: store.chunks(SPACE, keys))
        timed("forget one turn, file rewritten", lambda: store.forget(SPACE, ["inside"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=int, nargs="?", default=100_000)
    parser.add_argument("--keep", type=Path, help="build the store in this new file and keep it")
    arguments = parser.parse_args()
    if arguments.keep:
        measure(arguments.keep, arguments.turns)
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder) / "scale.db", arguments.turns)


if __name__ == "__main__":
    main()

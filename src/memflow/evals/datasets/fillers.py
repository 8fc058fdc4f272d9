"""Evidence buried among filler sessions: harder than oracle, and not LongMemEval-S.

The result is always called "longmemeval-among-fillers", and each haystack depends only on the
seed and its question, so that a part of the questions has the same haystacks as all of them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from os import PathLike
from typing import TYPE_CHECKING

from memflow.errors import InputError, UsageError
from memflow.evals.cases import Dataset, Ledger, joined
from memflow.evals.datasets.longmemeval import Record, assemble, read_records
from memflow.evals.datasets.records import records, text_of
from memflow.ingest.readers.longmemeval import HaystackSession
from memflow.ingest.readers.rows import kind_of

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

AMONG_FILLERS = "longmemeval-among-fillers"

# Sessions cut from abstention haystacks may nearly answer such a question: not used for those.
_NEAR_MISSES = "hb_"
# The official S haystacks go back further than the evidence; so that it is not always the oldest.
_LEAST_SPAN = timedelta(days=30)
_MARGIN = 0.25


def load_among_fillers(
    paths: Paths, pool: str | PathLike[str], *, sessions: int = 40, seed: int = 0
) -> Dataset:
    """Each record's own sessions among `sessions` of the pool's, which are JSON lines of
    {session_id, turns}. Raises InputError when the pool has too few."""
    fillers = _read_pool(pool)
    parts: list[Dataset] = []
    for path in paths:
        ledger = Ledger()
        loaded, name = read_records(path, ledger)
        ledger.add(f"{name} with {sessions} fillers a question, seed {seed}", str(path))
        ledger.add("haystacks made here of a pool of fillers: not LongMemEval-S", str(pool))
        buried = [_buried(record, fillers, sessions, seed, str(pool)) for record in loaded]
        parts.append(assemble(AMONG_FILLERS, buried, ledger))
    return joined(parts)


def _buried(
    record: Record, pool: Mapping[str, HaystackSession], count: int, seed: int, where: str
) -> Record:
    if count < 0:
        raise UsageError(f"{count} fillers cannot be added", mend="give 0 or more")
    own = {session.hidden_id for session in record.sessions}
    usable = [
        id
        for id in pool
        if id not in own and (record.case.answerable or not id.startswith(_NEAR_MISSES))
    ]
    if len(usable) < count:
        raise InputError(
            where,
            f"{len(usable)} filler sessions may be used for '{record.case.id}', {count} are wanted",
            mend="ask for fewer, or give a larger pool",
        )
    draw = random.Random(f"{seed}:{record.case.id}")
    start, end = _range(record, where)
    fillers = [
        replace(pool[id], time=start + timedelta(minutes=draw.randrange(_minutes(end - start))))
        for id in draw.sample(usable, count)
    ]
    mixed = sorted([*record.sessions, *fillers], key=lambda session: session.time or end)
    return replace(record, sessions=tuple(mixed))


def _range(record: Record, where: str) -> tuple[datetime, datetime]:
    """From somewhat before the first session to the question."""
    times = [session.time for session in record.sessions if session.time]
    end = max([*times, *([record.case.now] if record.case.now else [])], default=None)
    if end is None:
        raise InputError(where, f"'{record.case.id}' has no date to bury its sessions around")
    first = min(times, default=end)
    return min(first - (end - first) * _MARGIN, end - _LEAST_SPAN), end


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)


def _read_pool(path: str | PathLike[str]) -> dict[str, HaystackSession]:
    """By id, in the order of the file, which the seed's draws depend on."""
    found: dict[str, HaystackSession] = {}
    for number, raw in enumerate(records(path, "turns", "filler session"), start=1):
        where = f"{path}, session {number}"
        turns = raw["turns"]
        if not isinstance(turns, list):
            raise InputError(where, f"'turns' is {kind_of(turns)}, expected a list")
        # A filler holds no evidence, whatever its turns are marked with.
        bare: Sequence[object] = [
            {key: value for key, value in turn.items() if key != "has_answer"}
            if isinstance(turn, Mapping)
            else turn
            for turn in turns
        ]
        id = text_of(raw, "session_id", where)
        if id in found:
            raise InputError(where, f"session '{id}' stands twice", mend="remove one of them")
        found[id] = HaystackSession(bare, None, id)
    return found

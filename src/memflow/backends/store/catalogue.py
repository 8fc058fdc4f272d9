"""The column arrays of a space, held in the process and kept level with the file.

The file tells by two numbers what a refresh must do: nothing (`version` is the held one), add the
newer chunks (`rebuilt` is not newer), or load anew. Added chunks that come last in reading order,
as those of a live conversation do, go into spare room behind the vectors: nothing is copied.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from memflow.backends.store.index import VECTOR_TYPE
from memflow.protocols import Catalogue, Ints, Vector

# One row per chunk. `first` is the session's first event time (infinite: none), `place` the
# turn's position: with `session` and `begins` they make the reading order.
_ROW = np.dtype(
    [
        ("key", "i8"),
        ("session", "i8"),
        ("speaker", "i8"),
        ("role", "i8"),
        ("epoch", "f8"),
        ("length", "i8"),
        ("first", "f8"),
        ("place", "i8"),
        ("begins", "i8"),
    ]
)
ROLE_CODES = {"assistant": 1, "document": 2}
_ORDER = ("first", "session", "place", "begins")

Rows = npt.NDArray[np.void]


@dataclass(slots=True)
class _Held:
    """What is loaded of one space: `rows` and `room[: len(rows)]` are in reading order."""

    version: int = -1
    rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=_ROW))
    room: Vector = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    sessions: dict[int, int] = field(default_factory=dict)  # key → index
    session_names: list[str] = field(default_factory=list)
    first_times: list[float] = field(default_factory=list)
    speakers: dict[str, int] = field(default_factory=dict)  # name → index
    catalogue: Catalogue | None = None


class CatalogueCache:
    """Catalogues by space. Not thread-safe: the store guards it."""

    def __init__(self, dimension: int | None) -> None:
        self._dimension = dimension  # None: vectors are not wanted
        self._held: dict[int, _Held] = {}

    def get(self, db: sqlite3.Connection, space: int | None) -> Catalogue:
        """Level with the snapshot that `db` reads; None is a space that is not there."""
        if space is None:
            return _view(_Held(version=0))
        version, rebuilt = db.execute(
            "SELECT version, rebuilt FROM space WHERE key = ?", (space,)
        ).fetchone()
        held = self._held.get(space)
        if held is not None and held.version == version and held.catalogue is not None:
            return held.catalogue
        # Out of the cache while it changes: a load that fails half-way leaves nothing behind,
        # and an outdated one does not take memory beside its successor.
        self._held.pop(space, None)
        if held is None or rebuilt > held.version:
            held = _Held()
        _extend(db, space, held, self._dimension)
        held.version = version
        held.catalogue = _view(held)
        self._held[space] = held
        return held.catalogue


def _view(held: _Held) -> Catalogue:
    rows = held.rows
    catalogue = Catalogue(
        version=held.version,
        keys=np.ascontiguousarray(rows["key"]),
        sessions=np.ascontiguousarray(rows["session"]),
        speakers=np.ascontiguousarray(rows["speaker"]),
        roles=np.ascontiguousarray(rows["role"]),
        times=np.ascontiguousarray(rows["epoch"]),
        lengths=np.ascontiguousarray(rows["length"]),
        vectors=held.room[: len(rows)],
        session_names=tuple(held.session_names),
        speaker_names=tuple(held.speakers),
    )
    # Shared between callers, so nobody may write.
    for array in (
        catalogue.keys,
        catalogue.sessions,
        catalogue.speakers,
        catalogue.roles,
        catalogue.times,
        catalogue.lengths,
        catalogue.vectors,
    ):
        array.flags.writeable = False
    return catalogue


def _extend(db: sqlite3.Connection, space: int, held: _Held, dimension: int | None) -> None:
    """Add the chunks that are newer than all held ones."""
    known = len(held.rows)
    newest = int(held.rows["key"].max()) if known else 0
    added = _newer_rows(db, space, held, newest)
    if not len(added):
        return
    merged = np.concatenate((held.rows, added))
    in_turn = _reading_order(added)
    at_end = known == 0 or _place(held.rows[-1]) < _place(added[in_turn[0]])
    if at_end:
        order = np.concatenate((np.arange(known, dtype=np.int64), known + in_turn))
    else:
        order = _reading_order(merged)
    if dimension is not None:
        target = np.empty_like(order)
        target[order] = np.arange(len(order))
        held.room = _extended_vectors(db, space, held, newest, merged["key"], target, dimension)
    held.rows = merged[order]


def _reading_order(rows: Rows) -> Ints:
    return np.lexsort([rows[name] for name in reversed(_ORDER)]).astype(np.int64)


def _place(row: Any) -> tuple[Any, ...]:
    return tuple(row[name].item() for name in _ORDER)


def _newer_rows(db: sqlite3.Connection, space: int, held: _Held, newest: int) -> Rows:
    """In the order of keys; sessions and speakers that are new are noted in `held`."""
    last_session = max(held.sessions, default=0)
    for key, name, first in db.execute(
        "SELECT key, name, first_time FROM session WHERE space = ? AND key > ? ORDER BY key",
        (space, last_session),
    ):
        held.sessions[key] = len(held.session_names)
        held.session_names.append(name)
        held.first_times.append(np.inf if first is None else first)
    sessions, firsts, speakers = held.sessions, held.first_times, held.speakers
    rows = []
    for key, session, speaker, role, epoch, length, place, begins in db.execute(
        "SELECT c.key, t.session, t.speaker, t.role, t.epoch, c.length, t.position, c.begins"
        " FROM chunk c JOIN turn t ON t.key = c.turn WHERE c.space = ? AND c.key > ?"
        " ORDER BY c.key",
        (space, newest),
    ):
        index = sessions[session]
        rows.append(
            (
                key,
                index,
                speakers.setdefault(speaker, len(speakers)),
                ROLE_CODES.get(role, 0),
                np.nan if epoch is None else epoch,
                length,
                firsts[index],
                place,
                begins,
            )
        )
    return np.array(rows, dtype=_ROW)


def _extended_vectors(
    db: sqlite3.Connection,
    space: int,
    held: _Held,
    newest: int,
    keys: Ints,
    target: Ints,
    dimension: int,
) -> Vector:
    """The vectors of `keys`, row i at `target[i]`; held ones first, those of no vector zero."""
    known, total = len(held.rows), len(keys)
    cursor = db.execute(
        "SELECT c.key, e.vector FROM chunk c JOIN embedding e ON e.key = c.embedding"
        " WHERE c.space = ? AND c.key > ? ORDER BY c.key",
        (space, newest),
    )
    batch = cursor.fetchmany(4096)
    if not batch and held.room.size == 0:
        return held.room
    fits = len(held.room) >= total and bool((target[:known] == np.arange(known)).all())
    if fits:
        room = held.room
    else:
        # Untouched pages of zeros cost nothing: room for what comes next.
        room = np.zeros((total + total // 8 + 256, dimension), dtype=np.float32)
        if held.room.size:
            _copy_around(held.room, room, np.sort(target[known:]), total)
    # Keys of the added rows ascend, so each vector finds its row by bisection.
    added = keys[known:]
    while batch:
        rows = known + np.searchsorted(added, [key for key, _ in batch])
        joined = b"".join([vector for _, vector in batch])
        room[target[rows]] = np.frombuffer(joined, dtype=VECTOR_TYPE).reshape(-1, dimension)
        batch = cursor.fetchmany(4096)
    return room


def _copy_around(old: Vector, room: Vector, gaps: Ints, total: int) -> None:
    """Copy the rows of `old`, in order, to `room[:total]` except to `gaps`, in whole runs."""
    source = target = 0
    for gap in (*gaps.tolist(), total):
        run = gap - target
        room[target:gap] = old[source : source + run]
        source += run
        target = gap + 1

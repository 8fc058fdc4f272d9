"""The turns: appended once each, kept in reading order.

Reading order within a session is by event time where every turn has one (ties as they came), else
as they came. `position` is that order, kept up to date here, so that no reader has to decide.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from memflow.backends.store.rows import TURN_COLUMNS, Incoming, batches, marks, turn_from
from memflow.types import AddResult, Rejected, Turn


def find_space(db: sqlite3.Connection, name: str) -> int | None:
    row = db.execute("SELECT key FROM space WHERE name = ?", (name,)).fetchone()
    return None if row is None else int(row[0])


def make_space(db: sqlite3.Connection, name: str) -> int:
    """The space's key; the space is made if it is new."""
    db.execute("INSERT INTO space (name) VALUES (?) ON CONFLICT (name) DO NOTHING", (name,))
    key = find_space(db, name)
    assert key is not None
    return key


def touch(db: sqlite3.Connection, space: int, *, rebuilt: bool) -> None:
    """The index changed; `rebuilt` when cached columns cannot just be added to."""
    db.execute("UPDATE space SET version = version + 1 WHERE key = ?", (space,))
    if rebuilt:
        db.execute("UPDATE space SET rebuilt = version WHERE key = ?", (space,))


def index_version(db: sqlite3.Connection, space: int) -> int:
    """Another one after every change of chunks, facts or reading order."""
    (version,) = db.execute("SELECT version FROM space WHERE key = ?", (space,)).fetchone()
    return int(version)


# --------------------------------------------------------------------------- append


@dataclass(slots=True)
class _Session:
    """A session's row while turns are added to it."""

    key: int
    first: float | None
    last: float | None
    untimed: int
    next_position: int
    newest_turn: int  # key of the newest turn that was there before
    disordered: bool = False
    moved_first: bool = False

    def place(self, epoch: float | None) -> int:
        """The position of a turn that comes last, noting whether that is its place."""
        position = self.next_position
        self.next_position += 1
        if epoch is None:
            # From time order to the order of coming.
            self.disordered |= self.untimed == 0 and position > 0
            self.untimed += 1
            return position
        if self.untimed == 0 and self.last is not None and epoch < self.last:
            self.disordered = True
        if self.first is None or epoch < self.first:
            self.first = epoch
            self.moved_first = True
        self.last = epoch if self.last is None else max(self.last, epoch)
        return position


def append(
    db: sqlite3.Connection, space: int, incoming: Sequence[Incoming], added: str
) -> AddResult:
    """Insert those not there yet; the same content under the same id is skipped."""
    stored: list[str] = []
    skipped: list[Rejected] = []
    failed: list[Rejected] = []
    sessions: dict[str, _Session] = {}
    for item in incoming:
        turn = item.turn
        held = db.execute(
            "SELECT t.digest, t.epoch, t.speaker, t.role, s.name FROM turn t"
            " JOIN session s ON s.key = t.session WHERE t.space = ? AND t.id = ?",
            (space, item.id),
        ).fetchone()
        if held is not None:
            if other := _differences(item, held):
                reason = f"id '{item.id}' already holds other {', '.join(other)}"
                failed.append(Rejected(item.where, reason))
            else:
                skipped.append(Rejected(item.where, "already stored"))
            continue
        session = sessions.get(turn.session)
        if session is None:
            session = sessions[turn.session] = _open_session(db, space, turn.session)
        db.execute(
            "INSERT INTO turn (space, session, id, position, role, speaker, kind, source, text,"
            " digest, time, epoch, added) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                space,
                session.key,
                item.id,
                session.place(item.epoch),
                turn.role,
                item.speaker,
                turn.kind.value,
                turn.source,
                turn.text,
                item.digest,
                item.time,
                item.epoch,
                added,
            ),
        )
        stored.append(item.id)
    _settle_sessions(db, space, list(sessions.values()))
    return AddResult(tuple(stored), tuple(skipped), tuple(failed), tuple(sessions))


def _differences(item: Incoming, held: tuple[object, ...]) -> list[str]:
    given = (item.digest, item.epoch, item.speaker, item.turn.role, item.turn.session)
    names = ("text", "time", "speaker", "role", "session")
    return [name for name, new, old in zip(names, given, held, strict=True) if new != old]


def _open_session(db: sqlite3.Connection, space: int, name: str) -> _Session:
    db.execute(
        "INSERT INTO session (space, name) VALUES (?, ?) ON CONFLICT (space, name) DO NOTHING",
        (space, name),
    )
    key, *columns = db.execute(
        "SELECT key, first_time, last_time, untimed, next_position FROM session"
        " WHERE space = ? AND name = ?",
        (space, name),
    ).fetchone()
    (newest,) = db.execute("SELECT max(key) FROM turn WHERE session = ?", (key,)).fetchone()
    first, last, untimed, next_position = columns
    return _Session(key, first, last, untimed, next_position, newest or 0)


def _settle_sessions(db: sqlite3.Connection, space: int, sessions: Sequence[_Session]) -> None:
    rebuilt = False
    for session in sessions:
        if session.disordered:
            rebuilt |= renumber(db, session.key, below=session.newest_turn)
        rebuilt |= session.moved_first and session.newest_turn > 0
        db.execute(
            "UPDATE session SET first_time = ?, last_time = ?, untimed = ?, next_position = ?"
            " WHERE key = ?",
            (session.first, session.last, session.untimed, session.next_position, session.key),
        )
    if rebuilt:
        touch(db, space, rebuilt=True)


def renumber(db: sqlite3.Connection, session: int, *, below: int) -> bool:
    """Set positions to the reading order; whether a turn of a key up to `below` moved."""
    rows = db.execute(
        "SELECT key, position, epoch FROM turn WHERE session = ? ORDER BY key", (session,)
    ).fetchall()
    if all(epoch is not None for _, _, epoch in rows):
        rows.sort(key=lambda row: (row[2], row[0]))
    moved = [(place, key) for place, (key, old, _) in enumerate(rows) if place != old]
    db.executemany("UPDATE turn SET position = ? WHERE key = ?", moved)
    return any(key <= below for _, key in moved)


# --------------------------------------------------------------------------- read

_SELECT = (
    f"SELECT s.first_time, s.key, {TURN_COLUMNS}"
    " FROM turn t JOIN session s ON s.key = t.session WHERE t.space = ?"
)


def read(
    db: sqlite3.Connection, space: int, ids: Sequence[str] | None, session: str | None
) -> list[Turn]:
    """Turns in reading order: sessions by first event time, those without any last."""
    where, values = (" AND s.name = ?", (session,)) if session is not None else ("", ())
    if ids is None:
        rows = db.execute(_SELECT + where, (space, *values)).fetchall()
    else:
        rows = []
        for batch in batches(dict.fromkeys(ids)):
            sql = f"{_SELECT}{where} AND t.id IN ({marks(batch)})"
            rows += db.execute(sql, (space, *values, *batch)).fetchall()
    rows.sort(key=lambda row: (row[0] is None, row[0] or 0.0, row[1], row[4]))
    return [turn_from(row[2:]) for row in rows]


def pending(db: sqlite3.Connection, space: int, limit: int, level: int) -> list[Turn]:
    """Turns indexed below `level`, those not indexed at all first."""
    found: list[Turn] = []
    for below in range(level):
        rows = db.execute(
            f"SELECT {TURN_COLUMNS} FROM turn t JOIN session s ON s.key = t.session"
            " WHERE t.space = ? AND t.indexed = ? ORDER BY t.key LIMIT ?",
            (space, below, limit - len(found)),
        )
        found += [turn_from(row) for row in rows]
    return found

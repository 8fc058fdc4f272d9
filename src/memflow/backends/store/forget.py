"""Forgetting: turns, all that derives from them, and their remains in the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from memflow.backends.store import facts, index, traces
from memflow.backends.store.connections import Connections
from memflow.backends.store.rows import batches, marks
from memflow.backends.store.turns import renumber, touch

TABLES = ("turn", "session", "chunk", "posting", "embedding", "fact", "trace")


def forget(db: sqlite3.Connection, space: int, ids: Sequence[str]) -> dict[str, int]:
    """Delete inside the caller's transaction; counts by table."""
    turns: dict[int, str] = {}
    sessions: set[int] = set()
    for batch in batches(dict.fromkeys(ids)):
        for key, own, session in db.execute(
            f"SELECT key, id, session FROM turn WHERE space = ? AND id IN ({marks(batch)})",
            (space, *batch),
        ):
            turns[key] = own
            sessions.add(session)
    counts = dict.fromkeys(TABLES, 0)
    if not turns:
        return counts
    counts |= index.delete(db, space, turns)
    counts["fact"], chains = facts.delete(db, turns)
    facts.settle(db, space, chains)
    counts["trace"] = traces.delete_mentions(db, space, turns.values())
    for keys in batches(turns):
        counts["turn"] += db.execute(
            f"DELETE FROM turn WHERE key IN ({marks(keys)})", keys
        ).rowcount
    if db.execute("SELECT 1 FROM turn WHERE space = ? LIMIT 1", (space,)).fetchone() is None:
        # Nothing is remembered any more: what was asked goes too.
        counts["trace"] += db.execute("DELETE FROM trace WHERE space = ?", (space,)).rowcount
    counts["session"] = sum(_settle_session(db, session) for session in sessions)
    touch(db, space, rebuilt=True)
    db.execute("INSERT INTO meta VALUES ('scrub', 'due') ON CONFLICT (name) DO NOTHING")
    return counts


def _settle_session(db: sqlite3.Connection, session: int) -> bool:
    """Bring the session level with the turns it has left; whether it was deleted for want."""
    first, last, untimed, left = db.execute(
        "SELECT min(epoch), max(epoch), count(*) - count(epoch), count(*) FROM turn"
        " WHERE session = ?",
        (session,),
    ).fetchone()
    if not left:
        db.execute("DELETE FROM session WHERE key = ?", (session,))
        return True
    db.execute(
        "UPDATE session SET first_time = ?, last_time = ?, untimed = ? WHERE key = ?",
        (first, last, untimed, session),
    )
    if not untimed:
        renumber(db, session, below=0)
    return False


def scrub(connections: Connections) -> None:
    """Rewrite the file if something was forgotten since the last time.

    `secure_delete` clears what is deleted, but not the copies that SQLite leaves behind when it
    moves rows between pages, nor the write-ahead log: only a new file does.
    """
    with connections.borrowed() as db:
        if db.execute("SELECT 1 FROM meta WHERE name = 'scrub'").fetchone() is None:
            return
    with connections.writing(), connections.borrowed() as db:
        db.execute("VACUUM")
        db.execute("DELETE FROM meta WHERE name = 'scrub'")
        # Best effort while others read; closing the last connection does it too.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

"""The fact ledger: every mention is kept, and what is in force is worked out from all of them.

The facts of one subject and key form a chain. Its state depends only on which mentions are
stored, not on the order in which they came: a late, older fact is superseded at once, and when a
turn is forgotten its predecessor is in force again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from memflow.backends.store.rows import FACT_COLUMNS, batches, fact_from, marks, written
from memflow.types import Fact

Chain = tuple[str, str]


def replace(
    db: sqlite3.Connection, space: int, turns: Mapping[str, int], facts: Sequence[Fact]
) -> None:
    """These turns now say these facts, and none they said before."""
    touched = delete(db, turns.values())[1]
    for fact in facts:
        turn = turns.get(fact.turn_id)
        if turn is None:
            continue
        db.execute(
            "INSERT INTO fact (space, turn, subject, name, value, kind, quote, time, epoch)"
            " VALUES (?,?,?,?,?,?,?,?,?)",
            (
                space,
                turn,
                fact.subject,
                fact.key,
                fact.value,
                fact.kind,
                fact.quote,
                *written(fact.time),
            ),
        )
        touched.add((fact.subject, fact.key))
    settle(db, space, touched)


def delete(db: sqlite3.Connection, turns: Iterable[int]) -> tuple[int, set[Chain]]:
    """How many went, and the chains to settle."""
    count = 0
    touched: set[Chain] = set()
    for batch in batches(turns):
        where = f"WHERE turn IN ({marks(batch)})"
        touched.update(db.execute(f"SELECT DISTINCT subject, name FROM fact {where}", batch))
        count += db.execute(f"DELETE FROM fact {where}", batch).rowcount
    return count, touched


def settle(db: sqlite3.Connection, space: int, chains: Iterable[Chain]) -> None:
    """Work out `superseded_by` and `repeats` along each chain."""
    for subject, name in sorted(chains):
        rows = db.execute(
            "SELECT key, value, epoch, superseded_by, repeats FROM fact"
            " WHERE space = ? AND subject = ? AND name = ? ORDER BY turn, key",
            (space, subject, name),
        ).fetchall()
        # The rule of sessions: by time where all have one, else as they came.
        if all(row[2] is not None for row in rows):
            rows.sort(key=lambda row: row[2])
        successor: dict[int, int] = {}
        repeats: dict[int, int] = {}
        head: tuple[int, str] | None = None
        for key, value, *_ in rows:
            if head is not None and head[1] == value.casefold():
                repeats[key] = head[0]
                continue
            if head is not None:
                successor[head[0]] = key
            head = (key, value.casefold())
        db.executemany(
            "UPDATE fact SET superseded_by = ?, repeats = ? WHERE key = ?",
            [
                (successor.get(key), repeats.get(key), key)
                for key, _, _, *old in rows
                if old != [successor.get(key), repeats.get(key)]
            ],
        )


def read(db: sqlite3.Connection, space: int, key: str | None, current: bool) -> list[Fact]:
    """Oldest first; facts without a time last, as they came."""
    sql = (
        f"SELECT {FACT_COLUMNS} FROM fact f JOIN turn t ON t.key = f.turn"
        " WHERE f.space = ? AND f.repeats IS NULL"
    )
    values: list[object] = [space]
    if key is not None:
        sql += " AND f.name = ?"
        values.append(key)
    if current:
        sql += " AND f.superseded_by IS NULL"
    sql += " ORDER BY f.epoch IS NULL, f.epoch, f.turn, f.key"
    return [fact_from(row) for row in db.execute(sql, values)]

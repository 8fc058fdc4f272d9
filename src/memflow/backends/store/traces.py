"""Traces of past answers, as JSON. A trace goes when a turn it mentions is forgotten."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from memflow.types import Trace


def save(db: sqlite3.Connection, space: int, trace: Trace) -> None:
    """Under its id, in place of any earlier one."""
    # Escaped to ASCII: a question may hold what UTF-8 cannot.
    body = json.dumps({"question": trace.question, "stages": trace.stages}, default=str)
    db.execute(
        "INSERT INTO trace (space, id, created, body) VALUES (?,?,?,?) ON CONFLICT (space, id)"
        " DO UPDATE SET created = excluded.created, body = excluded.body",
        (space, trace.id, trace.created.isoformat(), body),
    )


def read(db: sqlite3.Connection, space: int, trace_id: str) -> Trace | None:
    row = db.execute(
        "SELECT created, body FROM trace WHERE space = ? AND id = ?", (space, trace_id)
    ).fetchone()
    if row is None:
        return None
    body = json.loads(row[1])
    return Trace(trace_id, body["question"], datetime.fromisoformat(row[0]), body["stages"])


def delete_mentions(db: sqlite3.Connection, space: int, turn_ids: Collection[str]) -> int:
    """Delete the traces that hold one of these ids as a value or key; how many went."""
    wanted = set(turn_ids)
    doomed = [
        (space, trace_id)
        for trace_id, body in db.execute("SELECT id, body FROM trace WHERE space = ?", (space,))
        if not wanted.isdisjoint(_strings(json.loads(body)))
    ]
    db.executemany("DELETE FROM trace WHERE space = ? AND id = ?", doomed)
    return len(doomed)


def _strings(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case Mapping() as table:
                waiting.extend(table)
                waiting.extend(table.values())
            case list() as items:
                waiting.extend(items)
            case _:
                pass

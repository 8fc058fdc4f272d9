"""LongMemEval records: a user's sessions with an assistant, always in the order of their dates.

The official session ids begin with `answer_` where the evidence is: they never leave this module.
Sessions and turns are numbered instead. Times name no zone: they are read as UTC unless one
is named, and every turn has its session's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.messages import Frame, message_rows
from memflow.ingest.readers.rows import Broken, Note, Origin, Row, Rows, kind_of, read_time
from memflow.types import NewTurn

_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class HaystackSession:
    """`hidden_id` is the official id, which tells whether this is evidence: for scoring only."""

    turns: Sequence[Any]
    time: datetime | None
    hidden_id: str | None = None


def read_longmemeval(source: Source, origin: Origin) -> Rows:
    """All records of a file, sessions named `<file stem>/<record number>/session_<n>`."""
    for number, record in enumerate(elements(source.name, source.blocks()), start=1):
        where = f"{source.name}, record {number}"
        found = haystack_of(record, where, origin.zone)
        if isinstance(found, Broken):
            yield found
            continue
        sessions, notes = found
        for index, session in enumerate(sessions, start=1):
            name = f"{origin.session}/{number}/session_{index}"
            for rows in session_rows(session, f"{where}, session {index}", name, origin.source):
                yield from rows
        yield from notes


def haystack_of(
    record: object, where: str, zone: tzinfo = UTC
) -> tuple[list[HaystackSession], list[Note]] | Broken:
    """Sessions by date, those without one last. Dates that cannot be matched are not guessed."""
    sessions = record.get("haystack_sessions") if isinstance(record, Mapping) else None
    if not isinstance(record, Mapping) or not isinstance(sessions, list):
        return Broken(where, f"'haystack_sessions' is {kind_of(sessions)}, expected a list")
    notes: list[Note] = []
    dates = _parallel(record, "haystack_dates", len(sessions), where, notes)
    ids = _parallel(record, "haystack_session_ids", len(sessions), where, notes)
    found: list[HaystackSession] = []
    for number, (turns, date, own) in enumerate(zip(sessions, dates, ids, strict=True), start=1):
        if not isinstance(turns, list):
            return Broken(where, f"session {number} is {kind_of(turns)}, expected a list of turns")
        time, note = read_time(date, f"{where}, session {number} of the file", zone)
        notes += [note] if note else []
        found.append(HaystackSession(turns, time, str(own) if own is not None else None))
    return sorted(found, key=lambda session: session.time or _LAST), notes


def session_rows(
    session: HaystackSession, where: str, name: str, source: str | None
) -> list[list[Row]]:
    """For each turn of the session its rows; its id is `<name>:<position>`, from 1."""
    frame = Frame(name, source, session.time)
    found: list[list[Row]] = []
    for position, raw in enumerate(session.turns, start=1):
        rows = message_rows(raw, f"{where}, turn {position}", frame)
        own = f"{name}:{position}"
        found.append([replace(r, id=own) if isinstance(r, NewTurn) else r for r in rows])
    return found


def _parallel(
    record: Mapping[str, Any], key: str, count: int, where: str, notes: list[Note]
) -> list[Any]:
    """The list beside the sessions, or as many None when it does not match them."""
    values = record.get(key)
    if isinstance(values, list) and len(values) == count:
        return values
    given = len(values) if isinstance(values, list) else kind_of(values)
    notes.append(Note(where, f"{count} sessions but '{key}' is {given}: not used"))
    return [None] * count

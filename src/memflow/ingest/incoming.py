"""What a program hands to `add`, as turns: messages, texts, documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from memflow.dates import parse_time
from memflow.errors import UsageError
from memflow.ingest.readers import Frame, Rows, message_rows
from memflow.types import NewTurn, SessionKind

Incoming = str | Mapping[str, Any] | NewTurn | Iterable[Mapping[str, Any] | NewTurn]

# What a text without a role is, by the kind of session it goes to.
_ROLE = {
    SessionKind.ASSISTANT: "user",
    SessionKind.PEER: "user",
    SessionKind.DOCUMENT: "document",
}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for messages that do not say it themselves; `id` is for a single one only."""

    session: str
    speaker: str | None = None
    time: str | datetime | None = None
    source: str | None = None
    id: str | None = None
    kind: SessionKind | None = None


def as_turns(content: Incoming, defaults: Defaults) -> Rows:
    """Turns, and a Rejected or Note for each row that is none or lost something.

    Raises UsageError for a default that cannot be: a time that cannot be read, one id for many.
    """
    time = _time(defaults.time)
    frame = Frame(defaults.session, defaults.source, time, defaults.speaker)
    if isinstance(content, str):
        kind = defaults.kind or SessionKind.ASSISTANT
        turn = NewTurn(
            text=content,
            session=defaults.session,
            role=_ROLE[kind],
            speaker=defaults.speaker,
            time=time,
            id=defaults.id,
            source=defaults.source,
            kind=kind,
        )
        return iter([turn])
    if isinstance(content, Mapping):
        one: Mapping[str, Any] = content
        if defaults.id is not None:
            one = {**content, "id": content.get("id", defaults.id)}
        return _of_kind(message_rows(one, "message", frame), defaults.kind)
    if defaults.id is not None:
        raise UsageError("id names one message; give each message of a list its own 'id'")
    if isinstance(content, NewTurn):
        return iter([content])
    return _of_kind(_each(content, frame), defaults.kind)


def _each(content: Iterable[Mapping[str, Any] | NewTurn], frame: Frame) -> Rows:
    for number, one in enumerate(content, start=1):
        if isinstance(one, NewTurn):
            yield one
        else:
            yield from message_rows(one, f"message {number}", frame)


def _of_kind(rows: Rows, kind: SessionKind | None) -> Iterator[Any]:
    for row in rows:
        yield replace(row, kind=kind) if kind and isinstance(row, NewTurn) else row


def _time(value: str | datetime | None) -> datetime | None:
    if value is None:
        return None
    try:
        moment = parse_time(value) if isinstance(value, str) else value
    except ValueError as error:
        raise UsageError(f"time: {error}") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

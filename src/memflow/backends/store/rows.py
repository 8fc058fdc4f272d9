"""Between the vocabulary and the table rows: what comes in is checked, what goes out restored."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from memflow.types import Fact, NewTurn, Rejected, SessionKind, Turn

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# Below every SQLite's limit of variables in one statement.
BATCH = 500

T = TypeVar("T")


def batches(values: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """In order, at most BATCH at a time."""
    left = iter(values)
    while batch := tuple(itertools.islice(left, BATCH)):
        yield batch


def marks(values: Sequence[object]) -> str:
    """The placeholders of an SQL list."""
    return ",".join("?" * len(values))


def digest(text: str) -> bytes:
    """sha256 of the UTF-8 text, by which equal texts are known."""
    return hashlib.sha256(text.encode()).digest()


# --------------------------------------------------------------------------- time


def written(time: datetime | None) -> tuple[str | None, float | None]:
    """ISO text with its offset, and epoch seconds."""
    return (None, None) if time is None else (time.isoformat(), (time - EPOCH).total_seconds())


def read_time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


# --------------------------------------------------------------------------- turns coming in


@dataclass(frozen=True, slots=True)
class Incoming:
    """A turn fit to be stored, with all that derives from it."""

    turn: NewTurn
    where: str
    id: str
    speaker: str
    digest: bytes
    time: str | None
    epoch: float | None


def admit(turns: Iterable[NewTurn]) -> tuple[list[Incoming], list[Rejected], list[Rejected]]:
    """Those fit to be stored, those to skip, those that fail."""
    fit: list[Incoming] = []
    skipped: list[Rejected] = []
    failed: list[Rejected] = []
    seen: Counter[tuple[object, ...]] = Counter()
    for number, turn in enumerate(turns, start=1):
        where = _where(turn, number)
        if reason := _flaw(turn):
            failed.append(Rejected(where, reason))
        elif not turn.text.strip():
            skipped.append(Rejected(where, "empty"))
        else:
            fit.append(_incoming(turn, where, seen))
    return fit, skipped, failed


def _where(turn: NewTurn, number: int) -> str:
    parts = [part for part in (turn.source, f"turn {number}") if part]
    if turn.id:
        parts.append(f"id {turn.id}")
    return _printable(", ".join(parts))


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _flaw(turn: NewTurn) -> str | None:
    if turn.time is not None and turn.time.utcoffset() is None:
        return "the time has no zone"
    for name in ("text", "session", "role", "speaker", "id", "source"):
        try:
            (getattr(turn, name) or "").encode()
        except UnicodeEncodeError as error:
            return f"{name} is not valid Unicode: half a surrogate pair at {error.start}"
    return None


def _incoming(turn: NewTurn, where: str, seen: Counter[tuple[object, ...]]) -> Incoming:
    speaker = turn.speaker or turn.role
    time, epoch = written(turn.time)
    body = digest(turn.text)
    own = turn.id
    if not own:
        # The n-th turn of this content in this session: the same file, or a grown one, gives the
        # same ids again, and a repeated "ok" is still a turn of its own.
        content = (turn.session, turn.role, speaker, epoch, body)
        seen[content] += 1
        own = _derived_id(*content, seen[content])
    return Incoming(turn, where, own, speaker, body, time, epoch)


def _derived_id(*parts: object) -> str:
    # repr keeps the parts apart, whatever they contain.
    return "t" + hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


# --------------------------------------------------------------------------- rows going out

TURN_COLUMNS = "t.id, s.name, t.position, t.role, t.speaker, t.text, t.time, t.kind, t.source"


def turn_from(row: Sequence[Any]) -> Turn:
    """A Turn from TURN_COLUMNS."""
    identity, session, position, role, speaker, text, time, kind, source = row
    return Turn(
        id=identity,
        session=session,
        position=position,
        role=role,
        speaker=speaker,
        text=text,
        time=read_time(time),
        kind=SessionKind(kind),
        source=source,
    )


FACT_COLUMNS = "f.key, f.subject, f.name, f.value, f.kind, t.id, f.quote, f.time, f.superseded_by"


def fact_from(row: Sequence[Any]) -> Fact:
    """A Fact from FACT_COLUMNS."""
    key, subject, name, value, kind, turn, quote, time, superseded_by = row
    return Fact(
        id=key,
        subject=subject,
        key=name,
        value=value,
        kind=kind,
        turn_id=turn,
        quote=quote,
        time=read_time(time),
        superseded_by=superseded_by,
    )

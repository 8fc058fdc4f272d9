"""What a reader yields, and the small readings that every format shares.

A row of a file is a turn; or it is left out on purpose (`Rejected`: a system prompt, a tool's
output) or because it cannot be read (`Broken`). A `Note` accompanies a turn that lost something.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any, TypeAlias

from memflow.dates import parse_time
from memflow.text import clip
from memflow.types import NewTurn, Rejected


@dataclass(frozen=True, slots=True)
class Broken(Rejected):
    """A row that was meant to be stored and could not be read."""


@dataclass(frozen=True, slots=True)
class Note:
    """Words were kept, but something about them was not."""

    where: str
    text: str


Row: TypeAlias = NewTurn | Rejected | Note
Rows: TypeAlias = Iterator[Row]


@dataclass(frozen=True, slots=True)
class Origin:
    """The file being read. `name` is shown in messages, `source` is kept with every turn."""

    name: str
    source: str
    stem: str
    chosen: str | None = None

    @classmethod
    def of(cls, name: str, session: str | None = None) -> Origin:
        if name == "-":
            return cls("stdin", "stdin", "stdin", session or None)
        path = PurePath(name)
        return cls(name, path.name, path.stem or path.name, session or None)

    @property
    def session(self) -> str:
        """Of loose messages, and before the ids of conversations."""
        return self.chosen or self.stem

    @property
    def prefix(self) -> str:
        """Before names that the file itself makes unique: only what the caller asked for."""
        return f"{self.chosen}/" if self.chosen else ""


TIME_KEYS = ("time", "timestamp", "created_at", "create_time", "date")


def first_of(row: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The value of the first key that has one; None counts as none."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def read_time(value: object, where: str) -> tuple[datetime | None, Note | None]:
    """The time, or a note saying that it was not understood. None is no time and no note."""
    if value is None:
        return None, None
    try:
        if isinstance(value, str | int | float):
            return parse_time(value), None
        reason = f"expected a text or a number, got {kind_of(value)}"
    except ValueError as error:
        reason = str(error)
    return None, Note(where, f"time not understood, kept without a time: {clip(reason, 200)}")


def label(value: object) -> str | None:
    """A name or id as text; numbers are written out, anything else is no label."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def kind_of(value: object) -> str:
    """The JSON name of a value's type, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def shown(value: object) -> str:
    """The value as JSON, short enough for a message."""
    return clip(json.dumps(value, ensure_ascii=False, default=str), 60)

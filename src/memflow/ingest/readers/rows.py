"""What a reader yields, and the small readings that every format shares.

A row of a file is a turn; or it is left out on purpose (`Rejected`: a system prompt, a tool's
output) or because it cannot be read (`Broken`). A `Note` accompanies a turn that lost something.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import PurePath, PurePosixPath
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
    """The file being read. `name` is shown in messages, `source` is kept with every turn.

    `container`: the folder or archive it is a part of; `stem` is then its path in it. `zone` is
    that of times that name none, and `zone_named` whether the user said so.
    """

    name: str
    source: str
    stem: str
    chosen: str | None = None
    container: str | None = None
    zone: tzinfo = UTC
    zone_named: bool = False

    @classmethod
    def of(cls, name: str, session: str | None = None, zone: tzinfo | None = None) -> Origin:
        path = PurePath("stdin" if name == "-" else name)
        return cls(
            name="stdin" if name == "-" else name,
            source=path.name,
            stem=path.stem or path.name,
            chosen=session or None,
            zone=zone or UTC,
            zone_named=zone is not None,
        )

    def member(self, name: str, path: str, container: str, *, archive: bool) -> Origin:
        """A file at the relative `path` of what this is the origin of."""
        source = f"{self.source}/{path}" if archive else path
        stem = str(PurePosixPath(path).with_suffix(""))
        return replace(self, name=name, source=source, stem=stem, container=container)

    @property
    def session(self) -> str:
        """Of loose messages, and before the ids of conversations."""
        if self.container is not None:
            return f"{self.chosen or self.container}/{self.stem}"
        return self.chosen or self.stem

    @property
    def title(self) -> str:
        """Of a document that names none itself."""
        return PurePosixPath(self.stem).name or self.stem

    @property
    def prefix(self) -> str:
        """Before names that the file itself makes unique: only what the caller asked for."""
        return f"{self.chosen}/" if self.chosen else ""

    def titled(self, title: object) -> str:
        """The source of what stands under a title in the file. Titles change, so they are no part
        of ids and sessions."""
        words = clip(" ".join(title.split()), 120) if isinstance(title, str) else ""
        return f"{self.source}: {words}" if words else self.source

    def zone_note(self) -> Note | None:
        """For a file with times that name no zone: which one was assumed, unless it was named."""
        if self.zone_named:
            return None
        return Note(self.name, "times name no zone: read as UTC; --timezone names another")


TIME_KEYS = ("time", "timestamp", "created_at", "create_time", "date")


def first_of(row: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """The value of the first key that has one; None counts as none."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def read_time(value: object, where: str, zone: tzinfo = UTC) -> tuple[datetime | None, Note | None]:
    """The time, or a note saying that it was not understood. None is no time and no note.

    `zone` is that of a time without one; epoch times are kept in UTC.
    """
    if value is None:
        return None, None
    try:
        if isinstance(value, str | int | float):
            text = isinstance(value, str)
            moment = parse_time(value, default_zone=zone if text else UTC)
            moment.astimezone(UTC)  # at the ends of the calendar there is none
            return moment, None
        reason = f"expected a text or a number, got {kind_of(value)}"
    except (ValueError, OverflowError) as error:
        reason = str(error)
    return None, Note(where, f"time not understood, kept without a time: {clip(reason, 200)}")


def label(value: object) -> str | None:
    """A name or id as text; numbers are written out, anything else is no label."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def first_label(row: object, keys: tuple[str, ...]) -> str | None:
    """The first of the keys that has a label, None also for what is no object."""
    if not isinstance(row, Mapping):
        return None
    return next((found for key in keys if (found := label(row.get(key)))), None)


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
    try:
        return clip(json.dumps(value, ensure_ascii=False, default=str), 60)
    except RecursionError:
        return kind_of(value)

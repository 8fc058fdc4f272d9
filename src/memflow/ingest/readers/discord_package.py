"""Discord's data package: the account's own messages, `messages/c<id>/messages.json` or `.csv`.

Written after parsers of packages of several years: columns or keys `ID`, `Timestamp` (UTC, without
a zone), `Contents`, `Attachments`; `channel.json` beside them names guild and recipients;
`messages/index.json` names the channels; `account/user.json` is the author of all of it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator, Mapping
from datetime import UTC
from typing import Any

from memflow.errors import InputError
from memflow.ingest.readers.exports import Export
from memflow.ingest.readers.files import Source, split_lines
from memflow.ingest.readers.identity import day_of
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.rows import (
    Broken,
    Origin,
    Row,
    Rows,
    first_label,
    kind_of,
    label,
    read_time,
)
from memflow.types import NewTurn, Rejected, SessionKind

AUTHOR = "me"  # where the package does not tell the account's name

_CHANNEL = re.compile(r"(?:.*/)?c?(?P<id>[0-9]{5,25})/messages\.(?:json|csv)", re.IGNORECASE)
_FIELD_SIZE = 1 << 24


def read_discord_package(export: Export, origin: Origin) -> Rows:
    """All channels. Sessions and ids are those of DiscordChatExporter's files."""
    author, names = AUTHOR, {}
    for path in export.paths:
        if path.endswith("account/user.json") or path == "user.json":
            user = yield from export.load(path)
            author = first_label(user, ("global_name", "username")) or AUTHOR
        elif path.lower().endswith("/index.json") or path == "index.json":
            index = yield from export.load(path)
            names = dict(index) if isinstance(index, Mapping) else {}
    for path in export.paths:
        if (found := _CHANNEL.fullmatch(path)) is None:
            continue
        channel = found["id"]
        title = label(names.get(channel)) or (yield from _named(export, path))
        with export.source(path) as source:
            try:
                yield from read_package_file(source, origin, channel, author, title)
            except InputError as error:
                yield Broken(error.where, error.reason)


def _named(export: Export, path: str) -> Generator[Row, None, str | None]:
    """Returns the channel's name as its own file tells it."""
    beside = f"{path.rsplit('/', 1)[0]}/channel.json"
    value = (yield from export.load(beside)) if beside in export.paths else None
    if not isinstance(value, Mapping):
        return None
    names = [first_label(value.get("guild"), ("name",)), first_label(value, ("name",))]
    return " / ".join(name for name in names if name) or None


def read_package_alone(source: Source, origin: Origin) -> Rows:
    """One `messages.json` or `messages.csv`, the channel's id from its folder."""
    found = _CHANNEL.fullmatch(origin.name.replace("\\", "/"))
    yield from read_package_file(
        source, origin, found["id"] if found else origin.stem, AUTHOR, None
    )


def read_package_file(
    source: Source, origin: Origin, channel: str, author: str, title: str | None
) -> Rows:
    """The messages of one channel."""
    table = not source.beginning.lstrip().startswith(("[", "{"))
    rows = _table(source) if table else enumerate(elements(source.name, source.blocks()), start=1)
    key = f"{origin.prefix}discord/{channel}"
    for number, message in rows:
        where = f"{source.name}{':' if table else ', message '}{number}"
        if isinstance(message, Broken):
            yield message
            continue
        if not isinstance(message, Mapping):
            yield Broken(where, f"expected a message object, got {kind_of(message)}")
            continue
        yield from _message(message, where, key, author, origin.titled(title))


def _message(
    message: Mapping[str, Any], where: str, key: str, author: str, source: str
) -> Iterator[Row]:
    text = message.get("Contents")
    if "Contents" not in message:
        yield Broken(where, "no 'Contents'")
        return
    if not isinstance(text, str | int | float | None) or isinstance(text, bool):
        yield Broken(where, f"'Contents' is {kind_of(text)}, expected a text")
        return
    words = "" if text is None else str(text)
    attached = message.get("Attachments")
    if not words.strip():
        yield Rejected(where, "media without words" if attached else "no words in it")
        return
    time, note = read_time(message.get("Timestamp") or None, where, UTC)
    own = label(message.get("ID"))
    yield NewTurn(
        text=f"{words}\n[file]" if attached else words,
        session=f"{key}/{day_of(time)}",
        speaker=author,
        time=time,
        id=f"{key}/{own}" if own else None,
        source=source,
        kind=SessionKind.PEER,
    )
    if note is not None:
        yield note


def _table(source: Source) -> Iterator[tuple[int, object]]:
    """Records by the names in the first line; their number is that of the line they end on."""
    csv.field_size_limit(_FIELD_SIZE)
    lines = (line.replace("\0", "") for line in split_lines(source.blocks(), _FIELD_SIZE))
    reader = csv.DictReader(lines)
    while True:
        try:
            record = next(reader, None)
        except csv.Error as error:
            yield reader.line_num, Broken(f"{source.name}:{reader.line_num}", f"not CSV: {error}")
            continue
        if record is None:
            return
        yield reader.line_num, {key: value for key, value in record.items() if isinstance(key, str)}

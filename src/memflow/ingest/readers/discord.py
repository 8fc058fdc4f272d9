"""Discord: the JSON of DiscordChatExporter, a channel a file.

Written after the exporter itself (Tyrrrz/DiscordChatExporter, JsonMessageWriter.cs): `guild`,
`channel`, then `messages` with `type`, `timestamp` with a zone, `content`, `author`, `mentions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.identity import day_of
from memflow.ingest.readers.json_stream import OPENED, leaves
from memflow.ingest.readers.rows import (
    Broken,
    Origin,
    Row,
    Rows,
    first_label,
    kind_of,
    label,
    read_time,
    shown,
)
from memflow.types import NewTurn, Rejected, SessionKind

_WITHIN = {(): "{", ("messages",): "["}
_SAID = {"Default", "Reply"}
_MENTION = re.compile(r"<@!?([0-9]+)>")
_NAMES = ("nickname", "name")


def read_discord(source: Source, origin: Origin) -> Rows:
    """Sessions are `discord/<channel id>/<day>`, days those of UTC."""
    about: dict[str, Any] = {}
    number = 0
    for path, value in leaves(source.name, source.blocks(), _WITHIN):
        match path:
            case ("messages", "[]"):
                number += 1
                yield from _message(value, f"{source.name}, message {number}", about, origin)
            case ("messages",) if value is not OPENED:
                yield Broken(source.name, f"'messages' is {kind_of(value)}, expected a list")
            case () if value is not OPENED:
                yield Broken(source.name, f"expected an object, got {kind_of(value)}")
            case (str(key),):
                about[key] = value


def _message(
    message: object, where: str, about: Mapping[str, Any], origin: Origin
) -> Iterator[Row]:
    if not isinstance(message, Mapping):
        yield Broken(where, f"expected a message object, got {kind_of(message)}")
        return
    kind = message.get("type", "Default")
    if not isinstance(kind, str):
        yield Broken(where, f"'type' is {kind_of(kind)}, expected a text")
        return
    if kind not in _SAID:
        yield Rejected(where, f"a notice of Discord, not something said ({shown(kind)})")
        return
    author = message.get("author")
    speaker = first_label(author, _NAMES)
    if speaker is None or not isinstance(author, Mapping):
        yield Broken(where, "no 'author': who said it?")
        return
    if author.get("isBot") is True:
        yield Rejected(where, "written by a bot")
        return
    text = _text(message, where)
    if isinstance(text, Rejected):
        yield text
        return
    time, note = read_time(message.get("timestamp"), where, origin.zone)
    own = label(message.get("id"))
    key = f"{origin.prefix}discord/{_part(about, 'channel', 'id') or origin.stem}"
    yield NewTurn(
        text=text,
        session=f"{key}/{day_of(time)}",
        speaker=speaker,
        time=time,
        id=f"{key}/{own}" if own else None,
        source=origin.titled(_title(about)),
        kind=SessionKind.PEER,
    )
    if note is not None:
        yield note


def _title(about: Mapping[str, Any]) -> str:
    names = (_part(about, "guild", "name"), _part(about, "channel", "name"))
    return " / ".join(name for name in names if name)


def _part(about: Mapping[str, Any], what: str, key: str) -> str | None:
    return first_label(about.get(what), (key,))


def _text(message: Mapping[str, Any], where: str) -> str | Rejected:
    content = message.get("content")
    if not isinstance(content, str | None):
        return Broken(where, f"'content' is {kind_of(content)}, expected a text")
    mentioned = message.get("mentions")
    names = {
        label(one.get("id")): first_label(one, _NAMES)
        for one in (mentioned if isinstance(mentioned, list) else [])
        if isinstance(one, Mapping)
    }
    text = _MENTION.sub(lambda match: f"@{names.get(match[1]) or match[1]}", content or "")
    forwarded = message.get("forwardedMessage")
    passed_on = forwarded.get("content") if isinstance(forwarded, Mapping) else None
    if isinstance(passed_on, str) and passed_on.strip():
        text = f"{text}\n[forwarded]\n{passed_on}".lstrip("\n")
    attachments = message.get("attachments")
    files = [
        f"[file: {name}]" if (name := label(one.get("fileName"))) else "[file]"
        for one in (attachments if isinstance(attachments, list) else [])
        if isinstance(one, Mapping)
    ]
    if not text.strip():
        return Rejected(where, "media without words" if files else "no words in it")
    return "\n".join([text, *files])

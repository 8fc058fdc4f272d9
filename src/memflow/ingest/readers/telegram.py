"""Telegram Desktop's `result.json`: one chat, or all of an account.

Written after the exporter itself (telegramdesktop/tdesktop, export_output_json.cpp): a chat has
`name`, `type`, `id`, `messages`; a full export has `chats.list` and `left_chats.list` of such.
`date` is local without a zone, `date_unixtime` (since 2022) is the moment. The exporter writes
control characters as `\\x0B`, which is no JSON: they are read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.identity import day_of
from memflow.ingest.readers.json_stream import OPENED, Path, leaves
from memflow.ingest.readers.rows import Broken, Origin, Row, Rows, kind_of, label, read_time, shown
from memflow.types import NewTurn, Rejected, SessionKind

_LISTS = ("chats", "left_chats")
_WITHIN: Mapping[Path, str] = {(): "{", ("messages",): "["} | {
    (name, *below): opening
    for name in _LISTS
    for below, opening in {
        (): "{",
        ("list",): "[",
        ("list", "[]"): "{",
        ("list", "[]", "messages"): "[",
    }.items()
}
_ESCAPE = re.compile(r"\\(?:\\|x([0-9A-Fa-f]{2}))")
_UNFINISHED = re.compile(r"\\+(?:x[0-9A-Fa-f]?)?\Z")
_MEDIA = {
    "voice_message": "[audio]",
    "audio_file": "[audio]",
    "video_file": "[video]",
    "video_message": "[video]",
    "animation": "[video]",
    "sticker": "[image]",
}


class _Chats:
    """The chat whose messages are being read."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self.count = 0
        self.naive = False
        self._about: dict[str, Any] = {}

    def begin(self) -> None:
        self.count += 1
        self._about = {}

    def tell(self, key: str, value: object) -> None:
        self._about[key] = value

    @property
    def key(self) -> str:
        known = label(self._about.get("id")) or label(self._about.get("name"))
        return f"{self._origin.prefix}telegram/{known or f'{self._origin.stem}-{self.count}'}"

    @property
    def source(self) -> str:
        return self._origin.titled(self._about.get("name") or "Saved Messages")

    def message(self, value: object, where: str) -> Iterator[Row]:
        if not isinstance(value, Mapping):
            yield Broken(where, f"expected a message object, got {kind_of(value)}")
            return
        kind = value.get("type")
        if kind != "message":
            yield _other(kind, where)
            return
        speaker = label(value.get("from")) or label(value.get("from_id"))
        if speaker is None:
            yield Broken(where, "no 'from': who said it?")
            return
        text = _text(value, where)
        if isinstance(text, Rejected):
            yield text
            return
        moment = value.get("date_unixtime")
        exact = moment is not None
        time, note = read_time(moment if exact else value.get("date"), where, self._origin.zone)
        self.naive = self.naive or not exact
        own = label(value.get("id"))
        yield NewTurn(
            text=text,
            session=f"{self.key}/{day_of(time)}",
            speaker=speaker,
            time=time,
            id=f"{self.key}/{own}" if own else None,
            source=self.source,
            kind=SessionKind.PEER,
        )
        if note is not None:
            yield note


def read_telegram(source: Source, origin: Origin) -> Rows:
    """Sessions are `telegram/<chat id>/<day>`, days those of UTC."""
    chats = _Chats(origin)
    number = 0
    for path, value in leaves(source.name, _mended(source.blocks()), _WITHIN):
        match path:
            case () | (_, "list", "[]") if value is OPENED:
                chats.begin()
                number = 0
            case ("messages", "[]") | (_, "list", "[]", "messages", "[]"):
                number += 1
                yield from chats.message(
                    value, f"{source.name}, chat {chats.key}, message {number}"
                )
            case ("messages",) | (_, "list", "[]", "messages") if value is not OPENED:
                yield Broken(source.name, f"'messages' is {kind_of(value)}, expected a list")
            case (_, "list", "[]") | ():
                yield Broken(source.name, f"expected a chat object, got {kind_of(value)}")
            case (str(key),) | (_, "list", "[]", str(key)) if value is not OPENED:
                chats.tell(key, value)
    if chats.naive and (note := origin.zone_note()):
        yield note


def _other(kind: object, where: str) -> Rejected:
    if kind == "service":
        return Rejected(where, "a notice of Telegram, not something said")
    if kind == "unsupported":
        return Rejected(where, "a message that Telegram could not export")
    return Broken(where, f"unknown type of message {shown(kind)}")


def _text(message: Mapping[str, Any], where: str) -> str | Rejected:
    """The words; what is sent along is marked after them."""
    text = message.get("text")
    if text is None:
        text = message.get("text_entities")
    words = _joined(text, where)
    if isinstance(words, Rejected):
        return words
    poll = message.get("poll")
    if not words.strip() and isinstance(poll, Mapping) and isinstance(poll.get("question"), str):
        words = f"[poll] {poll['question']}"
    mark = _mark(message)
    if not words.strip():
        return Rejected(where, "media without words" if mark else "no words in it")
    forwarded = label(message.get("forwarded_from"))
    # Somebody else's words, passed on.
    before = [f"[forwarded from {forwarded}]"] if forwarded else []
    return "\n".join([*before, words, *([mark] if mark else [])])


def _joined(text: object, where: str) -> str | Rejected:
    if text is None:
        return ""
    if isinstance(text, str):
        return text
    if not isinstance(text, list):
        return Broken(where, f"'text' is {kind_of(text)}, expected a text or a list of parts")
    found: list[str] = []
    for number, part in enumerate(text, start=1):
        piece = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(piece, str):
            return Broken(where, f"part {number} of 'text' is {kind_of(part)} without a text")
        found.append(piece)
    return "".join(found)


def _mark(message: Mapping[str, Any]) -> str | None:
    if message.get("photo"):
        return "[image]"
    kind = message.get("media_type")
    if isinstance(kind, str) and kind in _MEDIA:
        return _MEDIA[kind]
    return "[file]" if message.get("file") or message.get("contact_information") else None


def _mended(blocks: Iterator[str]) -> Iterator[str]:
    r"""`\x0B` as `\u000B`, also where a block ends inside of it."""
    held = ""
    for block in blocks:
        text = held + block
        cut = _UNFINISHED.search(text)
        held = text[cut.start() :] if cut else ""
        yield _ESCAPE.sub(_as_json, text[: cut.start()] if cut else text)
    if held:
        yield held


def _as_json(match: re.Match[str]) -> str:
    return f"\\u00{match[1]}" if match[1] else match[0]

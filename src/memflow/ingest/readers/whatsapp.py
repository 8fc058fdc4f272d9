"""WhatsApp's text export: `WhatsApp Chat with Ana.txt`, or `_chat.txt` in a ZIP.

What the app itself says (encryption, joining, calls, "image omitted", deleted messages) is left
out. On iOS it is marked with U+200E whatever the language; on Android lines without a sender and
messages that are one pair of angle brackets are the app's. The few phrases below, in English,
Portuguese and Spanish, cover what carries no mark.

The export has neither ids nor zones. Ids are digests of chat, day, time as written, sender and
text; times are in the zone that the user names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from memflow.errors import InputError
from memflow.ingest.readers.files import Source, split_lines
from memflow.ingest.readers.identity import Digests
from memflow.ingest.readers.rows import Broken, Note, Origin, Row, Rows
from memflow.ingest.readers.whatsapp_lines import (
    APP,
    Decision,
    Opening,
    Order,
    decide,
    opening_of,
    plain,
    sender_and_body,
)
from memflow.types import NewTurn, Rejected, SessionKind

MAX_MESSAGE = 4_000_000  # characters: a file that goes on so long is no chat

_PIECE = 1 << 20
_CHAT_NAMES = re.compile(
    r"(?:whatsapp chat (?:with|-)|chat de whatsapp con|conversa do whatsapp com) (?P<name>.+)",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?:\s?\([0-9]{1,3}\)|\.txt)+\Z")
_OMITTED = re.compile(
    rf"\s*{APP}?\s*{APP}(?:<[^<>\n]{{3,200}}>"
    rf"|[^\n{APP}]{{2,30}} (?:omitted|omitid[oa]|ocultad[oa]))\s*\Z",
    re.IGNORECASE,
)
_ATTACHED = re.compile(r"[^\n/\\]{1,200}\.[A-Za-z0-9]{2,5} \([^()\n]{4,40}\)")
_BRACKETED = re.compile(r"<[^<>\n]{3,60}>")
_EDITED = re.compile(
    r"\s*<(?:This message was edited|Mensagem editada|Esta mensagem foi editada"
    r"|Se editó este mensaje|Editado)\.?>\s*\Z",
    re.IGNORECASE,
)
_DELETED = frozenset(
    {
        "this message was deleted",
        "you deleted this message",
        "mensagem apagada",
        "esta mensagem foi apagada",
        "você apagou esta mensagem",
        "apagou esta mensagem",
        "apagaste esta mensagem",
        "se eliminó este mensaje",
        "este mensaje fue eliminado",
        "eliminaste este mensaje",
    }
)
_NOTICE = "a notice of WhatsApp, not something said"
_MEDIA = "media without words"
_GONE = "a deleted message"


@dataclass(slots=True)
class _Chat:
    origin: Origin
    key: str
    order: Order
    digests: Digests

    def rows(self, opening: Opening, lines: list[str], where: str) -> Iterator[Row]:
        try:
            moment = opening.moment(self.order)
        except ValueError:
            yield Broken(where, f"no such date or time as {self.order}: '{opening.stamp}'")
            return
        found = sender_and_body("\n".join([opening.rest, *lines]))
        if found is None:
            yield Rejected(where, _NOTICE)
            return
        sender, body = found
        text = _words(body, bracketed=opening.bracketed)
        if isinstance(text, _Without):
            yield Rejected(where, text.reason)
            return
        day = moment.date().isoformat()
        yield NewTurn(
            text=text,
            session=f"{self.key}/{day}",
            speaker=sender,
            time=moment.replace(tzinfo=self.origin.zone),
            # As written: the id is the same even if the order of day and month comes out otherwise.
            id=f"{self.key}/{self.digests.next(day, opening.stamp, sender, text)}",
            source=self.origin.source,
            kind=SessionKind.PEER,
        )


@dataclass(frozen=True, slots=True)
class _Without:
    reason: str


def read_whatsapp(source: Source, origin: Origin) -> Rows:
    """Two passes: the first decides the order of day and month over the whole file."""
    with source.whole(limit=None) as file:
        decision = decide(
            opening
            for line in _lines(Source(source.name, _rewound(file)))
            if (opening := opening_of(line)) is not None
        )
        if decision is None:
            raise InputError(
                source.name,
                "no line begins with a date and time as WhatsApp writes them",
                mend="looked for '[12/03/23, 09:15:02] Ana: …' and '12/03/2023, 09:15 - Ana: …'",
            )
        again = Source(source.name, _rewound(file), source.meter)
        yield from _notes(origin, decision)
        yield from _rows(_lines(again), origin, decision)


def _notes(origin: Origin, decision: Decision) -> Iterator[Note]:
    if decision.doubt:
        text = f"day and month of the dates may be either way round: read as {decision.order}"
        yield Note(origin.name, text)
    if note := origin.zone_note():
        yield note


def _rows(lines: Iterator[str], origin: Origin, decision: Decision) -> Rows:
    chat = _Chat(origin, chat_key(origin), decision.order, Digests())
    opening: Opening | None = None
    more: list[str] = []
    where, size = origin.name, 0
    for number, line in enumerate(lines, start=1):
        found = opening_of(line)
        # Of the other kind: somebody pasted a stretch of another chat.
        if found is not None and opening is not None and found.bracketed != opening.bracketed:
            found = None
        if found is None:
            if opening is None:
                if line.strip():
                    yield Rejected(f"{origin.name}:{number}", "before the first message")
                continue
            size += len(line)
            if size <= MAX_MESSAGE:
                more.append(line)
            continue
        if opening is not None:
            yield from _closed(chat, opening, more, where, size)
        opening, more, size = found, [], 0
        where = f"{origin.name}:{number}"
    if opening is not None:
        yield from _closed(chat, opening, more, where, size)


def _closed(chat: _Chat, opening: Opening, more: list[str], where: str, size: int) -> Iterator[Row]:
    if size > MAX_MESSAGE:
        yield Broken(where, f"a message of more than {MAX_MESSAGE:,} characters")
    else:
        yield from chat.rows(opening, more, where)


def _words(body: str, *, bracketed: bool) -> str | _Without:
    """What the person wrote, verbatim but for marks that only steer the direction of writing."""
    if bracketed and body.startswith(APP):
        # A caption or the question of a poll may follow the app's line.
        note, *lines = body.split("\n")
        own = [line for line in lines if not line.startswith(APP)]
        if not "".join(own).strip():
            if _is_deleted(note):
                return _Without(_GONE)
            return _Without(_MEDIA if _OMITTED.fullmatch(note) else _NOTICE)
        body = "\n".join(own)
    kept = _EDITED.sub("", body)
    media = False
    if cut := _OMITTED.search(kept):
        kept, media = kept[: cut.start()], True
    first, feed, rest = kept.partition("\n")
    if _ATTACHED.fullmatch(plain(first).strip()):
        kept, media = rest if feed else "", True
    elif not bracketed and _BRACKETED.fullmatch(plain(kept).strip()):
        kept, media = "", True
    if _is_deleted(kept):
        return _Without(_GONE)
    text = plain(kept).strip()
    if not text:
        return _Without(_MEDIA if media else "no words in it")
    return f"{text}\n[file]" if media else text


def _is_deleted(text: str) -> bool:
    return plain(text).strip().rstrip(".").casefold() in _DELETED


def chat_key(origin: Origin) -> str:
    """The chat's name, without what a second download adds to the file's. `_chat.txt` is named
    for the folder or archive it is in."""
    if origin.chosen:
        return origin.chosen
    path = origin.name if origin.container is None else f"{origin.container}/{origin.stem}"
    names = [part for part in re.split(r"[/\\]", path) if part not in ("", ".", "..")]
    stems = [_AGAIN.sub("", name) for name in reversed(names)]
    stem = next((stem for stem in stems if stem.strip("_").casefold() != "chat"), origin.title)
    named = _CHAT_NAMES.fullmatch(stem)
    return f"whatsapp/{named['name'] if named else stem}"


def _lines(source: Source) -> Iterator[str]:
    for line in split_lines(source.blocks(), _PIECE):
        yield line.rstrip("\r\n")


def _rewound(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    return file

"""Odd and malformed files of every format, each with its documented outcome (docs/imports.md).

Good rows are kept, bad ones are reported with file and place, a file of which nothing can be read
is one error; nothing ever raises anything else.
"""

# ruff: noqa: E501 - a row of the table is a line, however long
from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memflow.errors import InputError
from memflow.ingest.readers import Broken, Format, Note, read_file
from memflow.types import NewTurn, Rejected
from tests.exporting import (
    EXPORTS,
    as_far_as_it_goes,
    contents,
    docx_of,
    pdf_of,
    rows_of,
    texts,
    turns,
    zip_of,
)

BOM = b"\xef\xbb\xbf"
LONG = "word " * 300_000
NO_TIME = "time not understood, kept without a time"


@dataclass(frozen=True)
class Odd:
    """`kept`: texts; `left`: parts of the reasons of rows left out; `bad`: of rows that cannot be
    read; `noted`: of notes; `error`: of the error that ended it. All in order, and all there are.
    """

    name: str
    file: str
    content: bytes | str
    kept: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    error: str | None = None
    format: str = "auto"

    @property
    def data(self) -> bytes:
        return self.content.encode() if isinstance(self.content, str) else self.content


# --------------------------------------------------------------------------- short hands


def gpt_message(**fields: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": ["good"]}
    message = {"id": "m", "author": {"role": "user"}, "create_time": 1.7e9, "content": content}
    return message | fields


def gpt(*messages: Any, **fields: Any) -> str:
    """A conversation in which each message follows the one before."""
    mapping = {
        str(place): {"id": str(place), "parent": str(place - 1), "message": message}
        for place, message in enumerate(messages)
    }
    about = {"id": "c", "title": "t", "mapping": mapping, "current_node": str(len(messages) - 1)}
    return json.dumps([about | fields])


GPT_GOOD = gpt_message()


def claude(*messages: Any, **fields: Any) -> str:
    return json.dumps([{"uuid": "c", "name": "n", "chat_messages": list(messages)} | fields])


def said(**fields: Any) -> dict[str, Any]:
    return {"uuid": "m", "sender": "human", "text": "good", "created_at": "2026-01-01"} | fields


def slack(*messages: Any) -> bytes:
    return zip_of({"users.json": "[]", "general/2026-03-02.json": json.dumps(messages)})


def posted(**fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": "good", "ts": "1772438400.000100"} | fields


def telegram(*messages: Any, **fields: Any) -> str:
    about = {"name": "n", "type": "personal_chat", "id": 1, "messages": list(messages)}
    return json.dumps(about | fields)


def sent(**fields: Any) -> dict[str, Any]:
    known = {"id": 1, "type": "message", "date_unixtime": "1769936460", "from": "A"}
    return known | {"from_id": "user1", "text": "good"} | fields


def discord(*messages: Any, **fields: Any) -> str:
    known = {"guild": {"id": "1", "name": "g"}, "channel": {"id": "2", "name": "c"}}
    return json.dumps(known | {"messages": list(messages)} | fields)


def wrote(**fields: Any) -> dict[str, Any]:
    known = {"id": "1", "type": "Default", "timestamp": "2026-02-10T18:00:00+00:00"}
    return known | {"content": "good", "author": {"id": "1", "name": "A"}} | fields


def owned(**fields: Any) -> dict[str, Any]:
    return {"ID": 1, "Timestamp": "2026-02-10 18:00:00", "Contents": "good"} | fields


CHAT = "13/03/2026, 09:15 - Ana: good\n"
CHAT_ZONE = ("times name no zone",)


def mail(body: bytes = b"good", /, **fields: str) -> bytes:
    known = {"Message-ID": "<1@x>", "From": "Ana <a@x.example>"}
    known["Date"] = "Mon, 2 Mar 2026 10:00:00 +0000"
    head = "".join(
        f"{key.replace('_', '-')}: {value}\n" for key, value in (known | fields).items() if value
    )
    return head.encode("utf-8", "surrogateescape") + b"\n" + body


def box(*messages: bytes) -> bytes:
    return b"".join(b"From - Mon Mar 02 09:00:00 2026\n" + each + b"\n\n" for each in messages)


def parts(boundary: str, *bodies: bytes) -> bytes:
    return b"".join(b"--%s\n%s\n" % (boundary.encode(), each) for each in bodies)


# --------------------------------------------------------------------------- the table

J = "conversations.json"
CHATGPT = [
    Odd("cut in the second", J, gpt(GPT_GOOD)[:-1] + ', {"id": "d", "mapp', kept=("good",), error="not valid JSON"),
    Odd("no list, one conversation", J, gpt(GPT_GOOD)[1:-1], kept=("good",)),
    Odd("with a mark", J, BOM + gpt(GPT_GOOD).encode(), kept=("good",)),
    Odd("UTF-16", J, gpt(GPT_GOOD).encode("utf-16"), kept=("good",)),
    Odd("UTF-16 without a mark", J, gpt(GPT_GOOD).encode("utf-16-le"), error="zero byte at 1"),
    Odd("Latin-1", J, gpt(gpt_message(id="caf")).replace("good", "caf\xe9").encode("latin-1"), error="not valid UTF-8 at byte"),
    Odd("mapping a list", J, '[{"mapping": []}]', bad=("'mapping' is a list, expected an object",)),
    Odd("mapping empty", J, gpt(), left=("a conversation without messages",)),
    Odd("nodes of wrong kinds", J, gpt(7, GPT_GOOD), kept=("good",), bad=("expected a message object, got a number",)),
    Odd("no author", J, gpt(gpt_message(author=None), GPT_GOOD), kept=("good",), bad=("the author's 'role' is null",)),
    Odd("unknown role", J, gpt(gpt_message(author={"role": "ghost"})), bad=('unknown role "ghost"',)),
    Odd("no content", J, gpt(gpt_message(content=None), GPT_GOOD), kept=("good",), bad=("'content' is null",)),
    Odd("parts a text", J, gpt(gpt_message(content={"parts": "x"})), bad=("'parts' is a text, expected a list",)),
    Odd("a number among the parts", J, gpt(gpt_message(content={"parts": ["a", 3]})), bad=("part 2 is a number",)),
    Odd("only an image", J, gpt(gpt_message(content={"parts": [{"content_type": "image_asset_pointer"}]}), GPT_GOOD), kept=("good",), left=("an image without words",)),
    Odd("unknown kind of content", J, gpt(gpt_message(content={"content_type": "hologram", "parts": []})), left=('of an unknown kind, "hologram"',)),
    Odd("time a text", J, gpt(gpt_message(create_time="soon")), kept=("good",), noted=(NO_TIME,)),
    Odd("time beyond the calendar", J, gpt(gpt_message(create_time=1e300)), kept=("good",), noted=(NO_TIME,)),
    Odd("huge text", J, gpt(gpt_message(content={"parts": [LONG]})), kept=(LONG,)),
    Odd("half a surrogate pair", J, gpt(gpt_message(content={"parts": ["a\ud800"]})), kept=("a\ud800",)),
    Odd("a node that is its own parent", J, gpt(GPT_GOOD, mapping={"0": {"parent": "0", "message": GPT_GOOD}}), kept=("good",)),
    Odd("current node unknown", J, gpt(GPT_GOOD, current_node="x"), kept=("good",), noted=("no 'current_node'",)),
    Odd("numbers as ids", J, gpt(gpt_message(id=5), id=7), kept=("good",)),
    Odd("nested too deeply", J, '[{"mapping": ' + "[" * 200_000, error="nested too deeply"),
]  # fmt: skip
CLAUDE = [
    Odd("messages an object", J, claude(chat_messages={}), bad=("'chat_messages' is an object",)),
    Odd("messages of wrong kinds", J, claude(None, said(), "x"), kept=("good",), bad=("got null", "got a text")),
    Odd("no sender", J, claude(said(sender=None), said()), kept=("good",), bad=("'sender' is null",)),
    Odd("unknown sender", J, claude(said(sender="ghost")), bad=('unknown sender "ghost"',)),
    Odd("no text at all", J, claude({"sender": "human"}), bad=("no 'text' and no 'content'",)),
    Odd("text a number", J, claude(said(text=4)), bad=("'text' is a number",)),
    Odd("blank text", J, claude(said(text=" \n"), said()), kept=("good",), left=("no words in it",)),
    Odd("block of a wrong kind", J, claude(said(content=[3])), bad=("block 1 of 'content' is a number",)),
    Odd("block without text", J, claude(said(content=[{"type": "text"}])), bad=("has no text",)),
    Odd("attachments of wrong kinds", J, claude(said(attachments=[3, {"extracted_content": 4}], files="x")), kept=("good",)),
    Odd("only an attachment", J, claude(said(text="", attachments=[{"extracted_content": "inside"}])), kept=("inside",)),
    Odd("bad date", J, claude(said(created_at="yesterday")), kept=("good",), noted=(NO_TIME,)),
    Odd("cut", J, claude(said(), said(uuid="n"))[:-40], error="not valid JSON"),
]  # fmt: skip
SLACK = [
    Odd("day no list", "s.zip", zip_of({"users.json": "[]", "general/2026-03-02.json": "7"}), bad=("expected a message object, got a number",)),
    Odd("people broken", "s.zip", zip_of({"users.json": "[{", "general/2026-03-02.json": json.dumps([posted()])}), kept=("good",), bad=("not valid JSON",)),
    Odd("people an object", "s.zip", zip_of({"users.json": "{}", "general/2026-03-02.json": json.dumps([posted()])}), kept=("good",), bad=("expected a list, got an object",)),
    Odd("person of a wrong kind", "s.zip", zip_of({"users.json": '["x"]', "general/2026-03-02.json": json.dumps([posted()])}), kept=("good",), bad=("expected an object, got a text",)),
    Odd("messages of wrong kinds", "s.zip", slack(None, posted()), kept=("good",), bad=("got null",)),
    Odd("nobody", "s.zip", slack(posted(user=None), posted()), kept=("good",), bad=("no 'user'",)),
    Odd("text a number", "s.zip", slack(posted(text=3)), bad=("'text' is a number",)),
    Odd("no ts", "s.zip", slack(posted(ts=None), posted()), kept=("good", "good")),
    Odd("ts no time", "s.zip", slack(posted(ts="soon")), kept=("good",), noted=(NO_TIME,)),
    Odd("unknown subtype", "s.zip", slack(posted(subtype=["x"])), left=('a notice of Slack, not something said (["x"])',), error="nothing to read"),
    Odd("an event", "s.zip", slack(posted(type="reaction_added"), posted()), kept=("good",), left=("an event of Slack",)),
]  # fmt: skip
WHATSAPP = [
    Odd("no chat", "c.txt", "words only\n", error="as WhatsApp writes them", format="whatsapp"),
    Odd("one line", "c.txt", CHAT, kept=("good",), noted=CHAT_ZONE),
    Odd("with a mark", "c.txt", BOM + CHAT.encode(), kept=("good",), noted=CHAT_ZONE),
    Odd("UTF-16", "c.txt", CHAT.encode("utf-16"), kept=("good",), noted=CHAT_ZONE),
    Odd("Latin-1", "c.txt", f"{CHAT}13/03/2026, 09:16 - Jos\xe9: x\n".encode("latin-1"), error="not valid UTF-8 at byte"),
    Odd("line ends of Windows", "c.txt", CHAT.replace("\n", "\r\n") * 2, kept=("good", "good"), noted=CHAT_ZONE),
    Odd("no line end", "c.txt", CHAT.rstrip(), kept=("good",), noted=CHAT_ZONE),
    Odd("words before the first", "c.txt", f"x\n{CHAT}", kept=("good",), left=("before the first message",), noted=CHAT_ZONE, format="whatsapp"),
    Odd("no such day", "c.txt", f"{CHAT}31/02/2026, 09:15 - Ana: never\n", kept=("good",), bad=("no such date or time as day/month/year: '31/02/2026 09:15'",), noted=CHAT_ZONE),
    Odd("no such hour", "c.txt", f"{CHAT}13/03/2026, 29:15 - Ana: never\n", kept=("good",), bad=("no such date or time",), noted=CHAT_ZONE),
    Odd("hour 13 PM", "c.txt", "13/03/2026, 13:15 PM - Ana: x\n", bad=("no such date",), noted=CHAT_ZONE),
    Odd("both orders", "c.txt", f"{CHAT}{CHAT}03/14/2026, 09:15 - Ana: x\n", kept=("good", "good"), bad=("day/month/year",), noted=CHAT_ZONE),
    Odd("either order", "c.txt", "05/03/2026, 09:15 - Ana: good\n", kept=("good",), noted=("either way round", *CHAT_ZONE)),
    Odd("empty message", "c.txt", f"{CHAT}13/03/2026, 09:16 - Ana: \n", kept=("good",), left=("no words in it",), noted=CHAT_ZONE),
    Odd("only notices", "c.txt", f"{CHAT.split('Ana')[0]}Ana left\n", left=("a notice of WhatsApp",), noted=CHAT_ZONE, format="whatsapp"),
]  # fmt: skip
T = "result.json"
TELEGRAM = [
    Odd("messages an object", T, '{"type": "x", "id": 1, "messages": {"from_id": 1}}', bad=("'messages' is an object",)),
    Odd("no messages", T, telegram(about='"from_id"'), error="no messages in it", format="telegram"),
    Odd("messages of wrong kinds", T, telegram(4, sent()), kept=("good",), bad=("got a number",)),
    Odd("unknown type", T, telegram(sent(type="dream")), bad=('unknown type of message "dream"',)),
    Odd("nobody", T, telegram(sent(**{"from": None, "from_id": None})), bad=("no 'from'",)),
    Odd("text an object", T, telegram(sent(text={"a": 1})), bad=("'text' is an object",)),
    Odd("part of a wrong kind", T, telegram(sent(text=["a", 3])), bad=("part 2 of 'text'",)),
    Odd("part without text", T, telegram(sent(text=[{"type": "bold"}])), bad=("without a text",)),
    Odd("no text", T, telegram(sent(text=""), sent()), kept=("good",), left=("no words in it",)),
    Odd("bad moment", T, telegram(sent(date_unixtime="x")), kept=("good",), noted=(NO_TIME,)),
    Odd("no date", T, telegram(sent(date_unixtime=None)), kept=("good",), noted=("times name no zone",)),
    Odd("cut", T, telegram(sent(), sent(text="lost"))[:-30], kept=("good",), error="not valid JSON"),
    Odd("chats of wrong kinds", T, '{"about": "x", "chats": {"list": [3, {"id": 1, "messages": []}]}}', bad=("expected a chat object, got a number",)),
    Odd("chats a text", T, '{"about": "x", "chats": "none"}', error="no messages in it"),
    Odd("key without a value", T, '{"about": "x", "chats": {"list": [}', error="not valid JSON"),
]  # fmt: skip
D = "channel.json"
DISCORD = [
    Odd("messages a text", D, discord(messages="x"), bad=("'messages' is a text",)),
    Odd("messages of wrong kinds", D, discord([], wrote()), kept=("good",), bad=("got a list",)),
    Odd("nobody", D, discord(wrote(author=None), wrote()), kept=("good",), bad=("no 'author'",)),
    Odd("content a list", D, discord(wrote(content=["x"])), bad=("'content' is a list",)),
    Odd("type a number", D, discord(wrote(type=0)), bad=("'type' is a number",)),
    Odd("bad date", D, discord(wrote(timestamp="5/8/2023")), kept=("good",), noted=(NO_TIME,)),
    Odd("no channel", D, discord(wrote(), channel=None), kept=("good",)),
    Odd("mentions of wrong kinds", D, discord(wrote(content="<@5> hi", mentions=[3, {"id": 5}])), kept=("@5 hi",)),
    Odd("cut", D, discord(wrote(), wrote())[:-9], kept=("good",), error="not valid JSON"),
    Odd("not an object", D, "[1]", bad=("expected an object, got a list",), format="discord"),
]  # fmt: skip
PACKAGE = [
    Odd("no contents", "messages.json", json.dumps([{"ID": 1, "Timestamp": "x"}]), bad=("no 'Contents'",), format="discord-package"),
    Odd("contents a number", "messages.json", json.dumps([owned(Contents=5)]), kept=("5",)),
    Odd("contents a list", "messages.json", json.dumps([owned(), owned(Contents=[])]), kept=("good",), bad=("'Contents' is a list",)),
    Odd("bad date", "messages.json", json.dumps([owned(Timestamp="x")]), kept=("good",), noted=(NO_TIME,)),
    Odd("short row", "messages.csv", "ID,Timestamp,Contents,Attachments\n1,2026-02-10 18:00:00,good\n2\n", kept=("good",), left=("no words in it",)),
    Odd("row too long", "messages.csv", "ID,Timestamp,Contents\n1,2026-02-10 18:00:00,good,a,b,c\n", kept=("good",)),
    Odd("quote never closed", "messages.csv", 'ID,Timestamp,Contents\n1,2026-02-10 18:00:00,"good\n', kept=("good\n",)),
    Odd("zero bytes", "messages.csv", "ID,Timestamp,Contents\n1,2026-02-10 18:00:00,go\0od\n", error="zero byte"),
]  # fmt: skip
MAIL = [
    Odd("no header", "m.eml", "just words", error="does not begin like an e-mail"),
    Odd("nobody", "m.eml", mail(From=""), bad=("no 'From'",), format="eml"),
    Odd("no body", "m.eml", mail(b""), left=("no words in it",)),
    Odd("only a subject", "m.eml", mail(b"", Subject="Lunch?"), kept=("Lunch?",)),
    Odd("subject in no charset", "m.eml", mail(Subject="=?nonsense?B?eA==?="), kept=("=?nonsense?B?eA==?=\n\ngood",)),
    Odd("subject cut in its code", "m.eml", mail(Subject="=?UTF-8?B?T3?= x"), kept=("O x\n\ngood",)),
    Odd("header in Latin-1", "m.eml", mail().replace(b"Ana", b"Jos\xe9"), kept=("good",)),
    Odd("body not of its charset", "m.eml", mail(b"caf\xe9"), kept=("caf\xe9",), noted=("not of the character set",)),
    Odd("bad base64", "m.eml", mail(b"!!!", Content_Transfer_Encoding="base64"), left=("no words in it",)),
    Odd("parts without a boundary", "m.eml", mail(Content_Type="multipart/mixed"), kept=("good",)),
    Odd("parts never closed", "m.eml", mail(parts("b", b"Content-Type: text/plain\n\ngood"), Content_Type='multipart/mixed; boundary="b"'), kept=("good",)),
    Odd("bad date", "m.eml", mail(Date="soon"), kept=("good",), noted=(NO_TIME,)),
    Odd("no date", "m.eml", mail(Date=""), kept=("good",), noted=("no 'Date'",)),
    Odd("mailbox cut in a header", "m.mbox", box(mail()) + b"From - Mon Mar 02 09:00:00 2026\nFrom: B", kept=("good",), left=("no words in it",)),
    Odd("one of nobody", "m.mbox", box(mail(From=""), mail()), kept=("good",), bad=("no 'From'",)),
    Odd("only separators", "m.mbox", "From - Mon Mar 02 09:00:00 2026\n", error="does not begin like an e-mail"),
    Odd("line ends of Windows", "m.mbox", box(mail()).replace(b"\n", b"\r\n"), kept=("good",)),
]  # fmt: skip
LINES = [
    Odd("log without messages", "l.jsonl", '{"request": {"messages": []}}\n', left=("a conversation without messages",)),
    Odd("log of wrong kinds", "l.jsonl", '{"request": {"messages": 3}}\n{"request": {"messages": [7]}}\n', bad=("are a number, expected a list", "got a number")),
    Odd("log with a bad reply", "l.jsonl", '{"body": {"messages": [{"role": "user", "content": "good"}]}, "response": {"body": {"choices": [{"message": 3}]}}}\n', kept=("good",), bad=("got a number",)),
]  # fmt: skip
DOCUMENTS = [
    Odd("front matter never closed", "n.md", "---\ntitle: x\ngood", kept=("---\ntitle: x\ngood",)),
    Odd("front matter alone", "n.md", "---\ntitle: x\n---\n", error="no text in it"),
    Odd("front matter date of no kind", "n.md", "---\ncreated: someday\n---\ngood", kept=("good",), noted=(NO_TIME,)),
    Odd("named for no day", "2026-99-99.md", "good", kept=("good",)),
    Odd("empty", "n.md", "", error="the file is empty"),
    Odd("PDF of nothing", "d.pdf", "%PDF-1.4\n", error="not a readable PDF"),
    Odd("PDF of junk", "d.pdf", b"%PDF-1.4\n" + bytes(range(256)) * 40, error="not a readable PDF"),
    Odd("PDF named text", "d.txt", pdf_of("good"), kept=("good",)),
    Odd("PDF as text", "d.pdf", pdf_of("good"), error="looks like a PDF", format="text"),
    Odd("text as PDF", "d.txt", "words", error="not a readable PDF", format="pdf"),
    Odd("text as DOCX", "d.txt", "words", error="not a readable DOCX", format="docx"),
    Odd("DOCX cut", "d.docx", docx_of("good")[:-50], error="damaged or incomplete"),
    Odd("DOCX encrypted", "d.docx", b"\xd0\xcf\x11\xe0" + bytes(600), error="old or encrypted Office"),
    Odd("DOCX without a body", "d.docx", zip_of({"[Content_Types].xml": "<x/>"}), left=("not told apart: its name ends in .xml",), error="nothing to read in the archive"),
]  # fmt: skip
ARCHIVES = [
    Odd("empty archive", "a.zip", zip_of({}), error="an empty ZIP archive"),
    Odd("archive of pictures", "a.zip", zip_of({"a.png": b"\x89PNG\r\n"}), left=("looks like a PNG image",), error="nothing to read in the archive"),
    Odd("archive of an empty file", "a.zip", zip_of({"a.md": "", "b.md": "good"}), kept=("good",), left=("the file is empty",)),
    Odd("paths that lead out", "a.zip", zip_of({"../../a.md": "x", "/b.md": "good"}), kept=("good",)),
    Odd("archive cut", "a.zip", zip_of({"a.md": "good"})[:40], error="damaged or incomplete"),
    Odd("archive that is none", "a.zip", "PK\x03\x04 words", error="damaged or incomplete"),
]  # fmt: skip
TABLE = {
    "chatgpt": CHATGPT,
    "claude": CLAUDE,
    "slack": SLACK,
    "whatsapp": WHATSAPP,
    "telegram": TELEGRAM,
    "discord": DISCORD,
    "discord-package": PACKAGE,
    "mail": MAIL,
    "lines": LINES,
    "documents": DOCUMENTS,
    "archives": ARCHIVES,
}
ROWS = [pytest.param(odd, id=f"{kind}: {odd.name}") for kind, odds in TABLE.items() for odd in odds]


@pytest.mark.parametrize("odd", ROWS)
def test_odd_input(odd: Odd, tmp_path: Path) -> None:
    path = tmp_path / odd.file
    path.write_bytes(odd.data)
    rows, error = as_far_as_it_goes(path, format=odd.format)
    found = {
        "kept": texts(rows),
        "left": [r.reason for r in rows if isinstance(r, Rejected) and not isinstance(r, Broken)],
        "bad": [row.reason for row in rows if isinstance(row, Broken)],
        "noted": [row.text for row in rows if isinstance(row, Note)],
    }
    assert (error is None) == (odd.error is None), (error, found)
    if odd.error is not None:
        assert odd.error in str(error)
        assert str(path) in str(error)
    assert found["kept"] == list(odd.kept)
    for kind, expected in (("left", odd.left), ("bad", odd.bad), ("noted", odd.noted)):
        assert len(found[kind]) == len(expected), (kind, found)
        for part, text in zip(expected, found[kind], strict=True):
            assert part in text
    # Every row that is no turn names the file.
    assert all(str(path) in row.where for row in rows if not isinstance(row, NewTurn))


def test_there_are_enough_of_them() -> None:
    assert sum(map(len, TABLE.values())) >= 60


# --------------------------------------------------------------------------- properties

RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FILES = {
    "chatgpt/conversations.json": Format.CHATGPT,
    "claude/conversations.json": Format.CLAUDE,
    "slack/general/2026-03-02.json": Format.SLACK,
    "telegram_full.json": Format.TELEGRAM,
    "discord_channel.json": Format.DISCORD,
    "discord-package/messages/c700100200300400500/messages.json": Format.DISCORD_PACKAGE,
    "calls.jsonl": Format.MESSAGES_JSONL,
    "whatsapp/_chat.txt": Format.WHATSAPP,
    "letters.mbox": Format.MBOX,
    "discord-package/messages/c700100200300400501/messages.csv": Format.DISCORD_PACKAGE,
}
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1.5, "", "x", [], {}, [None], {"a": 1}, 1e308, [[]]]
)


def from_bytes(data: bytes, format: str) -> list[Any]:
    rows: list[Any] = []
    with suppress(InputError):  # refused, and nothing else raised
        rows.extend(read_file("-", stdin=io.BytesIO(data), format=format))
    return rows


def places(value: Any) -> list[Callable[[Any], None]]:
    """For each value within, how to put another in its place."""
    found: list[Callable[[Any], None]] = []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:

        def put(other: Any, key: Any = key) -> None:
            value[key] = other

        found.append(put)
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


@RELAXED
@given(st.sampled_from([name for name in FILES if name.endswith(".json")]), st.data())
def test_a_wrong_value_anywhere_is_read_or_reported(name: str, data: st.DataObject) -> None:
    value = json.loads((EXPORTS / name).read_text(encoding="utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        put = data.draw(st.sampled_from(places(value)))
        put(deepcopy(data.draw(JUNK)))
    from_bytes(json.dumps(value).encode(), FILES[name])


@RELAXED
@given(st.sampled_from(list(FILES)), st.floats(0, 1))
def test_a_truncated_export_keeps_a_beginning(name: str, share: float) -> None:
    data = (EXPORTS / name).read_bytes()
    whole = turns(from_bytes(data, FILES[name]))
    cut = turns(from_bytes(data[: int(len(data) * share)], FILES[name]))
    # The last message of a text may have lost its end.
    kept = cut[:-1] if name.endswith((".txt", ".mbox", ".csv")) else cut
    # What people told of themselves comes last, of whole conversations only.
    said = [turn.text for turn in whole if "instructions" not in turn.session]
    assert [turn.text for turn in kept if "instructions" not in turn.session] == said[
        : len([turn for turn in kept if "instructions" not in turn.session])
    ]


@RELAXED
@given(st.sampled_from(list(FILES)), st.data())
def test_flipped_bytes_are_read_or_refused(name: str, data: st.DataObject) -> None:
    content = bytearray((EXPORTS / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    from_bytes(bytes(content), FILES[name])
    from_bytes(bytes(content), "auto")


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(["pdf", "docx", "zip"]), st.data())
def test_damaged_documents_are_read_or_refused(kind: str, data: st.DataObject) -> None:
    made = {
        "pdf": lambda: pdf_of("one page", "two pages"),
        "docx": lambda: docx_of("a line", table=[["a", "b"]]),
        "zip": lambda: zip_of(contents("slack")),
    }
    content = bytearray(made[kind]())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    from_bytes(bytes(content[: data.draw(st.integers(1, len(content)))]), "auto")


def test_the_fixtures_themselves_are_whole() -> None:
    for name in FILES:
        assert not [row for row in rows_of(name) if isinstance(row, Broken)], name

"""E-mail: mailboxes (mbox, as Thunderbird and Google Takeout write them) and .eml files.

A thread is a session: it is named for the first message that `References` names (RFC 5322 3.6.4),
else for `In-Reply-To`, else for the message itself. A turn's id is the Message-ID.
"""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import Message
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.identity import Digests
from memflow.ingest.readers.mail_signs import is_from_line
from memflow.ingest.readers.mail_text import body_of, header
from memflow.ingest.readers.rows import Broken, Note, Origin, Row, Rows, read_time
from memflow.text import clip
from memflow.types import NewTurn, Rejected, SessionKind

MAX_MAIL = 64 * 1024 * 1024  # bytes of one message with all that is attached

_ID = re.compile(r"<([^<>\s]+)>")
_ESCAPED = re.compile(rb">+From ")


def read_mbox(source: Source, origin: Origin) -> Rows:
    """All messages; one that cannot be read is Broken, the others are kept."""
    digests = Digests()
    naive = False
    for number, data in enumerate(_messages(source), start=1):
        where = f"{source.name}, message {number}"
        if data is None:
            yield Broken(where, f"a message of more than {MAX_MAIL >> 20} MB")
            continue
        for row in mail_rows(data, where, origin, digests):
            naive = naive or (isinstance(row, NewTurn) and _is_naive(data))
            yield row
    if naive and (note := origin.zone_note()):
        yield note


def read_eml(source: Source, origin: Origin) -> Rows:
    """One message."""
    data = b"".join(source.byte_lines())
    if len(data) > MAX_MAIL:
        yield Broken(source.name, f"a message of more than {MAX_MAIL >> 20} MB")
        return
    yield from mail_rows(data, source.name, origin, Digests())


def mail_rows(data: bytes, where: str, origin: Origin, digests: Digests) -> Rows:
    """The turn of one message, or why there is none."""
    try:
        rows: list[Row] = list(_mail_rows(data, where, origin, digests))
    except (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError) as e:
        # The library trusts parameters and nested parts more than it should.
        rows = [Broken(where, f"a message that cannot be taken apart: {clip(str(e), 100)}")]
    yield from rows


def _mail_rows(data: bytes, where: str, origin: Origin, digests: Digests) -> Rows:
    message = email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf"), policy=compat32)
    name, address = parseaddr(header(message, "From"))
    speaker = name.strip() or address.strip()
    if not speaker:
        yield Broken(where, "no 'From': who wrote it?")
        return
    subject = header(message, "Subject")
    body, lost = body_of(message)
    answered = _ID.findall(header(message, "References")) or _ID.findall(
        header(message, "In-Reply-To")
    )
    # What is answered has the subject already.
    text = body if answered or not subject else f"{subject}\n\n{body}".strip()
    if not text:
        yield Rejected(where, "no words in it")
        return
    time, note = _time(message, where, origin)
    own = next(iter(_ID.findall(header(message, "Message-ID"))), None)
    own = own or digests.next(time, address, subject, text)
    thread = answered[0] if answered else own
    yield NewTurn(
        text=text,
        session=f"{origin.prefix}mail/{clip(thread, 200)}",
        speaker=speaker,
        time=time,
        id=f"{origin.prefix}mail/{own}",
        source=origin.titled(subject),
        kind=SessionKind.PEER,
    )
    if note is not None:
        yield note
    if lost:
        yield Note(where, "its bytes are not of the character set it names: some letters are wrong")


def _time(message: Message, where: str, origin: Origin) -> tuple[datetime | None, Note | None]:
    raw = header(message, "Date")
    if not raw:
        return None, Note(where, "no 'Date': kept without a time")
    try:
        moment = parsedate_to_datetime(raw)
    except (ValueError, TypeError, IndexError, OverflowError):
        return read_time(raw, where, origin.zone)
    try:
        moment = moment if moment.tzinfo else moment.replace(tzinfo=origin.zone)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None, Note(where, f"time not understood, kept without a time: {clip(raw, 100)}")
    return moment, None


def _is_naive(data: bytes) -> bool:
    # "-0000" says that the zone is not known (RFC 5322 3.3).
    return re.search(rb"^date:.*-0000\s*$", data[:65536], re.IGNORECASE | re.MULTILINE) is not None


def _messages(source: Source) -> Iterator[bytes | None]:
    """Messages without their "From " lines; None for one that is too large.

    A "From " line begins a message at the start of the file and after a blank line; in the text of
    a message it is written ">From ".
    """
    held: list[bytes] = []
    size = 0
    blank, begun = True, False
    for line in source.byte_lines():
        if blank and is_from_line(line):
            if begun:
                yield b"".join(held) if size <= MAX_MAIL else None
            held, size, begun, blank = [], 0, True, False
            continue
        begun = begun or bool(line.strip())
        size += len(line)
        if size <= MAX_MAIL:
            held.append(line[1:] if _ESCAPED.match(line) else line)
        blank = not line.strip(b"\r\n")
    if begun:
        yield b"".join(held) if size <= MAX_MAIL else None

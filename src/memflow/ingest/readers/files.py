"""Bytes into text: opening, encodings, and limits that keep memory bounded.

UTF-8 is expected; a byte-order mark tells UTF-16 and UTF-32. Other encodings are not guessed,
since a wrong guess stores wrong words without anybody noticing.
"""

from __future__ import annotations

import codecs
import difflib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from memflow.errors import InputError
from memflow.ingest.readers.watching import Meter

HEAD = 64 * 1024  # bytes looked at to detect the format
BLOCK = 256 * 1024  # bytes read at once
MAX_LINE = 64 * 1024 * 1024  # bytes of one line of a JSON-lines file
MAX_WHOLE = 512 * 1024 * 1024  # bytes of a file that can only be read as a whole

_SPOOLED = 16 * 1024 * 1024

_BY_FEED = re.compile(r"[^\n]*\n|[^\n]+")
_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def encoding_of(head: bytes) -> tuple[str, int]:
    """The encoding and the length of the mark that tells it; UTF-8 without one."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


class Stream(Protocol):
    """As much of a binary file as a source needs."""

    def read(self, size: int, /) -> bytes: ...


class Source:
    """An opened file: its first bytes, then all of it, once, as blocks or lines."""

    def __init__(self, name: str, stream: Stream, meter: Meter | None = None) -> None:
        self.name = name
        self.meter = meter
        self._file = stream
        self._stream: Stream = _Metered(stream, meter) if meter is not None else stream
        self.head = _fill(self._stream, HEAD)
        self.encoding, self._mark = encoding_of(self.head)

    @property
    def beginning(self) -> str:
        """The text of the first bytes; what is not of the encoding is left out."""
        return self.head[self._mark :].decode(self.encoding, "ignore")

    def blocks(self) -> Iterator[str]:
        """Raises InputError at the first byte that is not of the encoding; what was good before
        it in the same block is yielded first."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        block, at = self.head[self._mark :], self._mark
        while True:
            pending = len(decoder.getstate()[0])
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                good = error.object[: error.start].decode(self.encoding, "ignore")
                if good:
                    yield good
                raise _undecodable(self.name, self.encoding, at - pending + error.start) from None
            if text:
                yield text
            if not block:
                return
            at += len(block)
            block = self._stream.read(BLOCK)

    def lines(self) -> Iterator[tuple[int, str | InputError]]:
        """Numbered from 1, without their line feed. In a UTF-8 file a line that is too long or
        holds a wrong byte comes as the error it is, and the next line is read all the same."""
        if self.encoding != "utf-8":
            for number, text in enumerate(split_lines(self.blocks(), MAX_LINE), start=1):
                yield number, text.rstrip("\r\n")
            return
        stream = _Replayed(self.head[self._mark :], self._stream)
        at = self._mark
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            where = f"{self.name}:{number}"
            start, at = at, at + len(line)
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                    at += len(rest)
                at += len(rest)
                yield number, InputError(where, f"a line of more than {MAX_LINE >> 20} MB")
                continue
            try:
                yield number, line.decode().rstrip("\r\n")
            except UnicodeDecodeError as error:
                yield number, _undecodable(where, "utf-8", start + error.start)

    def byte_lines(self) -> Iterator[bytes]:
        """Lines as they are, with their ends; those beyond MAX_LINE come in pieces."""
        stream = _Replayed(self.head, self._stream)
        while line := stream.readline(MAX_LINE):
            yield line

    @contextmanager
    def whole(self, limit: int | None = MAX_WHOLE) -> Iterator[BinaryIO]:
        """All bytes in a file one can seek in: the file itself, or a copy outside memory.

        Raises InputError beyond `limit` bytes.
        """
        if isinstance(self._file, io.BufferedReader) and self._file.seekable():
            size = os.fstat(self._file.fileno()).st_size
            self._check(size, limit)
            if self.meter is not None and limit is not None:  # else it is read by its parts
                self.meter.add(size - len(self.head))
            self._file.seek(0)
            yield self._file
            return
        with tempfile.SpooledTemporaryFile(_SPOOLED) as copy:
            copy.write(self.head)
            while block := self._stream.read(BLOCK):
                copy.write(block)
                self._check(copy.tell(), limit)
            copy.seek(0)
            yield cast(BinaryIO, copy)

    def _check(self, size: int, limit: int | None) -> None:
        if limit is not None and size > limit:
            reason = f"larger than {limit >> 20} MB, and of a kind that is read as a whole"
            raise InputError(self.name, reason, mend="divide it")


@contextmanager
def opened(
    name: str, stdin: BinaryIO | None = None, meter: Meter | None = None
) -> Iterator[Source]:
    """The file of that name, or standard input for "-". Raises InputError when there is none."""
    if name == "-":
        yield Source("stdin", stdin if stdin is not None else sys.stdin.buffer, meter)
        return
    path = Path(name)
    try:
        if path.is_dir():
            raise InputError(name, "is a folder", mend="name the files in it")
        stream = path.open("rb")
    except FileNotFoundError:
        raise InputError(name, "no such file", mend=_near(path)) from None
    except (OSError, ValueError) as error:
        # ValueError: a name with a NUL in it.
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(name, f"cannot be opened: {reason}") from error
    with stream:
        yield Source(name, stream, meter)


def split_lines(blocks: Iterator[str], limit: int) -> Iterator[str]:
    """Lines with their line feed; those of more than `limit` characters come in pieces."""
    parts: list[str] = []
    size = 0
    for block in blocks:
        # Not str.splitlines, which also splits at signs that are part of a text.
        for line in _BY_FEED.findall(block):
            parts.append(line)
            size += len(line)
            if line.endswith("\n") or size > limit:
                yield "".join(parts)
                parts, size = [], 0
    if parts:
        yield "".join(parts)


class _Replayed(io.BufferedReader):
    """The bytes already read, then the rest of the stream, which stays open."""

    def __init__(self, head: bytes, stream: Stream) -> None:
        super().__init__(_Chain(head, stream), BLOCK)


class _Chain(io.RawIOBase):
    def __init__(self, head: bytes, stream: Stream) -> None:
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


class _Metered:
    def __init__(self, stream: Stream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def read(self, size: int, /) -> bytes:
        block = self._stream.read(size)
        self._meter.add(len(block))
        return block


def _fill(stream: Stream, size: int) -> bytes:
    """A pipe gives less than was asked for; the head is to be as long as it can be."""
    parts: list[bytes] = []
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _undecodable(where: str, encoding: str, offset: int) -> InputError:
    return InputError(
        where,
        f"not valid {encoding.upper()} at byte {offset}",
        mend="save the file as UTF-8; other encodings are not guessed",
    )


def _near(path: Path) -> str | None:
    """The file in the same folder whose name is nearest."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return None
    found = difflib.get_close_matches(path.name, names, n=1)
    return f"did you mean '{path.with_name(found[0])}'?" if found else None

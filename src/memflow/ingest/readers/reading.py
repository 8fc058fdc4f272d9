"""The one entry: a file into a stream of turns."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from os import PathLike
from typing import BinaryIO

from memflow.errors import InputError, UsageError
from memflow.ingest.readers.chats import read_messages_json, read_messages_jsonl
from memflow.ingest.readers.detection import Format, detect, refuse_unreadable
from memflow.ingest.readers.documents import read_markdown, read_text
from memflow.ingest.readers.files import Source, opened
from memflow.ingest.readers.locomo import read_locomo
from memflow.ingest.readers.longmemeval import read_longmemeval
from memflow.ingest.readers.rows import Origin, Rows

READERS: Mapping[Format, Callable[[Source, Origin], Rows]] = {
    Format.MESSAGES_JSON: read_messages_json,
    Format.MESSAGES_JSONL: read_messages_jsonl,
    Format.LOCOMO: read_locomo,
    Format.LONGMEMEVAL: read_longmemeval,
    Format.MARKDOWN: read_markdown,
    Format.TEXT: read_text,
}


def read_file(
    path: str | PathLike[str],
    *,
    format: str = "auto",
    session: str | None = None,
    stdin: BinaryIO | None = None,
) -> Rows:
    """Turns as they are read, with `Rejected` for rows left out, `Broken` (a `Rejected`) for rows
    that could not be read, and `Note` for what was lost beside the words.

    "-" reads `stdin`, or the process's standard input. `session` takes the place of the file's
    stem in the names of sessions. An unknown format raises UsageError at once. InputError, while
    iterating: the file cannot be read, or not beyond what has been yielded.
    """
    chosen = None if format == "auto" else _format(format)
    return _read(str(path), chosen, session, stdin)


def _read(name: str, chosen: Format | None, session: str | None, stdin: BinaryIO | None) -> Rows:
    try:
        with opened(name, stdin) as source:
            if chosen is None:
                chosen = detect(source.name, source.head).format
            else:
                refuse_unreadable(source.name, source.head)
            empty = True
            for row in READERS[chosen](source, Origin.of(name, session)):
                empty = False
                yield row
            if empty:
                raise InputError(source.name, "no messages in it")
    except OSError as error:
        raise InputError(name, f"cannot be read: {error.strerror or error}") from error


def _format(name: str) -> Format:
    try:
        return Format(name)
    except ValueError:
        known = ["auto", *Format]
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise UsageError(
            f"unknown format '{name}'", mend=f"{hint}known are {', '.join(known)}"
        ) from None

"""The one entry: a file, a folder or an archive into a stream of turns."""

from __future__ import annotations

import difflib
from datetime import tzinfo
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from memflow.errors import InputError, UsageError
from memflow.ingest.readers.containers import Folder
from memflow.ingest.readers.files import opened
from memflow.ingest.readers.formats import Format
from memflow.ingest.readers.gathering import Wish, all_rows, file_rows
from memflow.ingest.readers.rows import Origin, Rows
from memflow.ingest.readers.watching import Meter, Watch
from memflow.ingest.readers.zones import zone_of


def read_file(
    path: str | PathLike[str],
    *,
    format: str = "auto",
    session: str | None = None,
    timezone: str | tzinfo | None = None,
    stdin: BinaryIO | None = None,
    watch: Watch | None = None,
) -> Rows:
    """Turns as they are read, with `Rejected` for rows left out, `Broken` (a `Rejected`) for rows
    that could not be read, and `Note` for what was lost beside the words.

    `path` is a file, a ZIP archive, a folder with all below it, or "-" for `stdin` or the process's
    standard input. `session` takes the place of the file's stem in the names of sessions, or
    stands before them. `timezone` is that of times that name none, UTC by default.

    An unknown format or zone raises UsageError at once. While iterating: InputError, the file
    cannot be read, or not beyond what has been yielded; MissingExtra, its format needs a library.
    """
    wish = Wish(None if format == "auto" else _format(format), watch or Watch())
    zone = zone_of(timezone) if isinstance(timezone, str) else timezone
    name = str(path)
    return _read(name, Origin.of(name, session, zone), wish, stdin)


def _read(name: str, origin: Origin, wish: Wish, stdin: BinaryIO | None) -> Rows:
    try:
        if name != "-" and _is_folder(name):
            yield from all_rows(Folder(Path(name)), name, origin, wish)
            return
        with opened(name, stdin, Meter(wish.watch.bytes, _size(name))) as source:
            yield from file_rows(source, origin, wish)
    except OSError as error:
        raise InputError(name, f"cannot be read: {error.strerror or error}") from error


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False  # said when it is opened


def _size(name: str) -> int | None:
    """None for what is no regular file."""
    try:
        return Path(name).stat().st_size if name != "-" and Path(name).is_file() else None
    except (OSError, ValueError):
        return None


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

"""Lines that survive the process: one JSON object each, appended and forced to the disk as made."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from memflow.errors import InputError, UsageError

if sys.platform != "win32":
    import fcntl


class Journal:
    """A JSON-lines file open for appending by one process at a time.

    A last line that a killed run left unfinished is cut off; `rows` are the whole ones that were
    there. Raises UsageError while another process has it open, InputError for a line within that
    is no JSON object.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab+")
        try:
            self._lock(path)
            self.rows = self._whole_rows(path)
        except BaseException:
            self._file.close()
            raise

    def append(self, row: Mapping[str, Any]) -> None:
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _lock(self, path: Path) -> None:
        if sys.platform == "win32":
            return  # no such locks there: two runs in one folder are not noticed
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                f"another process writes to {path}", mend="wait for it, or choose another --out"
            ) from error

    def _whole_rows(self, path: Path) -> list[dict[str, Any]]:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            self._file.truncate(len(whole))
        return parsed(whole, path)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The whole rows of a journal, for reading only; none where there is no file."""
    if not path.is_file():
        return []
    content = path.read_bytes()
    return parsed(content[: content.rfind(b"\n") + 1], path)


def parsed(content: bytes, path: Path) -> list[dict[str, Any]]:
    """Raises InputError, with its number, for a line that is not a JSON object."""
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise InputError(
                f"{path}:{number}", "not a line of results", mend="delete that line, then --resume"
            )
        rows.append(row)
    return rows


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing, even when the process is killed meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    with draft.open("w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    with contextlib.suppress(OSError, AttributeError):  # the rename itself; not everywhere possible
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

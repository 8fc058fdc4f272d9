"""Folders and archives: what is in them, in an order that does not depend on the machine."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from memflow.errors import InputError
from memflow.ingest.readers.files import Stream

# Written by systems beside the files of the user.
_HIDDEN = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class Member:
    """A file within; `path` is relative, with "/". `flaw` says why it cannot be opened."""

    path: str
    size: int
    flaw: str | None = None

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


class Container(Protocol):
    """`title` is its name without what comes before or after; `is_archive` tells a file."""

    @property
    def title(self) -> str: ...

    @property
    def is_archive(self) -> bool: ...

    def members(self) -> list[Member]:
        """By path; hidden files are not among them."""

    def shown(self, path: str) -> str:
        """The member's name in messages."""

    def open(self, path: str) -> AbstractContextManager[Stream]:
        """Raises InputError, also while reading."""


class Folder:
    """A folder and all below it. Links to folders are not followed: they may lead back."""

    is_archive = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self.title = path.resolve().name or "folder"

    def members(self) -> list[Member]:
        found: list[Member] = []
        for folder, below, names in os.walk(self._path):
            below[:] = sorted(name for name in below if not _is_hidden(name))
            base = Path(folder).relative_to(self._path)
            for name in names:
                if not _is_hidden(name):
                    found.append(self._member((base / name).as_posix()))
        return sorted(found, key=lambda member: member.path.split("/"))

    def _member(self, path: str) -> Member:
        try:
            status = (self._path / path).stat()
        except OSError as error:
            return Member(path, 0, f"cannot be read: {error.strerror or error}")
        regular = stat.S_ISREG(status.st_mode)
        return Member(path, status.st_size, None if regular else "not a regular file")

    def shown(self, path: str) -> str:
        return str(self._path / path)

    @contextmanager
    def open(self, path: str) -> Iterator[Stream]:
        try:
            stream = (self._path / path).open("rb")
        except OSError as error:
            reason = f"cannot be opened: {error.strerror or error}"
            raise InputError(self.shown(path), reason) from error
        with stream:
            yield stream


class Archive:
    """A ZIP archive. Nothing is unpacked to disk; a damaged member does not spoil the others."""

    is_archive = True

    def __init__(self, name: str, file: BinaryIO) -> None:
        """Raises InputError when the file is no readable archive."""
        self._name = name
        self.title = PurePosixPath(name.replace("\\", "/")).stem
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise InputError(
                name,
                f"a damaged or incomplete ZIP archive: {error}",
                mend="download it again, or unpack it and name the folder",
            ) from None
        self._infos = {
            path: info
            for info in self._zip.infolist()
            if not info.is_dir() and (path := info.filename.replace("\\", "/").lstrip("/"))
        }

    def members(self) -> list[Member]:
        found = [
            Member(path, info.file_size, "is encrypted" if info.flag_bits & 1 else None)
            for path, info in self._infos.items()
            if not any(map(_is_hidden, path.split("/")))
        ]
        return sorted(found, key=lambda member: member.path.split("/"))

    def shown(self, path: str) -> str:
        return f"{self._name}/{path}"

    @contextmanager
    def open(self, path: str) -> Iterator[Stream]:
        with _damage_named(self.shown(path)):
            stream = self._zip.open(self._infos[path])
        with stream:
            yield _Guarded(self.shown(path), stream)


class _Guarded:
    """Says which member it is that is damaged."""

    def __init__(self, name: str, stream: Stream) -> None:
        self._name = name
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        with _damage_named(self._name):
            return self._stream.read(size)


@contextmanager
def _damage_named(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
        raise InputError(
            name,
            f"damaged in the archive: {error or 'it ends too early'}",
            mend="download it again",
        ) from None
    except (RuntimeError, NotImplementedError) as error:  # a password; an unknown compression
        raise InputError(name, f"cannot be unpacked: {error}", mend="unpack it yourself") from None


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name in _HIDDEN

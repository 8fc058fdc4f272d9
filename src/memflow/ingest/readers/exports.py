"""An export that is a whole folder or archive: files that only together say who said what."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from memflow.errors import InputError
from memflow.ingest.readers.containers import Container
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.rows import Broken, Row
from memflow.ingest.readers.watching import Meter

MAX_TABLE = 64 * 1024 * 1024  # bytes of a list of people or channels


@dataclass(frozen=True, slots=True)
class Export:
    """`base` is the folder within the container, with a "/" at its end unless it is empty.
    `paths` are relative to it, in order."""

    container: Container
    base: str
    paths: tuple[str, ...]
    meter: Meter

    def shown(self, path: str) -> str:
        return self.container.shown(f"{self.base}{path}")

    def source(self, path: str) -> AbstractContextManager[Source]:
        """Raises InputError."""
        return self._source(path)

    @contextmanager
    def _source(self, path: str) -> Generator[Source]:
        with self.container.open(f"{self.base}{path}") as stream:
            yield Source(self.shown(path), stream, self.meter)

    def load(self, path: str) -> Generator[Row, None, Any]:
        """Yields a Broken for a file that cannot be read; returns its value, else None."""
        if path not in self.paths:
            return None
        try:
            with self.source(path) as source:
                found = list(elements(source.name, _within(source)))
        except InputError as error:
            yield Broken(error.where, error.reason)
            return None
        # A list comes by its elements, an object as the only one.
        return found[0] if len(found) == 1 and not _is_list(source) else found


def _is_list(source: Source) -> bool:
    return source.beginning.lstrip().startswith("[")


def _within(source: Source) -> Generator[str]:
    size = 0
    for block in source.blocks():
        size += len(block)
        if size > MAX_TABLE:
            raise InputError(source.name, f"a list of more than {MAX_TABLE >> 20} MB")
        yield block

"""How the reading gets on: which file is read as what, and how many bytes are done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memflow.ingest.readers.formats import Detected

Began = Callable[[str, Detected], None]
Bytes = Callable[[int, int | None], None]


def _nobody(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Watch:
    """`began(name, detected)` before a file's first row; `bytes(done, total)` with every block,
    `total` None where it cannot be known."""

    began: Began = _nobody
    bytes: Bytes = _nobody


class Meter:
    """Counts the bytes read of everything that was named together."""

    def __init__(self, tell: Bytes = _nobody, total: int | None = None) -> None:
        self._tell = tell
        self._total = total
        self._done = 0

    def add(self, count: int) -> None:
        """A file read twice, or more of it than its size promised, does not exceed the total."""
        self._done += count
        done = self._done if self._total is None else min(self._done, self._total)
        self._tell(done, self._total)

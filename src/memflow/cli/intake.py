"""What `memflow add` reads, into the space in blocks: memory does not grow with the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from memflow.errors import InputError, MemFlowError
from memflow.types import AddResult, NewTurn, Rejected

if TYPE_CHECKING:
    from memflow.ingest.readers import Detected, Rows
    from memflow.memory import Space

BLOCK_TURNS = 1_000
BLOCK_CHARACTERS = 2_000_000


@dataclass(slots=True)
class FileRead:
    """A file that was read: as what, why, and how many turns were in it."""

    file: str
    format: str
    reason: str
    turns: int = 0


@dataclass(slots=True)
class Intake:
    """One thing that was named, which may hold many files.

    `mend` is what to do about an error that ended the reading, `ended` whether there was one.
    """

    space: Space
    files: list[FileRead] = field(default_factory=list)
    turns: int = 0
    ended: bool = False
    mend: str | None = None
    _results: list[AddResult] = field(default_factory=list)
    _skipped: list[Rejected] = field(default_factory=list)
    _failed: list[Rejected] = field(default_factory=list)
    _notes: list[Rejected] = field(default_factory=list)

    def began(self, file: str, found: Detected) -> None:
        self.files.append(FileRead(file, found.format.value, found.reason))

    def take(self, rows: Rows, name: str) -> AddResult:
        """All rows. What came before an error is kept; the error is one failed row."""
        turns = self._turns(rows)
        try:
            while block := self._block(turns):
                self._results.append(self.space.add(block))
        except MemFlowError as error:
            self._end(error, name)
        return self._sum()

    def _turns(self, rows: Rows) -> Iterator[NewTurn]:
        from memflow.ingest.readers import Broken

        try:
            for row in rows:
                match row:
                    case NewTurn():
                        self.turns += 1
                        if self.files:
                            self.files[-1].turns += 1
                        yield row
                    case Broken():
                        self._failed.append(row)
                    case Rejected():
                        self._skipped.append(row)
                    case _:
                        self._notes.append(Rejected(row.where, row.text))
        except InputError as error:
            self._end(error, error.where)

    def _block(self, turns: Iterator[NewTurn]) -> list[NewTurn] | chain[NewTurn] | None:
        """The next turns to be stored together.

        A turn without an id is known by how often its content came before in the same call, so
        from the first such turn on there is one block only.
        """
        block: list[NewTurn] = []
        characters = 0
        for turn in turns:
            block.append(turn)
            if turn.id is None:
                return chain(block, turns)
            characters += len(turn.text)
            if len(block) >= BLOCK_TURNS or characters >= BLOCK_CHARACTERS:
                break
        return block or None

    def _end(self, error: MemFlowError, where: str) -> None:
        self.ended = True
        self.mend = error.mend
        reason = error.reason if isinstance(error, InputError) else str(error.args[0])
        self._failed.append(Rejected(where, reason))

    def _sum(self) -> AddResult:
        parts = self._results
        return AddResult(
            stored=tuple(id for part in parts for id in part.stored),
            skipped=(*(row for part in parts for row in part.skipped), *self._skipped),
            failed=(*(row for part in parts for row in part.failed), *self._failed),
            sessions=tuple(dict.fromkeys(name for part in parts for name in part.sessions)),
            notes=(*(row for part in parts for row in part.notes), *self._notes),
        )

"""The nouns of evaluation: a question with its gold, and the haystack it is asked of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from memflow.errors import InputError
from memflow.types import NewTurn


@dataclass(frozen=True, slots=True)
class Case:
    """One question. `group` is the id of its haystack, `now` when it is asked.

    `gold_turns` are ids of turns in the haystack; empty where the set has none or is known to
    mark them incompletely, so that recall is measured over cases that have some. `answerable` is
    False where the right reply is that it cannot be known; `gold` may then explain why, and
    `tempting` is the wrong answer the question invites.
    """

    id: str
    group: str
    question: str
    gold: str | None
    category: str
    gold_turns: tuple[str, ...] = ()
    now: datetime | None = None
    answerable: bool = True
    tempting: str | None = None
    alternatives: tuple[str, ...] = ()
    criterion: str | None = None


@dataclass(frozen=True, slots=True)
class Haystack:
    """What is remembered before the questions of a group are asked. Ids are unique in a set."""

    id: str
    turns: tuple[NewTurn, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a loader dropped, mended or found odd: how often, and the first few places."""

    what: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """`name` says exactly what was measured on; it belongs beside every figure. `kind` is the set's
    own name ("locomo"), which decides the official metrics."""

    name: str
    haystacks: tuple[Haystack, ...]
    cases: tuple[Case, ...]
    notes: tuple[Remark, ...] = ()
    kind: str = ""

    def haystack(self, group: str) -> Haystack:
        return next(haystack for haystack in self.haystacks if haystack.id == group)

    def only(self, cases: tuple[Case, ...]) -> Self:
        """With these cases, and the haystacks they need."""
        groups = {case.group for case in cases}
        kept = tuple(haystack for haystack in self.haystacks if haystack.id in groups)
        return replace(self, cases=cases, haystacks=kept)

    def by_category(self) -> dict[str, int]:
        """How many cases each category has."""
        found: dict[str, int] = {}
        for case in sorted(self.cases, key=lambda case: case.category):
            found[case.category] = found.get(case.category, 0) + 1
        return found


def joined(parts: list[Dataset]) -> Dataset:
    """Several files of one set. Raises InputError when they share a question or haystack: the
    copies may differ in their dates and are to be scored one by one."""
    if len(parts) == 1:
        return parts[0]
    whole = Dataset(
        " + ".join(dict.fromkeys(part.name for part in parts)),
        tuple(haystack for part in parts for haystack in part.haystacks),
        tuple(case for part in parts for case in part.cases),
        tuple(note for part in parts for note in part.notes),
        parts[0].kind,
    )
    for noun, ids in (
        ("question", [case.id for case in whole.cases]),
        ("haystack", [haystack.id for haystack in whole.haystacks]),
    ):
        if twice := next((id for id in ids if ids.count(id) > 1), None):
            raise InputError(
                whole.name, f"{noun} '{twice}' stands in two files", mend="evaluate them one by one"
            )
    return whole


class Ledger:
    """Counts what a loader has to say, by kind."""

    def __init__(self, examples: int = 5) -> None:
        self._examples = examples
        self._places: dict[str, list[str]] = {}

    def add(self, what: str, where: str) -> None:
        self._places.setdefault(what, []).append(where)

    def remarks(self) -> tuple[Remark, ...]:
        return tuple(
            Remark(what, len(places), tuple(places[: self._examples]))
            for what, places in self._places.items()
        )

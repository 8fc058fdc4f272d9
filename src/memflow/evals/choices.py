"""What is asked of whom: systems by name, questions by category, a stratified sample of them."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterable, Sequence

from memflow.errors import UsageError
from memflow.evals.cases import Case


def check_systems(names: Sequence[str], known: Iterable[str]) -> None:
    """Raises UsageError for a name that is not among the known, with the nearest that is."""
    known = list(known)
    if not names:
        raise UsageError("no system is named", mend=f"known are {', '.join(known)}")
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f"did you mean '{near[0]}'? " if near else ""
            raise UsageError(f"unknown system '{name}'", mend=f"{hint}known are {', '.join(known)}")


def of_categories(cases: tuple[Case, ...], wanted: Sequence[str]) -> tuple[Case, ...]:
    """Those of the categories: "2" or "2 temporal" for a numbered one, else its whole name.

    No category asked for takes all. Raises UsageError for one that no question has.
    """
    if not wanted:
        return cases
    present = sorted({case.category for case in cases})
    named = {name: [kind for kind in present if _is(kind, name)] for name in wanted}
    for name, kinds in named.items():
        if not kinds:
            raise UsageError(
                f"no question is of category '{name}'", mend=f"there is {', '.join(present)}"
            )
    kept = {kind for kinds in named.values() for kind in kinds}
    return tuple(case for case in cases if case.category in kept)


def _is(category: str, name: str) -> bool:
    number, _, _ = category.partition(" ")
    return name == category or (number.isdigit() and name == number)


def chosen(cases: tuple[Case, ...], limit: int | None, seed: int) -> tuple[Case, ...]:
    """`limit` of them, the same share of every category, in the set's order."""
    if limit is None or limit >= len(cases):
        return cases
    shuffled = random.Random(seed).sample(range(len(cases)), len(cases))
    by_category: dict[str, list[int]] = {}
    for index in shuffled:
        by_category.setdefault(cases[index].category, []).append(index)
    taken: list[int] = []
    queues = [by_category[name] for name in sorted(by_category)]
    share = limit / len(cases)
    for queue in queues:
        taken += queue[: round(share * len(queue))]
    rest = [index for index in shuffled if index not in set(taken)]
    taken = (taken + rest)[:limit]
    return tuple(cases[index] for index in sorted(taken))

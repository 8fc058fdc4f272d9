"""Evidence covered: does the packed context hold what the gold turns say?

A gold turn counts when at least half of its content words stand in packed items that cite it.
`any` and `all` are shares of the questions that have gold turns; recall of this kind says
nothing about the answers' accuracy and is never shown in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memflow.text import content_words, overlap
from memflow.types import Packed

_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one question: which gold turns are covered, and the first packed rank of one (or 0)."""

    covered: Mapping[str, bool]
    first_rank: int

    @property
    def any(self) -> bool:
        return any(self.covered.values())

    @property
    def all(self) -> bool:
        return bool(self.covered) and all(self.covered.values())


def coverage(packed: Packed, gold: Mapping[str, str]) -> Coverage:
    """`gold` maps turn ids to their verbatim texts."""
    words: dict[str, set[str]] = {id: set() for id in gold}
    first_rank = 0
    by_score = sorted(packed.items, key=lambda item: (-item.score, item.order))
    for rank, item in enumerate(by_score, start=1):
        for turn in item.turns:
            if turn.id in words:
                words[turn.id] |= content_words(item.text)
                first_rank = first_rank or rank
    return Coverage(
        {id: _covers(words[id], content_words(text)) for id, text in gold.items()}, first_rank
    )


def _covers(packed: set[str], gold: set[str]) -> bool:
    return bool(packed) and (not gold or overlap(gold, packed) >= _ENOUGH)


def shares(results: Sequence[Coverage]) -> tuple[float, float]:
    """(any, all) over questions with gold turns."""
    asked = [result for result in results if result.covered]
    if not asked:
        return 0.0, 0.0
    return (
        sum(result.any for result in asked) / len(asked),
        sum(result.all for result in asked) / len(asked),
    )

"""The calendar behind each rule: from the captured words and an anchor to a span of days."""

from __future__ import annotations

from memflow.dates.kinds import Span
from memflow.dates.language import Rule
from memflow.dates.named import NAMED
from memflow.dates.relative import RELATIVE
from memflow.dates.scene import Fields, Scene

_RULES = {**RELATIVE, **NAMED}


def resolve(rule: Rule, fields: Fields, step: int, scene: Scene) -> Span | None:
    """The days meant, or None when the words are no date ("I finished it in two weeks").

    ValueError and OverflowError mean that no such day exists: 30 February, 900 years before 1.
    """
    return _RULES[rule](fields, step, scene)

"""What a rule is given: the captured words as numbers, and where and how they were said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from memflow.dates.kinds import Period, Span, Tense


@dataclass(frozen=True, slots=True)
class Fields:
    """What a row captured, as numbers; absent parts are None.

    `rough` counts were said with "about" or a vague word, `exact` ones with "exactly".
    """

    count: int = 1
    rough: bool = False
    vague: bool = False
    exact: bool = False
    period: Period = Period.DAY
    weekday: int = 0
    day: int = 1
    last_day: int | None = None
    month: int = 1
    year: int | None = None
    season: int = 0
    third: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and how the words were said. `tense` is a call: few rules need to look."""

    anchor: date
    tense: Callable[[], Tense]
    southern: bool = False

    def direction(self, default: int) -> int:
        """-1 or +1 by the tense of the words around, else the default."""
        return {Tense.PAST: -1, Tense.FUTURE: 1}.get(self.tense(), default)

    def nearer(self, default: int, *, ahead: int, back: int) -> int:
        """The same where the default is only a guess at the past: without a cue of tense the
        nearer of the two, in doubt the past. "Mum visits in September", said in June, looks ahead.
        """
        direction = self.direction(0)
        if direction or default > 0:
            return direction or default
        return 1 if ahead < back else -1


# The rule's row gives the step. None: the words are no date after all.
Resolver = Callable[[Fields, int, Scene], Span | None]

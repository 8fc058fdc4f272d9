"""The vocabulary of the dates room: precisions, units, and the mention itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Precision(StrEnum):
    """How much of a date an expression fixes; APPROXIMATE is a window around its middle day."""

    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    APPROXIMATE = "approximate"


class Unit(StrEnum):
    """A unit in which a question may ask for elapsed time."""

    DAYS = "days"
    WEEKS = "weeks"
    MONTHS = "months"
    YEARS = "years"


class Period(StrEnum):
    """What "last …", "… ago" and "in …" count; every one has a calendar step in resolve.py."""

    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    YEAR = "year"


class Tense(StrEnum):
    """What the words around a mention say about its direction; NONE when they say nothing."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Span:
    """Both ends inclusive. A single day has `first == last`."""

    first: date
    last: date
    precision: Precision


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date expression at `text[start:end]` of its source, resolved to the days first..last.

    `relative` is true when the words alone do not name the date ("last Friday"); a date that
    lacks only its year ("8 May") is not relative.
    """

    start: int
    end: int
    text: str
    first: date
    last: date
    precision: Precision
    relative: bool

    @property
    def middle(self) -> date:
        """The one day to calculate with: for "three weeks ago" it is exactly 21 days back."""
        return self.first + (self.last - self.first) // 2

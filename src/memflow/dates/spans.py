"""Spans of days: the periods of the calendar, and windows around a day."""

from __future__ import annotations

from datetime import date, timedelta

from memflow.dates.arithmetic import add_months, monday, month_end
from memflow.dates.kinds import Period, Precision, Span


def one_day(day: date) -> Span:
    """A span of one day, known to the day."""
    return Span(day, day, Precision.DAY)


def around(day: date, spread: int) -> Span:
    """A window of `spread` days on either side of the best guess."""
    margin = timedelta(days=spread)
    return Span(day - margin, day + margin, Precision.APPROXIMATE)


def calendar_period(period: Period, step: int, anchor: date) -> Span:
    """The period `step` periods after the one that holds the anchor."""
    match period:
        case Period.DAY:
            return one_day(anchor + timedelta(days=step))
        case Period.WEEK:
            start = monday(anchor) + timedelta(weeks=step)
            return Span(start, start + timedelta(days=6), Precision.WEEK)
        case Period.WEEKEND:
            saturday = monday(anchor) + timedelta(weeks=step, days=5)
            return Span(saturday, saturday + timedelta(days=1), Precision.WEEKEND)
        case Period.MONTH:
            return month_of(add_months(anchor, step))
        case Period.YEAR:
            return year_of(anchor.year + step)


def month_of(day: date, third: int | None = None) -> Span:
    """A month, or its days 1–10, 11–20 or 21–end."""
    first, last = day.replace(day=1), month_end(day)
    if third is not None:
        first = first.replace(day=1 + 10 * third)
        last = first.replace(day=10 + 10 * third) if third < 2 else last
    return Span(first, last, Precision.MONTH)


def season_from(first: date) -> Span:
    """Three whole months from the first day of one."""
    return Span(first, month_end(add_months(first, 2)), Precision.SEASON)


def year_of(year: int) -> Span:
    """A calendar year; ValueError outside 1–9999."""
    return Span(date(year, 1, 1), date(year, 12, 31), Precision.YEAR)

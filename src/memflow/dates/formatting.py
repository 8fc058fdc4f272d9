"""Dates in English words, the same on every locale: "5 May 2023", "week of 1–7 May 2023"."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from memflow.dates.arithmetic import day_of, monday
from memflow.dates.kinds import DateMention, Precision

_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_SEASONS = ("winter", "spring", "summer", "autumn")


def format_date(
    day: date,
    precision: Precision = Precision.DAY,
    *,
    weekday: bool = False,
    southern: bool = False,
) -> str:
    """The period of that precision which holds `day`; a weekend is the one that ends its week.

    `weekday` puts "Fri" before a single day; `southern` turns the seasons round.
    """
    day = day_of(day)
    match precision:
        case Precision.DAY:
            return _weekday_and_day(day) if weekday else _day(day)
        case Precision.WEEK:
            return f"week of {_range(monday(day), 6)}"
        case Precision.WEEKEND:
            return f"weekend of {_range(monday(day) + timedelta(days=5), 1)}"
        case Precision.MONTH:
            return _month(day)
        case Precision.SEASON:
            return _season(day, southern=southern)
        case Precision.YEAR:
            return str(day.year)
        case Precision.APPROXIMATE:
            return f"around {_day(day)}"


def format_time(moment: datetime) -> str:
    """Date and minute as written in the moment's own zone: "Fri 5 May 2023, 14:30"."""
    return f"{_weekday_and_day(moment.date())}, {moment:%H:%M}"


def format_mention(mention: DateMention, *, southern: bool = False) -> str:
    """What a mention resolves to; days with their weekday, wide windows with month or year only."""
    match mention.precision:
        case Precision.DAY if mention.first != mention.last:
            return _range(mention.first, (mention.last - mention.first).days)
        case Precision.DAY:
            return format_date(mention.first, weekday=True)
        case Precision.APPROXIMATE:
            return f"around {_rough(mention)}"
        case precision:
            return format_date(mention.first, precision, southern=southern)


def _rough(mention: DateMention) -> str:
    width = (mention.last - mention.first).days
    if width >= 300:
        return str(mention.middle.year)
    return _month(mention.middle) if width >= 28 else _day(mention.middle)


def _day(day: date) -> str:
    return f"{day.day} {_month(day)}"


def _month(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _weekday_and_day(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()]} {_day(day)}"


def _range(first: date, more_days: int) -> str:
    last = first + timedelta(days=more_days)
    if first.year != last.year:
        return f"{_day(first)} – {_day(last)}"
    if first.month != last.month:
        return f"{first.day} {_MONTHS[first.month - 1]} – {_day(last)}"
    return f"{first.day}–{_day(last)}"


def _season(day: date, *, southern: bool) -> str:
    name = _SEASONS[(day.month % 12 // 3 + 2 * southern) % 4]
    start = day.year - 1 if day.month < 3 else day.year
    across = day.month in {12, 1, 2}
    return f"{name} {start}–{(start + 1) % 100:02}" if across else f"{name} {start}"

"""Calendar arithmetic: signed distances, month steps, and how an interval is put in words.

All distances run from the first argument to the second and are antisymmetric. Only the calendar
date of a datetime counts, as written in its own zone, so that clock changes never shift a day.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memflow.dates.kinds import Unit

# A month count this close to a whole number, in days, is told as "about N months".
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Interval:
    """The same distance in four units; all fields carry the sign of `days`.

    `weeks` and `months` are whole, with the days left over in `week_days` and `month_days`;
    `years` are whole, with the months left over in `year_months`.
    """

    days: int
    weeks: int
    week_days: int
    months: int
    month_days: int
    years: int
    year_months: int


def day_of(value: date) -> date:
    """The calendar date of a date or, as written in its own zone, of a datetime."""
    return value.date() if isinstance(value, datetime) else value


def add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last day; OverflowError out of range."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"year {year} is out of range")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_end(day: date) -> date:
    """The last day of the month of `day`."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def monday(day: date) -> date:
    """The Monday on or before `day`: weeks run from Monday to Sunday (ISO 8601)."""
    return day - timedelta(days=day.weekday())


def days_between(a: date, b: date) -> int:
    """Days from a to b, negative when b is earlier; neighbouring days are 1 apart."""
    return (day_of(b) - day_of(a)).days


def weeks_between(a: date, b: date) -> int:
    """Whole weeks from a to b, rounded toward zero."""
    return interval(a, b).weeks


def months_between(a: date, b: date) -> int:
    """Whole calendar months from a to b, rounded toward zero.

    A month is complete on the same day of the month, or on the last day of a shorter one:
    31 January to 28 February is one month.
    """
    return interval(a, b).months


def interval(a: date, b: date) -> Interval:
    """The distance from a to b in all units; `interval(b, a)` has every sign reversed."""
    early, late = sorted((day_of(a), day_of(b)))
    sign = 1 if early == day_of(a) else -1
    days = (late - early).days
    months = (late.year - early.year) * 12 + late.month - early.month
    if add_months(early, months) > late:
        months -= 1
    rest = (late - add_months(early, months)).days
    return Interval(
        days=sign * days,
        weeks=sign * (days // 7),
        week_days=sign * (days % 7),
        months=sign * months,
        month_days=sign * rest,
        years=sign * (months // 12),
        year_months=sign * (months % 12),
    )


def describe_interval(interval: Interval, unit: str | None = None) -> str:
    """The length of an interval in words, in the unit asked and in days; direction is not told.

    Without a unit: days up to eight weeks, else months, else (from two years) years.
    ValueError for a unit that is none of days, weeks, months, years.
    """
    match Unit(unit) if unit is not None else _natural_unit(interval):
        case Unit.DAYS:
            return _in_days(interval)
        case Unit.WEEKS:
            return _in_weeks(interval)
        case Unit.MONTHS:
            return _in_months(interval)
        case Unit.YEARS:
            return _in_years(interval)


def _natural_unit(interval: Interval) -> Unit:
    if abs(interval.days) <= 56:
        return Unit.DAYS
    return Unit.MONTHS if abs(interval.months) < 24 else Unit.YEARS


def _in_days(interval: Interval) -> str:
    days = _count(interval.days, "day")
    if abs(interval.days) < 7:
        return days
    if abs(interval.days) <= 56:
        return f"{days} ({_joined((interval.weeks, 'week'), (interval.week_days, 'day'))})"
    return f"{days} ({_months(interval)})"


def _in_weeks(interval: Interval) -> str:
    if not interval.weeks:
        return f"less than a week ({_count(interval.days, 'day')})"
    weeks = _joined((interval.weeks, "week"), (interval.week_days, "day"))
    return f"{weeks} ({_count(interval.days, 'day')})"


def _in_months(interval: Interval) -> str:
    return f"{_months(interval)} ({_count(interval.days, 'day')})"


def _in_years(interval: Interval) -> str:
    if not interval.years:
        return f"less than a year ({_months(interval)}, {_count(interval.days, 'day')})"
    years = _joined((interval.years, "year"), (interval.year_months, "month"))
    about = "about " if interval.month_days else ""
    return f"{about}{years} ({_count(interval.days, 'day')})"


def _months(interval: Interval) -> str:
    whole, rest = abs(interval.months), abs(interval.month_days)
    if rest > 30 - _NEAR:
        return f"about {_count(whole + 1, 'month')}"
    if not whole:
        return "less than a month"
    if rest and rest <= _NEAR:
        return f"about {_count(whole, 'month')}"
    return _joined((whole, "month"), (rest, "day"))


def _joined(*amounts: tuple[int, str]) -> str:
    return " and ".join(_count(number, noun) for number, noun in amounts if number)


def _count(number: int, noun: str) -> str:
    return f"{abs(number)} {noun}" if abs(number) == 1 else f"{abs(number)} {noun}s"

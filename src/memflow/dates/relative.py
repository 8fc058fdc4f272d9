"""Rules that count from the anchor: days, weekdays, periods, "three weeks ago"."""

from __future__ import annotations

from datetime import date, timedelta

from memflow.dates.arithmetic import add_months
from memflow.dates.kinds import Period, Span, Tense
from memflow.dates.language import Rule
from memflow.dates.scene import Fields, Resolver, Scene
from memflow.dates.spans import around, calendar_period, one_day, year_of

# Days on either side of "a few days, weeks, months ago".
_VAGUE_SPREAD = {Period.DAY: 2, Period.WEEK: 7, Period.MONTH: 30}


# --------------------------------------------------------------------------- days and weekdays


def _day(_fields: Fields, step: int, scene: Scene) -> Span:
    return one_day(scene.anchor + timedelta(days=step))


def _weekday(fields: Fields, step: int, scene: Scene) -> Span:
    """Strictly before or after: said on a Friday, "last Friday" is seven days back."""
    ahead = (fields.weekday - scene.anchor.weekday()) % 7
    days = (ahead or 7) + 7 * (step - 1) if step > 0 else ahead - 7 + 7 * (step + 1)
    return one_day(scene.anchor + timedelta(days=days))


def _weekday_near(fields: Fields, step: int, scene: Scene) -> Span:
    ahead = (fields.weekday - scene.anchor.weekday()) % 7 or 7
    return _weekday(fields, scene.nearer(step, ahead=ahead, back=7 - ahead or 7), scene)


def _weekday_this(fields: Fields, _step: int, scene: Scene) -> Span:
    if fields.weekday == scene.anchor.weekday():
        return one_day(scene.anchor)
    return _weekday(fields, scene.direction(1), scene)


def _weekdays_ago(fields: Fields, step: int, scene: Scene) -> Span:
    return _weekday(fields, step * fields.count, scene)


# --------------------------------------------------------------------------- periods and counts


def _period(fields: Fields, step: int, scene: Scene) -> Span:
    if fields.period is Period.WEEKEND and step == 0:
        return _weekend_near(fields, 1, scene)
    return calendar_period(fields.period, step, scene.anchor)


def _period_part(fields: Fields, step: int, scene: Scene) -> Span:
    whole = calendar_period(fields.period, 0, scene.anchor)
    if step < 0:
        return Span(whole.first, max(whole.first, scene.anchor), whole.precision)
    return Span(min(whole.last, scene.anchor), whole.last, whole.precision)


def _weekend_near(_fields: Fields, step: int, scene: Scene) -> Span:
    """On a Saturday or Sunday the current one; on other days by tense."""
    on_weekend = scene.anchor.weekday() >= 5
    back = not on_weekend and scene.direction(step) < 0
    return calendar_period(Period.WEEKEND, -1 if back else 0, scene.anchor)


def _count(fields: Fields, step: int, scene: Scene) -> Span:
    """Days to the day, years to the year, weeks and months to about a day.

    Only vague counts ("a few weeks") are a window of several days, with its middle the best guess.
    """
    signed, period = step * fields.count, fields.period
    if period is Period.WEEKEND:
        return calendar_period(period, signed, scene.anchor)
    target = _shifted(scene.anchor, period, signed)
    if fields.exact:
        return _count_exact(fields, step, scene)
    match period:
        case Period.DAY if not (fields.rough or fields.vague):
            return one_day(target)
        case Period.YEAR if not (fields.rough or fields.vague):
            return year_of(target.year)
        case Period.YEAR:
            return around(target, 365 if fields.vague else 182)
        case _:
            return around(target, _VAGUE_SPREAD[period] if fields.vague else 0)


def _count_exact(fields: Fields, step: int, scene: Scene) -> Span:
    return one_day(_shifted(scene.anchor, fields.period, step * fields.count))


def _shifted(day: date, period: Period, count: int) -> date:
    match period:
        case Period.MONTH:
            return add_months(day, count)
        case Period.YEAR:
            return add_months(day, 12 * count)
        case Period.WEEK:
            return day + timedelta(weeks=count)
        case _:
            return day + timedelta(days=count)


def _count_ahead(fields: Fields, step: int, scene: Scene) -> Span | None:
    """Only in a sentence about the future: "done in two weeks" is how long it took."""
    return _count(fields, step, scene) if scene.tense() is Tense.FUTURE else None


RELATIVE: dict[Rule, Resolver] = {
    Rule.DAY: _day,
    Rule.WEEKDAY: _weekday,
    Rule.WEEKDAY_NEAR: _weekday_near,
    Rule.WEEKDAY_THIS: _weekday_this,
    Rule.WEEKDAYS_AGO: _weekdays_ago,
    Rule.PERIOD: _period,
    Rule.PERIOD_PART: _period_part,
    Rule.WEEKEND_NEAR: _weekend_near,
    Rule.COUNT: _count,
    Rule.COUNT_EXACT: _count_exact,
    Rule.COUNT_AHEAD: _count_ahead,
}

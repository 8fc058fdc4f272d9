"""Rules for what has a name or number in the calendar: months, seasons, dates, years."""

from __future__ import annotations

from datetime import date

from memflow.dates.arithmetic import add_months, month_end
from memflow.dates.kinds import Period, Precision, Span
from memflow.dates.language import Rule
from memflow.dates.scene import Fields, Resolver, Scene
from memflow.dates.spans import calendar_period, month_of, one_day, season_from, year_of

# --------------------------------------------------------------------------- months and seasons


def _month(fields: Fields, step: int, scene: Scene) -> Span:
    """Strictly before or after the anchor's own month; step 0 is the month of this year."""
    year, anchor = scene.anchor.year, scene.anchor
    if step < 0 and fields.month >= anchor.month:
        year -= 1
    if step > 0 and fields.month <= anchor.month:
        year += 1
    return month_of(date(year, fields.month, 1), fields.third)


def _month_near(fields: Fields, step: int, scene: Scene) -> Span:
    if fields.year is not None:
        return month_of(date(fields.year, fields.month, 1), fields.third)
    if fields.month == scene.anchor.month:
        return _month(fields, 0, scene)
    ahead = (fields.month - scene.anchor.month) % 12
    return _month(fields, scene.nearer(step, ahead=ahead, back=12 - ahead), scene)


def _season(fields: Fields, step: int, scene: Scene) -> Span:
    """Meteorological seasons of three whole months, named for the year in which they begin."""
    start_month = (fields.season + 2 * scene.southern) % 4 * 3 or 12
    if fields.year is not None:
        return season_from(date(fields.year, start_month, 1))
    anchor = scene.anchor
    nearby = range(anchor.year - 2, anchor.year + 3)
    seasons = [season_from(date(year, start_month, 1)) for year in nearby]
    past = [season for season in seasons if season.last < anchor]
    ahead = [season for season in seasons if season.first > anchor]
    if step:
        return past[-1] if step < 0 else ahead[0]
    current = [season for season in seasons if season.first <= anchor <= season.last]
    if current:
        return current[0]
    direction = scene.direction(0)
    this_year = next(season for season in seasons if season.first.year == anchor.year)
    return {-1: past[-1], 0: this_year, 1: ahead[0]}[direction]


# --------------------------------------------------------------------------- dates and years


def _date(fields: Fields, _step: int, scene: Scene) -> Span:
    """A day, or with `last_day` ("June 16-19") the days up to that one of the same month."""
    first = _date_of(fields, scene)
    last = first.replace(day=fields.last_day or first.day)
    if last < first:
        raise ValueError("the days run backwards")
    return Span(first, last, Precision.DAY)


def _date_of(fields: Fields, scene: Scene) -> date:
    """Without a year: by tense, the anchor's day included; else the nearest, in doubt the past."""
    if fields.year is not None:
        return date(fields.year, fields.month, fields.day)
    anchor = scene.anchor
    # A leap day may be up to eight years away (1896 to 1904).
    years = range(max(anchor.year - 8, 1), min(anchor.year + 8, 9999) + 1)
    days = [day for year in years if (day := _day_or_none(year, fields)) is not None]
    direction = scene.direction(0)
    match direction:
        case -1:
            days = [day for day in days if day <= anchor]
        case 1:
            days = [day for day in days if day >= anchor]
    return min(days, key=lambda day: (abs((day - anchor).days), day))


def _day_or_none(year: int, fields: Fields) -> date | None:
    try:
        return date(year, fields.month, fields.day)
    except ValueError:
        return None


def _week_of(fields: Fields, _step: int, scene: Scene) -> Span:
    return calendar_period(Period.WEEK, 0, _date_of(fields, scene))


def _day_of_month(fields: Fields, step: int, scene: Scene) -> Span:
    """The anchor's own day included; months too short for the day are passed over."""
    direction = scene.direction(step)
    for months in range(3):
        month = add_months(scene.anchor.replace(day=1), direction * months)
        if fields.day > month_end(month).day:
            continue
        day = month.replace(day=fields.day)
        if (scene.anchor - day).days * direction <= 0:
            return one_day(day)
    raise ValueError(f"no day {fields.day} near {scene.anchor}")


def _year(fields: Fields, _step: int, _scene: Scene) -> Span | None:
    return year_of(fields.year) if fields.year is not None else None


NAMED: dict[Rule, Resolver] = {
    Rule.MONTH: _month,
    Rule.MONTH_NEAR: _month_near,
    Rule.SEASON: _season,
    Rule.DATE: _date,
    Rule.WEEK_OF: _week_of,
    Rule.DAY_OF_MONTH: _day_of_month,
    Rule.YEAR: _year,
}

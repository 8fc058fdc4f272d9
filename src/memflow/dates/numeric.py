"""Dates in figures, which belong to no language: 2023-05-08, 8/5/2023, "on 2/15", 2016–2019."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memflow.dates.language import Language, Rule
from memflow.dates.scene import Fields

_DIGIT = re.compile(r"[0-9]")
_YEAR = r"(?:19|20)[0-9]{2}"
_NOT_INSIDE = r"(?<![\w/.-])"
_YEAR_FIRST = re.compile(
    rf"{_NOT_INSIDE}(?P<mention>(?P<year>{_YEAR})(?P<sep>[-/.])(?P<a>[0-9]{{1,2}})(?P=sep)"
    r"(?P<b>[0-9]{1,2}))(?![0-9]|[-/.][0-9])"
)
_YEAR_LAST = re.compile(
    rf"{_NOT_INSIDE}(?P<mention>(?P<a>[0-9]{{1,2}})(?:(?P<sep>[/.-])(?P<b>[0-9]{{1,2}})(?P=sep)"
    rf"(?P<year>{_YEAR})|/(?P<b2>[0-9]{{1,2}})/(?P<short>[0-9]{{2}})))(?![0-9]|[-/.][0-9])"
)
_NO_YEAR = re.compile(
    r"(?<!\w)(?:(?P<month_first>on|since|until)|(?:no\s+)?dia|el|desde|ate|hasta)\s+"
    r"(?P<mention>(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2}))(?![\w/%]|[.,][0-9])"
)
_TO_YEAR = re.compile(
    rf"(?<!\w)(?:from|between|in|since|de|desde|entre|em|en)\s+{_YEAR}"
    rf"\s*(?:-|–|—|to|and|until|till|a|e|y|ate|hasta)\s*(?P<mention>(?P<year>{_YEAR}))(?![\w%-])"
)


@dataclass(frozen=True, slots=True)
class Figures:
    """A date in figures at folded text[start:end], still to be resolved."""

    start: int
    end: int
    rule: Rule
    fields: Fields


def find_figures(folded: str, words: list[str], languages: tuple[Language, ...]) -> list[Figures]:
    """All dates in figures, which may overlap. `words` decide whether 5/8 is May or August."""
    return list(_find(folded, words, languages)) if _DIGIT.search(folded) else []


def _find(folded: str, words: list[str], languages: tuple[Language, ...]) -> Iterator[Figures]:
    for match in _YEAR_FIRST.finditer(folded):
        # Year first means month next: 2023-13-01 is no date.
        if int(match["a"]) <= 12:
            yield from _dated(match, int(match["year"]), month_first=True)
    for match in _YEAR_LAST.finditer(folded):
        year = int(match["year"] or _whole_year(match["short"]))
        dotted = match["sep"] == "."
        yield from _dated(match, year, month_first=not (dotted or _day_first(words, languages)))
    for match in _NO_YEAR.finditer(folded):
        yield from _dated(match, None, month_first=match["month_first"] is not None)
    for match in _TO_YEAR.finditer(folded):
        yield Figures(*match.span("mention"), Rule.YEAR, Fields(year=int(match["year"])))


def _dated(match: re.Match[str], year: int | None, *, month_first: bool) -> Iterator[Figures]:
    second = match["b"] or match.groupdict().get("b2") or "0"
    day_month = day_and_month(int(match["a"]), int(second), month_first=month_first)
    if day_month is not None:
        day, month = day_month
        fields = Fields(day=day, month=month, year=year)
        yield Figures(*match.span("mention"), Rule.DATE, fields)


def day_and_month(a: int, b: int, *, month_first: bool) -> tuple[int, int] | None:
    """Which of two figures is the day: what exceeds 12, else as told; None when neither fits."""
    month, day = (a, b) if month_first else (b, a)
    if month > 12:
        month, day = day, month
    return (day, month) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _whole_year(short: str) -> int:
    """Two figures of a year, as POSIX reads them: 69–99 are 1969–1999."""
    return int(short) + (1900 if int(short) >= 69 else 2000)


def _day_first(words: list[str], languages: tuple[Language, ...]) -> bool:
    """As in the language of which the text has the most frequent words; ties go to the first."""
    likely = max(languages, key=lambda language: sum(word in language.markers for word in words))
    return likely.day_first

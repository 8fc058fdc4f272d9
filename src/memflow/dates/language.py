"""What a language table holds. To add a language, add a table; no other code changes.

1. Copy `english.py`, fill every field of `Language`, and add the table to `LANGUAGES` in
   `tables.py`. Write all words folded: lower case, without accents ("marco", "manana"). An
   underscore stands for a space or hyphen inside a word ("fim_de_semana").
2. Write one `Row` for each way to say a date: a template, the rule that resolves it, and the
   rule's step. The rules are listed in `Rule`; their code is in `relative.py` and `named.py`.
3. Add a dozen lines to the table of expressions in `tests/test_dates.py`.

Templates are tokens separated by spaces:

    word  a|b       a word, one of several
    {weekday}       any word of that table, captured (all of them: `grammar.placeholders`);
                    besides these {n}, {n2}, {day}, {ordinal}, {year}, {bare_year} (without
                    a month), and {named_day}, a weekday with or without its part of day
    token?          may be absent
    ,token          may follow a comma
    <in|since>      must come before, but is no part of the mention
    !the|my         at the start: not directly after these words; at the end: not before them
                    (`#` among them is any digit)
    =and|at         at the end only: before these words, punctuation, or the end of the text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from memflow.dates.kinds import Period


class Rule(StrEnum):
    """How a row is resolved, and what its `step` means."""

    DAY = "day"  # step: days from the anchor
    WEEKDAY = "weekday"  # -1: the last one strictly before, +1: the first strictly after
    WEEKDAY_NEAR = "weekday_near"  # by tense, strictly; step: direction when tense says nothing
    WEEKDAY_THIS = "weekday_this"  # by tense, the anchor's day included; ahead by default
    WEEKDAYS_AGO = "weekdays_ago"  # "two Fridays ago"
    PERIOD = "period"  # step: calendar weeks, weekends, months, years from the anchor's own
    PERIOD_PART = "period_part"  # -1: this period up to the anchor, +1: from the anchor on
    WEEKEND_NEAR = "weekend_near"  # by tense; step: direction when tense says nothing
    COUNT = "count"  # "three weeks ago"; step: direction
    COUNT_EXACT = "count_exact"  # "a year ago today": to the day; step: direction
    COUNT_AHEAD = "count_ahead"  # "in three weeks": a date only when the sentence looks ahead
    MONTH = "month"  # -1: last before the anchor's month, +1: first after it, 0: of its year
    MONTH_NEAR = "month_near"  # by tense, anchor's month included; step: default direction
    SEASON = "season"  # -1: last that is over, +1: next to begin, 0: by tense, else of this year
    DATE = "date"  # day and month; without a year by tense, else the nearest
    WEEK_OF = "week_of"  # the week that holds such a date
    DAY_OF_MONTH = "day_of_month"  # "on the 5th", by tense; step: default direction
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Row:
    """One way to say a date. `loose` rows need no capital letter on an ambiguous word."""

    template: str
    rule: Rule
    step: int = 0
    loose: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One language's words and rows, as data. Weekdays count from Monday = 0, months from
    January = 1, seasons from northern winter = 0, thirds of a month from its early days = 0.
    """

    code: str
    rows: tuple[Row, ...]
    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    short_months: Mapping[str, int]  # only inside dates that name the day as well
    seasons: Mapping[str, int]
    units: Mapping[str, Period]  # countable, singular and plural
    periods: Mapping[str, Period]  # after "last", "this", "next": singular, without the day
    numbers: Mapping[str, int]
    vague: Mapping[str, int]  # words that count roughly, with the best guess
    about: tuple[str, ...]  # make a count approximate
    exactly: tuple[str, ...]  # make a count exact to the day
    thirds: Mapping[str, int]
    first_of_month: tuple[str, ...]  # words for the day number 1
    parts_of_day: tuple[str, ...]
    counted: tuple[str, ...]  # nouns that show that the number before them is no date
    ambiguous: frozenset[str]  # also ordinary words when not capitalised: "may", "sat"
    past: str  # regular expressions over lower-case text, accents kept
    future: str
    asked: tuple[str, ...]  # "how many {unit}": regular expressions for `unit_asked`, folded
    markers: frozenset[str]  # frequent words, to guess in which language "5/8/2023" is written
    day_first: bool  # whether 5/8/2023 is the fifth of August


def numbered(*groups: str, start: int = 0) -> dict[str, int]:
    """Words to the position of their group: `numbered("monday mon", "tuesday")`."""
    return {word: start + i for i, group in enumerate(groups) for word in group.split()}


def named(**groups: str) -> dict[str, Period]:
    """Words to the period that names their group: `named(week="week weeks")`."""
    return {word: Period(name) for name, group in groups.items() for word in group.split()}


def either(words: str) -> str:
    """A regular expression for whole words, "_" standing for white space, longest first."""
    ordered = sorted(words.split(), key=len, reverse=True)
    return rf"(?<!\w)(?:{'|'.join(ordered)})(?!\w)".replace("_", r"\s+")

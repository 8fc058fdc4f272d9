"""The form of a language table, and its compilation.

A table is data: word lists and rows, written as regular expressions for folded text (lower case,
no accents, straight apostrophes). A row is a line of three columns, two or more blanks apart:

    key   shape   lead

The `lead` is tried only where a clause begins ("… , and |I love tea"), so it is anchored and
fails at once elsewhere; what follows the lead is cut by the row's `shape`, so no row needs a
quantifier that could run away. A shape with a `!` marks a presupposed row (see Pattern). In leads
a space stands for one to three blanks, and `{name}` for an entry of the table's `macros`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

# After a lead: never in the middle of a word ("I live in|to").
_BETWEEN_WORDS = r"(?:(?<!\w)|(?!\w))"


class Shape(StrEnum):
    """How the value is cut from the text after the lead."""

    EXACT = "exact"  # the lead's own group `value`
    NAME = "name"  # a run of capitalised or numbered words: a place, a company, a model
    PERSON = "person"  # a capitalised given name that is no month, day or pronoun
    PHRASE = "phrase"  # a noun phrase or gerund: up to the clause's first turn
    LIST = "list"  # short items joined by commas and "and": one fact each
    CLAUSE = "clause"  # a whole habit
    SENTENCE = "sentence"  # the rest: an instruction with its condition


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row; of the rows that match at a place, the first that gives a fact counts.

    `key` may hold `{value}` (the object's content words) and lead groups (`{rel}`).

    A lead group `from` starts the value there instead of after the lead ("|love tea", "|dog
    Max"), so that polarity and kind stay in the value. `presupposed`: the words imply the fact
    wherever they stand, even in a question ("my dog Max"), so it is sought in every clause.
    """

    kind: str
    key: str
    shape: Shape
    presupposed: bool
    lead: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLanguage:
    """One language. Word lists are blank-separated; the rest are regular expressions.

    Where to read:
    `gate`: a sentence without any of these words holds no fact, and is skipped.
    `openers`: words and marks after which a new clause of the speaker may begin.
    `possessives`: where presupposed rows are tried.
    `blockers`: from here to the sentence's end nothing is asserted (if, wish, he said).
    `asks`: openings of the asking part of a sentence that ends in a question mark.
    `borrowed`: a turn with one of these holds a role, a story, or somebody else's text.

    What to take:
    `stop`, `clause_stop`: where a phrase, a clause ends.
    `vague_first`, `vague`: a phrase that starts with, contains such a word says nothing outside
    its conversation; so does `article` (definite), unless an `after_article` noun follows.
    `pronouns`: a phrase or habit with one refers to something unsaid.
    `dangling`: words that no phrase ends with.
    `not_names`: capitalised words that are no names.
    `conjunction`: joins the items of a list.

    How to key it:
    `filler`: dropped from the front of a key ("drinking coffee" → "coffee").
    `habit_filler`: dropped from anywhere in a habit's.
    `weekdays`: a habit of one day is not that of another.
    `contrast`: after a lead group `prefer`, the key stops here ("tea |over coffee").
    `topics`: instruction topics that hold one value at a time.

    `rows`: the rows by the kind of fact; `macros`: what they share.
    """

    code: str
    gate: str
    openers: str
    possessives: str
    blockers: str
    asks: str
    borrowed: str
    stop: str
    clause_stop: str
    vague_first: str
    vague: str
    filler: str
    after_article: str
    article: str
    dangling: str
    pronouns: str
    habit_filler: str
    weekdays: str
    contrast: str
    conjunction: str
    not_names: str
    topics: Mapping[str, str]
    rows: Mapping[str, str]
    macros: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leads:
    """Rows tried at the same places, behind one expression that tells whether any can match."""

    any: re.Pattern[str]
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A language ready for use."""

    code: str
    gate: frozenset[str]
    openers: re.Pattern[str]
    possessives: re.Pattern[str]
    blockers: re.Pattern[str]
    asks: re.Pattern[str]
    borrowed: re.Pattern[str]
    stop: re.Pattern[str]
    clause_stop: re.Pattern[str]
    weekdays: re.Pattern[str]
    contrast: re.Pattern[str]
    conjunction: re.Pattern[str]
    vague_first: frozenset[str]
    vague: frozenset[str]
    filler: frozenset[str]
    after_article: frozenset[str]
    article: str
    dangling: frozenset[str]
    pronouns: frozenset[str]
    habit_filler: frozenset[str]
    not_names: frozenset[str]
    topics: tuple[tuple[str, re.Pattern[str]], ...]
    asserted: Leads
    presupposed: Leads


def compiled(language: ProfileLanguage) -> Compiled:
    """Compile a table; a row that is not a regular expression fails here, at import."""
    rows = tuple(
        _pattern(kind, line, language.macros)
        for kind, table in language.rows.items()
        for line in table.splitlines()
        if line.strip()
    )
    return Compiled(
        code=language.code,
        gate=frozenset(language.gate.split()),
        openers=_regex(language.openers),
        possessives=_regex(rf"\b(?={language.possessives})"),
        blockers=_regex(rf"\b(?:{language.blockers})\b"),
        asks=_regex(language.asks),
        borrowed=_regex(language.borrowed),
        stop=_regex(language.stop),
        clause_stop=_regex(language.clause_stop),
        weekdays=_regex(language.weekdays),
        contrast=_regex(language.contrast),
        conjunction=_regex(language.conjunction),
        vague_first=frozenset(language.vague_first.split()),
        vague=frozenset(language.vague.split()),
        filler=frozenset(language.filler.split()),
        after_article=frozenset(language.after_article.split()),
        article=language.article,
        dangling=frozenset(language.dangling.split()),
        pronouns=frozenset(language.pronouns.split()),
        habit_filler=frozenset(language.habit_filler.split()),
        not_names=frozenset(language.not_names.split()),
        topics=tuple((name, _regex(cues)) for name, cues in language.topics.items()),
        asserted=_leads(tuple(row for row in rows if not row.presupposed)),
        presupposed=_leads(tuple(row for row in rows if row.presupposed)),
    )


def _leads(patterns: tuple[Pattern, ...]) -> Leads:
    # Group names would clash in the union, and it needs none.
    union = "|".join(re.sub(r"\(\?P<\w+>", "(?:", row.lead.pattern) for row in patterns)
    return Leads(re.compile(union), patterns)


def _pattern(kind: str, line: str, macros: Mapping[str, str]) -> Pattern:
    key, shape, lead = re.split(r" {2,}", line.strip(), maxsplit=2)
    if not shape.startswith(Shape.EXACT):
        lead += _BETWEEN_WORDS
    return Pattern(
        kind=kind,
        key=key,
        shape=Shape(shape.rstrip("!")),
        presupposed=shape.endswith("!"),
        lead=_regex(_expanded(lead, macros)),
    )


def _expanded(lead: str, macros: Mapping[str, str]) -> str:
    # Not str.format: quantifiers such as {1,3} share the braces.
    for name, expression in macros.items():
        lead = lead.replace("{" + name + "}", expression)
    return lead


def _regex(expression: str) -> re.Pattern[str]:
    return re.compile(expression.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"))

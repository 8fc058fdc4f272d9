"""Finds the date expressions of a text and resolves them against the day it was said.

Every row of every language is tried, longest mention first. Direction, where words leave it
open ("on Friday", "in March", "May 8"), comes from the nearest cue of tense in the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache, partial

from memflow.dates.arithmetic import day_of
from memflow.dates.folding import Folded, fold
from memflow.dates.grammar import Pattern, compile_language, word_pattern
from memflow.dates.joining import share_years
from memflow.dates.kinds import DateMention, Tense
from memflow.dates.language import Language, Rule
from memflow.dates.numeric import find_figures
from memflow.dates.resolve import resolve
from memflow.dates.scene import Fields, Scene
from memflow.dates.tables import LANGUAGES

_ABSOLUTE = {Rule.DATE, Rule.WEEK_OF, Rule.YEAR, Rule.MONTH_NEAR}
_REACH = 200  # characters on either side in which a cue of tense is looked for
# How far away, in characters, another clause puts a cue: before the mention, after it.
_CLAUSE_BEFORE = 20
_CLAUSE_AFTER = 60
_CLAUSE = re.compile(r",|[\s](?:and|but|e|mas|y|pero)\s")
_SENTENCE_END = re.compile(r"[.!?…。;]\s|\n")


@lru_cache(maxsize=256)
def find_dates(text: str, anchor: datetime, *, southern: bool = False) -> tuple[DateMention, ...]:
    """The date expressions in order, none overlapping; relative to the anchor's own local date.

    `southern` turns the seasons round. Impossible dates (30 February) are no mentions.
    A sentence is looked at several times while one context is compiled, hence the cache.
    """
    folded = fold(text)
    words = word_pattern().findall(folded.text)
    found = [*_in_words(text, folded, set(words), anchor, southern=southern)]
    found += _in_figures(text, folded, words, anchor, southern=southern)
    return share_years(text, _longest(found))


@cache
def _patterns() -> tuple[Pattern, ...]:
    return tuple(pattern for language in LANGUAGES for pattern in compile_language(language))


@cache
def _by_key() -> dict[str, list[int]]:
    """Places in `_patterns()` by the words without which a pattern cannot match."""
    index: dict[str, list[int]] = {}
    for place, pattern in enumerate(_patterns()):
        for word in pattern.keys:
            index.setdefault(word, []).append(place)
    return index


def _candidates(words: set[str]) -> Iterator[Pattern]:
    index, patterns = _by_key(), _patterns()
    places = {place for word in words & index.keys() for place in index[word]}
    return (patterns[place] for place in sorted(places) if patterns[place].possible(words))


@cache
def _cues(language: Language) -> tuple[tuple[Tense, re.Pattern[str]], ...]:
    return (
        (Tense.PAST, re.compile(language.past)),
        (Tense.FUTURE, re.compile(language.future)),
    )


def _in_words(
    text: str, folded: Folded, words: set[str], anchor: datetime, *, southern: bool
) -> Iterator[DateMention]:
    for pattern in _candidates(words):
        for match in pattern.regex.finditer(folded.text):
            if not pattern.row.loose and _is_other_word(text, folded, match, pattern.language):
                continue
            start, end = (folded.source(place) for place in match.span("mention"))
            fields = _fields(match, pattern.language)
            yield from _mention(
                text,
                (start, end),
                (pattern.row.rule, fields, pattern.row.step),
                Scene(
                    day_of(anchor),
                    partial(_tense, text, start, end, (pattern.language,)),
                    southern,
                ),
            )


def _in_figures(
    text: str, folded: Folded, words: list[str], anchor: datetime, *, southern: bool
) -> Iterator[DateMention]:
    for figures in find_figures(folded.text, words, LANGUAGES):
        start, end = folded.source(figures.start), folded.source(figures.end)
        yield from _mention(
            text,
            (start, end),
            (figures.rule, figures.fields, 0),
            Scene(day_of(anchor), partial(_tense, text, start, end, LANGUAGES), southern),
        )


def _mention(
    text: str, place: tuple[int, int], said: tuple[Rule, Fields, int], scene: Scene
) -> Iterator[DateMention]:
    rule, fields, step = said
    start, end = place
    try:
        span = resolve(rule, fields, step, scene)
    except (ValueError, OverflowError):
        return
    if span is not None:
        relative = rule not in _ABSOLUTE and fields.year is None
        yield DateMention(
            start, end, text[start:end], span.first, span.last, span.precision, relative
        )


def _is_other_word(text: str, folded: Folded, match: re.Match[str], language: Language) -> bool:
    """Whether an ambiguous month or weekday lacks its capital: "may", but also "MAY"."""
    for name in ("month", "weekday"):
        word = match.groupdict().get(name)
        if word in language.ambiguous:
            start, end = (folded.source(place) for place in match.span(name))
            if text[start:end] != text[start:end].capitalize():
                return True
    return False


def _fields(match: re.Match[str], language: Language) -> Fields:
    said = {name: _table_word(word) for name, word in match.groupdict().items() if word}
    counts = [_number(said[name], language) for name in ("n", "n2") if name in said]
    vague = len(counts) > 1 or said.get("n") in language.vague
    periods = {**language.units, **language.periods}
    months = {**language.months, **language.short_months}
    return Fields(
        count=(sum(counts) + len(counts) - 1) // len(counts) if counts else 1,
        rough="about" in said,
        vague=vague,
        exact="exactly" in said,
        period=periods[said.get("unit") or said.get("period") or next(iter(periods))],
        weekday=language.weekdays.get(said.get("weekday", ""), 0),
        day=int(said.get("day", "1")),
        last_day=int(said["day2"]) if "day2" in said else None,
        month=months.get(said.get("month") or said.get("mon") or "", 1),
        year=int(said["year"]) if "year" in said else None,
        season=language.seasons.get(said.get("season", ""), 0),
        third=language.thirds.get(said["third"]) if "third" in said else None,
    )


def _table_word(word: str) -> str:
    return re.sub(r"[\s-]+", "_", word)


def _number(word: str, language: Language) -> int:
    if word in language.vague:
        return language.vague[word]
    return language.numbers[word] if word in language.numbers else int(word)


def _tense(text: str, start: int, end: int, languages: tuple[Language, ...]) -> Tense:
    """The nearest cue of the sentence around [start, end); in a tie the past."""
    before = text[max(0, start - _REACH) : start].lower()
    before = _SENTENCE_END.split(before)[-1]
    after = _SENTENCE_END.split(text[end : end + _REACH].lower(), maxsplit=1)[0]
    found: list[tuple[int, Tense]] = []
    for tense, cue in (cue for language in languages for cue in _cues(language)):
        for match in cue.finditer(before):
            found.append((_distance(before[match.end() :], _CLAUSE_BEFORE), tense))
        for match in cue.finditer(after):
            found.append((_distance(after[: match.start()], _CLAUSE_AFTER), tense))
    return min(found, key=lambda cue: cue[0], default=(0, Tense.NONE))[1]


def _distance(gap: str, clause: int) -> int:
    return len(gap) + clause * len(_CLAUSE.findall(gap))


def _longest(found: list[DateMention]) -> list[DateMention]:
    """Of overlapping mentions the longest; of equal ones the first found."""
    kept: list[DateMention] = []
    for mention in sorted(found, key=lambda mention: mention.start - mention.end):
        if all(mention.end <= other.start or other.end <= mention.start for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)

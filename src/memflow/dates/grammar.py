"""Compiles the rows of a language table into regular expressions over folded text.

Each compiled row knows word sets of which a text must hold one each, and rows are looked up by
the words of the most telling set: that keeps a text with few dates cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from memflow.dates.language import Language, Row

_SEPARATOR = r"(?:\s+|-)"
_COMMA = r"(?:\s*,\s*|\s+|-)"
# The dot of a shortened month ("Sept. 5", "8 de set. de 2023"); "May." ends a sentence.
_MONTH_DOT = r"(?:(?:(?<=\b\w{3})(?<!\bmay)|(?<=\bsept))\.(?=\s+(?:de\s+|del\s+)?[0-9]))?"
_NUMBER_START = r"(?<![$€£#%])(?<![0-9][.,:/])"
_NUMBER_END = r"(?![%°]|[.,:/][0-9])"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
# After a month any year will do; alone, a number must look like a recent one.
_YEARS = {"year": r"(?:1[0-9]|20)[0-9]{2}", "bare_year": r"(?:18|19|20)[0-9]{2}"}
_PLACEHOLDER = re.compile(r"\{(\w+)\}(\w*)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled row. `needs`: the text must hold a word of every set."""

    row: Row
    language: Language
    regex: re.Pattern[str]
    needs: tuple[frozenset[str], ...]

    def possible(self, words: set[str]) -> bool:
        """Whether a text of these folded words can match at all."""
        return all(not needed.isdisjoint(words) for needed in self.needs)

    @property
    def keys(self) -> frozenset[str]:
        """The set of `needs` with the longest words: those are the rarest in running text."""
        return max(self.needs, key=lambda words: sum(map(len, words)) / len(words))


def placeholders(language: Language) -> dict[str, tuple[str, ...]]:
    """The words of every placeholder that is a table of the language."""
    return {
        "weekday": tuple(language.weekdays),
        "month": tuple(language.months),
        "mon": (*language.months, *language.short_months),
        "season": tuple(language.seasons),
        "unit": tuple(language.units),
        "period": tuple(language.periods),
        "part": language.parts_of_day,
        "third": tuple(language.thirds),
        "about": language.about,
        "exactly": language.exactly,
        "counted": language.counted,
    }


def compile_language(language: Language) -> tuple[Pattern, ...]:
    """All rows of a table, in order. ValueError for a placeholder that does not exist."""
    return tuple(_compile_row(row, language) for row in language.rows)


def _compile_row(row: Row, language: Language) -> Pattern:
    tables = placeholders(language)
    tokens = row.template.split()
    before = _pop_while(tokens, "!")
    after = [tokens.pop()] if tokens[-1][0] in "!=" else []
    context = tokens.pop(0)[1:-1] if tokens[0].startswith("<") else ""
    body = "".join(_body(tokens, language, tables))
    regex = (
        r"(?<!\w)"
        + "".join(_lookbehind(word) for token in before for word in token.split("|"))
        + (rf"(?:{_alternatives(context.split('|'))}){_SEPARATOR}" if context else "")
        + rf"(?P<mention>{body})(?!\w)"
        + "".join(_lookahead(token, tables) for token in after)
    )
    needs = tuple(_needs([context, *tokens] if context else tokens, tables))
    if not needs:
        raise ValueError(
            f"the row {row.template!r} needs a word that is neither optional nor number"
        )
    return Pattern(row, language, re.compile(regex), needs)


def _pop_while(tokens: list[str], sign: str) -> list[str]:
    taken = []
    while tokens and tokens[0].startswith(sign):
        taken.append(tokens.pop(0)[1:])
    return taken


def _lookbehind(word: str) -> str:
    """Not after the word and one white space: look-behinds have a fixed width."""
    return r"(?<![0-9]\s)" if word == "#" else rf"(?<!\b{re.escape(word)}\s)"


def _body(
    tokens: list[str], language: Language, tables: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    begun = False
    after_month = False
    for token in tokens:
        optional = token.endswith("?")
        bare = token.removesuffix("?").removeprefix(",")
        separator = _COMMA if token.startswith(",") else _SEPARATOR
        if after_month:
            separator = _MONTH_DOT + separator
        piece = "|".join(_piece(part, language, tables) for part in bare.split("|"))
        if not begun:
            # What may come before the first required token may be followed by a comma.
            yield f"(?:(?:{piece}){_COMMA})?" if optional else f"(?:{piece})"
        else:
            yield f"(?:{separator}(?:{piece}))?" if optional else f"{separator}(?:{piece})"
        begun = begun or not optional
        after_month = bare in {"{month}", "{mon}"} or (after_month and optional)


def _piece(part: str, language: Language, tables: dict[str, tuple[str, ...]]) -> str:
    found = _PLACEHOLDER.fullmatch(part)
    if not found:
        return _word(part)
    name, suffix = found.groups()
    match name:
        case "day":
            ordinal = r"(?:st|nd|rd|th|o)?(?!\w)"
            to_day = rf"(?:\s?[-–—]\s?(?P<day2>{_DAY}){ordinal})?"
            number = rf"{_NUMBER_START}(?P<day>{_DAY}){ordinal}{to_day}{_NUMBER_END}"
            return "|".join((number, *map(_word, language.first_of_month)))
        case "ordinal":
            return rf"(?P<day>{_DAY})(?:st|nd|rd|th)"
        case "year" | "bare_year":
            return rf"{_NUMBER_START}(?P<year>{_YEARS[name]})(?!\w){_NUMBER_END}"
        case "named_day":
            part = f"(?:{_SEPARATOR}(?:{_alternatives(tables['part'])}))?"
            return f"(?P<weekday>{_alternatives(tables['weekday'])}){part}"
        case "n" | "n2":
            counts = (*language.numbers, *language.vague) if name == "n" else language.numbers
            return rf"{_NUMBER_START}(?P<{name}>[0-9]{{1,3}}|{_alternatives(counts)})"
        case _ if name in tables:
            return rf"(?P<{name}>{_alternatives(tables[name])}){suffix}"
        case _:
            raise ValueError(f"no placeholder {{{name}}} in language {language.code!r}")


def _lookahead(token: str, tables: dict[str, tuple[str, ...]]) -> str:
    sign, words = token[0], token[1:].split("|")
    digit = "[0-9]" if "#" in words else ""
    expanded = [
        word
        for part in words
        if part != "#"
        for word in (tables[part[1:-1]] if part.startswith("{") else (part,))
    ]
    if sign == "=":
        return rf"(?=\s*(?:$|[.,;:!?)\]\[])|\s+(?:{_alternatives(expanded)})(?!\w))"
    inner = "|".join(filter(None, (rf"(?:{_alternatives(expanded)})(?!\w)", digit)))
    return rf"(?!{_SEPARATOR}(?:{inner if expanded else digit}))"


def _needs(tokens: list[str], tables: dict[str, tuple[str, ...]]) -> Iterator[frozenset[str]]:
    for token in tokens:
        if token.endswith("?"):
            continue
        words: list[str] = []
        for part in token.removeprefix(",").split("|"):
            found = _PLACEHOLDER.fullmatch(part)
            if found and found[1] not in tables:
                break  # a number: any text may hold one
            words += [word + found[2] for word in tables[found[1]]] if found else [part]
        else:
            yield frozenset(re.split(r"[_\W]", word)[0] for word in words)


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(_word(word) for word in sorted(words, key=len, reverse=True))


def _word(word: str) -> str:
    """A word as a pattern: "_" is white space or a hyphen."""
    return re.escape(word).replace("_", _SEPARATOR)


@cache
def word_pattern() -> re.Pattern[str]:
    """Words as the `needs` of a pattern hold them."""
    return re.compile(r"[^\W_]+")

"""The one form of all cue tables, and how a sentence is scored against them.

A table maps a weight (0–1: how much one such cue tells) to cues, one regular expression a line,
written for folded text: lower case, no accents, straight apostrophes. Cues match at word
borders. A new language is one module beside `en.py` with the three tables, entered in
`tables.py`. Quantifiers must be bounded, so that matching stays linear in the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memflow.text import fold, sentences

Table = Mapping[float, str]

# A question asks for a rule or change more often than it states one.
_QUESTION = 0.3
# Longer than any sentence worth scoring: a wall of pasted text is judged by its beginning.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class CueWords:
    """One language's tables. `code` is its ISO 639-1 code."""

    code: str
    rules: Table
    changes: Table
    values: Table


@dataclass(frozen=True, slots=True)
class Scorer:
    """Tables of all languages, compiled: one expression per weight and language.

    `any` matches where one of them does: nine sentences in ten hold no cue at all.
    """

    any: re.Pattern[str]
    weighted: tuple[tuple[float, re.Pattern[str]], ...]

    def strength(self, sentence: str) -> float:
        """0–1: cues of different weights add up as independent hints; the best language counts."""
        text = folded(sentence)
        if not self.any.search(text):
            return 0.0
        doubt = 1.0
        seen: set[float] = set()
        for weight, pattern in self.weighted:
            # The same weight in two languages is one hint: related languages share words.
            if weight not in seen and pattern.search(text):
                seen.add(weight)
                doubt *= 1.0 - weight
        score = 1.0 - doubt
        return round(score * (_QUESTION if is_question(text) else 1.0), 4)

    def strongest(self, text: str) -> float:
        """Of the text's sentences; most texts hold no cue and are not taken apart."""
        if len(text) <= _LONGEST and not self.any.search(folded(text)):
            return 0.0
        return max((self.strength(sentence) for sentence in sentences(text)), default=0.0)


def scorer(tables: Iterable[Table]) -> Scorer:
    """Compile the same table of several languages."""
    weighted = [(weight, lines(cues)) for table in tables for weight, cues in table.items()]
    return Scorer(
        _one_of([cue for _, cues in weighted for cue in cues]),
        tuple((weight, _one_of(cues)) for weight, cues in weighted),
    )


def _one_of(cues: list[str]) -> re.Pattern[str]:
    # One look-behind for all: most places fail it at once.
    return re.compile(rf"(?<!\w)(?:{'|'.join(cues)})(?!\w)")


def lines(cues: str) -> list[str]:
    """The cues of a table's cell: one a line, blank lines apart."""
    return [line.strip() for line in cues.splitlines() if line.strip()]


def folded(sentence: str) -> str:
    """The form that cues are written for."""
    return fold(sentence[:_LONGEST]).replace("’", "'").strip()


def is_question(text: str) -> bool:
    """By its mark; closing quotes and brackets are looked through."""
    return text.startswith("¿") or text.rstrip(" \"'”’)]»").endswith(("?", "？", "؟"))

"""The entities of a question: what a targeted retrieval asks for one by one.

A small deterministic parser: quoted strings, capitalised name spans, numbers and dates, and noun
phrases around possessives. No trained parser, so it reads three languages and any script with
capitals; elsewhere quotes and numbers are all it finds.
"""

from __future__ import annotations

import re

from memflow.text import STOPWORDS, fold, terms

_QUOTED = re.compile(r"[\"“”«»„]([^\"“”«»„]{2,80})[\"“”«»„]|(?<!\w)'([^']{2,80})'(?!\w)")
_NAME = re.compile(
    r"[^\W\d_a-zß-ÿ][\w’'-]*(?:\s+(?:(?:of|the|de|da|do|del|la|e|y|and)\s+)?[^\W\d_a-zß-ÿ][\w’'-]*)*"
)
_NUMBER = re.compile(r"\b\d[\d.,:/-]*\b")
_POSSESSED = re.compile(
    r"\b(?:my|our|his|her|their|meu|minha|nosso|nossa|mi|mis|nuestro|nuestra|\w+['’]s)\s+"
    r"((?:[\w-]+\s?){1,3})",
    re.IGNORECASE,
)
_CLAUSE_WORDS = STOPWORDS | {"last", "first", "new", "now", "still", "usually", "again"}


def anchors(question: str, *, limit: int = 4) -> tuple[str, ...]:
    """Distinct anchors in order of appearance, at most `limit`, each with a content word."""
    found: list[tuple[int, str]] = []
    for match in _QUOTED.finditer(question):
        found.append((match.start(), match.group(1) or match.group(2)))
    for match in _NAME.finditer(question):
        at_start = not question[: match.start()].strip()
        words = match.group().split()
        if at_start and fold(words[0]) in STOPWORDS | {"list", "tell", "give", "show"}:
            words = words[1:]
        if words:
            found.append((match.start(), " ".join(words)))
    for match in _NUMBER.finditer(question):
        found.append((match.start(), match.group()))
    for match in _POSSESSED.finditer(question):
        phrase: list[str] = []
        for word in match.group(1).split():
            if fold(word) in _CLAUSE_WORDS:
                break
            phrase.append(word)
        if phrase:
            found.append((match.start(1), " ".join(phrase)))
    distinct: dict[frozenset[str], str] = {}
    for _, text in sorted(found, key=lambda pair: pair[0]):
        key = frozenset(terms(text))
        if key and key not in distinct:
            distinct[key] = text.strip(" ?.,!")
    return tuple(distinct.values())[:limit]

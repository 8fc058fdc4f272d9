"""Which words after a lead are the value.

All positions are indices into a statement's folded text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memflow.ingest.profile.patterns import Compiled, Shape
from memflow.ingest.profile.reading import Statement

_PHRASE_WORDS = 12
_CLAUSE_WORDS = 18
_SENTENCE_WORDS = 30
_ITEM_WORDS = 3
_NAME_WORDS = 6

WORD = re.compile(r"[^\s,;:.!?()\[\]\"“”«»]+(?:[.'-][^\s,;:.!?()\"“”«»]+)*")
_JOINERS = frozenset("de da do das dos del la las los of the and y e & von van di".split())
_SENTENCE_STOP = re.compile(r"[.!?…](?:\s|$)")
_EDGE = " \t,;:.!?-–—'\"“”«»()*_~"
_LIMIT = 240  # characters of the tail ever looked at


def spans(
    statement: Statement, language: Compiled, shape: Shape, start: int
) -> Iterator[tuple[int, int]]:
    """The value spans after a lead that ended at `start`; none when nothing definite follows."""
    match shape:
        case Shape.NAME | Shape.PERSON:
            span = _name(statement, start, shape, language)
            if span is not None:
                yield span
        case Shape.PHRASE:
            span = _phrase(statement.folded, start, language)
            if span is not None:
                yield span
        case Shape.LIST:
            yield from _items(statement.folded, start, language)
        case Shape.CLAUSE:
            stop = _until(statement.folded, start, language.clause_stop)
            yield from _clause(statement.folded, start, stop, _CLAUSE_WORDS)
        case Shape.SENTENCE:
            stop = _until(statement.folded, start, _SENTENCE_STOP)
            yield from _clause(statement.folded, start, stop, _SENTENCE_WORDS)
        case Shape.EXACT:  # the caller takes the lead's own group
            return


def _name(
    statement: Statement, start: int, shape: Shape, language: Compiled
) -> tuple[int, int] | None:
    folded = statement.folded
    end = start
    words = 0
    position = start
    for word in WORD.finditer(folded, start, min(len(folded), start + _LIMIT)):
        between = folded[position : word.start()]
        if between.strip() and not (words and between.strip() == "," and shape is Shape.NAME):
            break
        original = statement.slice(word.start(), word.end())
        plain = word.group()
        named = any(c.isupper() or c.isdigit() for c in original)
        if named and plain.split("'")[0] not in language.not_names:
            if "," in between and not original[0].isupper():
                break
            end = word.end()
            words += 1
        elif not (plain in _JOINERS and (words or plain == "the")) or shape is Shape.PERSON:
            break
        position = word.end()
        if words == _NAME_WORDS or (shape is Shape.PERSON and words == 2):
            break
    if not words:
        return None
    # "Toyota's": the mark of possession is not part of the name.
    if folded[start:end].endswith("'s"):
        end -= 2
    if shape is Shape.PERSON and not statement.slice(start, end)[:1].isupper():
        return None
    return _trimmed(folded, start, end)


def _phrase(folded: str, start: int, language: Compiled) -> tuple[int, int] | None:
    stop = _until(folded, start, language.stop)
    end = _clamped(folded, start, stop, _PHRASE_WORDS)
    words = list(WORD.finditer(folded, start, end))
    if not words or _vague(words, language):
        return None
    said = {word.group() for word in words}
    if language.vague & said or language.pronouns & said:
        return None
    # "love the sea and |it|…": what the stop left hanging is not the object.
    following = WORD.search(folded, stop)
    if following and following.group() in language.pronouns and end == stop:
        joint = [m.start() for m in language.conjunction.finditer(folded, start, end)]
        if joint:
            end = joint[-1]
        elif words[-1].group() in language.dangling or len(words) == 1:
            return None
    if end < stop:  # too long: go back to before the last preposition
        loose = [word.start() for word in words[3:] if word.group() in language.dangling]
        end = loose[-1] if loose else end
    for word in reversed(words):
        if word.end() <= end and word.group() not in language.dangling:
            return _trimmed(folded, start, word.end())
    return None


def _vague(words: list[re.Match[str]], language: Compiled) -> bool:
    first = words[0].group()
    if first == language.article:
        return len(words) < 2 or words[1].group() not in language.after_article
    if any("." in word.group() for word in words):  # a web address, a file
        return True
    return first in language.vague_first or not first[0].isalnum()


def _items(folded: str, start: int, language: Compiled) -> Iterator[tuple[int, int]]:
    end = _until(folded, start, language.clause_stop)
    position = start
    while position < end:
        separator = language.conjunction.search(folded, position, end)
        stop = separator.start() if separator else end
        span = _phrase(folded[:stop], position, language)
        if span is None or len(folded[slice(*span)].split()) > _ITEM_WORDS:
            return
        yield span
        if separator is None or span[1] < len(folded[:stop].rstrip(_EDGE)):
            return
        position = separator.end()


def _clause(folded: str, start: int, stop: int, most: int) -> Iterator[tuple[int, int]]:
    span = _trimmed(folded, start, _clamped(folded, start, stop, most))
    if span is not None:
        yield span


def _until(folded: str, start: int, stop: re.Pattern[str]) -> int:
    limit = min(len(folded), start + _LIMIT)
    found = stop.search(folded, start, limit)
    return found.start() if found else limit


def _clamped(folded: str, start: int, end: int, most: int) -> int:
    last = end
    for count, word in enumerate(WORD.finditer(folded, start, end), start=1):
        if count > most:
            return last
        last = word.end()
    return end


def _trimmed(folded: str, start: int, end: int) -> tuple[int, int] | None:
    piece = folded[start:end]
    left = start + len(piece) - len(piece.lstrip(_EDGE))
    right = start + len(piece.rstrip(_EDGE))
    return (left, right) if left < right else None

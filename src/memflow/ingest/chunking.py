"""Turns into the spans that are indexed.

A word, here, is at most 24 characters of unbroken text, or one character of a script written
without spaces: what fills an encoder's window grows with both. Long text is cut where the gap
between two words is strongest (heading, paragraph, sentence, white space), in the second half of
the room there is; only text without any gap is cut hard.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from memflow.text import sentence_spans
from memflow.types import SessionKind

_UNSPACED = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff"
    "\u1000-\u109f\u1780-\u17ff\U00020000-\U0003134f"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]{{1,24}}")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_ENDING = re.compile("[.!?…。！？｡؟۔।॥]")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_HEADING = re.compile(r"^#{1,6}[^\S\n]+\S.*$", re.MULTILINE)

# How strong the gap before a word is.
_INSIDE, _SPACE, _SENTENCE, _PARAGRAPH, _HEADED = range(5)

# Sentences are looked for in pieces of this many characters, so that time stays linear.
_PIECE = 1_000


def chunk_spans(text: str, kind: SessionKind, words: int) -> list[tuple[int, int]]:
    """Ordered spans without overlap, each of at most `words` words, trimmed of white space.

    They cover all text but white space. A Markdown heading stays with what follows, except in
    conversations between people, where a line may begin with "#" for any reason.
    """
    if words < 1:
        raise ValueError(f"words per chunk must be at least 1, not {words}")
    found = [match.span() for match in _WORD.finditer(text)]
    if len(found) <= words:
        return [(found[0][0], found[-1][1])] if found else []
    strengths = _strengths(text, found, headings=kind is not SessionKind.PEER)
    spans: list[tuple[int, int]] = []
    first = 0
    while first < len(found):
        after = _cut(strengths, first, words)
        spans.append((found[first][0], found[after - 1][1]))
        first = after
    return spans


def _cut(strengths: list[int], first: int, words: int) -> int:
    """The index of the word that begins the next chunk."""
    limit = first + words
    if limit >= len(strengths):
        return len(strengths)
    middle = first + (words + 1) // 2
    for gaps in (range(middle, limit + 1), range(first + 1, middle)):
        # The strongest; the last of several.
        best = max(gaps, key=lambda gap: (strengths[gap], gap), default=limit)
        if strengths[best] > _INSIDE:
            return best
    return limit


def _strengths(text: str, found: list[tuple[int, int]], *, headings: bool) -> list[int]:
    """For each word, how strong the gap before it is."""
    starts = [start for start, _ in found]
    strengths = [_INSIDE] * len(found)
    for index in range(1, len(found)):
        if found[index - 1][1] < starts[index]:
            strengths[index] = _SPACE
    for start in _sentence_starts(text):
        index = bisect_left(starts, start)
        if index < len(starts) and starts[index] == start:
            strengths[index] = _SENTENCE
    for match in _BLANK_LINE.finditer(text):
        index = bisect_left(starts, match.end())
        if index < len(starts):
            strengths[index] = _PARAGRAPH
    for match in _HEADING.finditer(text) if headings else ():
        index = bisect_left(starts, match.start())
        # A weak gap at a line's start: the line before it was a heading too.
        if strengths[index] > _SPACE:
            strengths[index] = _HEADED
        after = bisect_left(starts, match.end())
        if after < len(starts):
            strengths[after] = _SPACE
    return strengths


def _sentence_starts(text: str) -> Iterator[int]:
    # A line break always ends a sentence, so lines can be taken one by one.
    for line in _LINE.finditer(text):
        start, end = line.span()
        if not _ENDING.search(text, start, end):
            yield start + len(line.group()) - len(line.group().lstrip())
            continue
        while start < end:
            stop = min(start + _PIECE, end)
            if stop < end:
                stop = max(text.rfind(" ", start, stop), start + _PIECE // 2)
            for number, (begins, _) in enumerate(sentence_spans(text[start:stop])):
                # A piece begins anywhere, only a line's first at a sentence.
                if number or start == line.start():
                    yield start + begins
            start = stop

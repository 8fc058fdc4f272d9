"""A turn's own statements: its sentences without code, quotations, mails and pasted layouts.

Everything here is linear in the turn's length: lines first, then pieces of bounded size, then
sentences, and sentences longer than anyone speaks are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memflow.text import sentence_spans

_PIECE = 1_500  # characters handed to the sentence splitter at once
_LONGEST = 600  # a longer "sentence" is a list, a log or a paste
_BLANKS = re.compile(r"[^\S\n]{12}")  # columns of a pasted table
_QUOTED = re.compile(r"“[^”]{0,500}”|«[^»]{0,500}»|„[^“]{0,500}“|(?<!\w)\"[^\"]{0,500}\"(?!\w)")
# Who is speaking, then a colon: a transcript, a form or a mail header, not the speaker's own line.
_LABELLED = re.compile(r"\s{0,3}[*_#]{0,3}[A-Z][\w .'()-]{0,30}[*_]{0,3}:(?!//)")
_SKIPPED_LINE = re.compile(r"\s{0,3}(?:>|\||#{1,6}\s|\d{1,2}:\d\d|https?://|<\w|[{}\[\]])")
_LETTER_OPENS = re.compile(
    r"(?i)\s{0,3}(?:dear|querid[oa]s?|prezad[oa]s?|estimad[oa]s?)\s[^.!?]{1,50}$"
)
_LETTER_CLOSES = re.compile(
    r"(?i)\s{0,3}(?:(?:best|kind|warm) regards|regards|sincerely|yours|best|cheers|atenciosamente"
    r"|cumprimentos|abracos|abraços|saludos|atentamente|un saludo)\b.{0,20}$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as written, its folded form, and for each folded character its place.

    `offsets[i]` is the index in `text` of `folded[i]`; one more entry marks the end. `quoted` are
    spans of `text` within quotation marks.
    """

    text: str
    folded: str
    offsets: Sequence[int]
    quoted: tuple[tuple[int, int], ...]

    def slice(self, start: int, end: int) -> str:
        """The original of `folded[start:end]`."""
        return self.text[self.offsets[start] : self.offsets[end]]

    def in_quotes(self, position: int) -> bool:
        """Whether the folded character stands in a quotation."""
        place = self.offsets[position]
        return any(start < place < end for start, end in self.quoted)


def statements(text: str) -> Iterator[Statement]:
    """The sentences that may be the speaker's own, in order."""
    for paragraph in _own_lines(text):
        for piece in _pieces(paragraph):
            if _BLANKS.search(piece):
                continue
            quoted = [match.span() for match in _QUOTED.finditer(piece)]
            for start, end in sentence_spans(piece):
                if end - start > _LONGEST or _inside(start, end, quoted):
                    continue
                sentence = piece[start:end]
                inner = tuple((q[0] - start, q[1] - start) for q in quoted if q[1] > start)
                yield Statement(sentence, *aligned_fold(sentence), inner)


def _inside(start: int, end: int, quoted: Sequence[tuple[int, int]]) -> bool:
    return any(first <= start and end <= last for first, last in quoted)


def _own_lines(text: str) -> Iterator[str]:
    lines = text.split("\n")
    labels = sum(1 for line in lines if _LABELLED.match(line))
    in_code = in_letter = False
    for line in lines:
        if line.lstrip()[:3] in {"```", "~~~"}:
            in_code = not in_code
            continue
        if _LETTER_OPENS.match(line):
            in_letter = True
        elif in_letter and _LETTER_CLOSES.match(line):
            in_letter = False
            continue
        if in_code or in_letter or _SKIPPED_LINE.match(line):
            continue
        if line.startswith(("    ", "\t")) or (labels > 1 and _LABELLED.match(line)):
            continue
        yield line


def _pieces(line: str) -> Iterator[str]:
    """The line, or parts of bounded size cut at blanks: what straddles a cut is lost, no more."""
    start = 0
    while start < len(line):
        end = start + _PIECE
        if end < len(line):
            end = max(line.rfind(". ", start, end) + 1, start + _PIECE // 2)
        yield line[start:end]
        start = end


def aligned_fold(text: str) -> tuple[str, Sequence[int]]:
    """Folded text and the index in `text` of each folded character, with one past the end."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    folded: list[str] = []
    offsets: list[int] = []
    for index, character in enumerate(text):
        plain = _plain(character)
        folded.append(plain)
        offsets.extend([index] * len(plain))
    offsets.append(len(text))
    return "".join(folded), offsets


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if character in "’‘ʼ":
        return "'"
    decomposed = unicodedata.normalize("NFD", character)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()

"""Lower case without accents, remembering where every character came from."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `offsets[i]` is the place in the source of folded character i.

    `offsets` has one entry more than the text, the source's length, so that a span's end maps
    like its start. It is None when the two texts line up.
    """

    text: str
    offsets: tuple[int, ...] | None

    def source(self, index: int) -> int:
        """The place in the source text of a place in the folded one."""
        return index if self.offsets is None else self.offsets[index]


def fold(text: str) -> Folded:
    """Compatibility forms are taken apart and combining marks dropped: "Março" is "marco"."""
    if text.isascii():
        return Folded(text.lower(), None)
    pieces: list[str] = []
    offsets: list[int] = []
    for place, character in enumerate(text):
        piece = _fold_character(character)
        pieces.append(piece)
        offsets.extend([place] * len(piece))
    return Folded("".join(pieces), (*offsets, len(text)))


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    apart = unicodedata.normalize("NFKD", character)
    return "".join(c for c in apart if not unicodedata.combining(c)).lower()

"""Counting by code: the model names the items, code removes repetitions and counts them."""

from __future__ import annotations

import re

from memflow.text import content_words, jaccard

_ITEM = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+(?P<item>.+?)\s*$", re.MULTILINE)
_SAME = 0.75  # Jaccard of content words
_DATE = re.compile(r"\s*[(\[][^)\]]*\d[^)\]]*[)\]]\s*$")


def items(reply: str) -> tuple[str, ...]:
    """The distinct items listed in a reply, in its order."""
    kept: list[tuple[str, set[str]]] = []
    for match in _ITEM.finditer(reply):
        item = match["item"].rstrip(".;,")
        words = content_words(_DATE.sub("", item))
        if not any(jaccard(words, other) >= _SAME or words == other for _, other in kept):
            kept.append((item, words))
    return tuple(item for item, _ in kept)


def counted(reply: str) -> str | None:
    """“3: a; b; c”, or None when the reply lists nothing."""
    found = items(reply)
    return f"{len(found)}: {'; '.join(found)}" if found else None

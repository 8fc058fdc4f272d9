"""Dates in a told progression, put right by code.

A small model picks the steps well and dates them badly. Each line of its reply is matched with the
packed line that says it, and takes that line's date; what no line says is left out, and a step is
told once.
"""

from __future__ import annotations

import re

from memflow.dates import format_date
from memflow.text import content_words, overlap
from memflow.types import Item, Packed, Slot

_DATED = re.compile(
    r"^\W*(?:[A-Z][a-z]{2,8},? )?(?:\d{1,2} )?[A-Z][a-z]+ (?:\d{1,2},? )?\d{4}\s*[:–-]\s*"
)
_SAID = 0.5  # share of a line's content words that the evidence line must hold


def redated(reply: str, packed: Packed) -> str | None:
    """The reply's lines with the evidence's dates, oldest first; None when no line matches."""
    raw = [item for item in packed.items if item.slot is Slot.RAW and item.turns[0].time]
    steps: dict[str, tuple[float, str]] = {}  # by turn: each is told once
    for line in re.split(r"\n|(?<=[.;]) (?=\d{1,2} [A-Z])", reply):
        told = _DATED.sub("", line).strip(" .;-")
        words = content_words(told)
        best = max(raw, key=lambda item: _match(words, item), default=None)
        if not words or best is None or _match(words, best) < _SAID:
            continue
        time = best.turns[0].time
        assert time is not None
        step = (time.timestamp(), f"{format_date(time.date())}: {told}")
        steps.setdefault(best.turns[0].id, step)
    return "\n".join(text for _, text in sorted(steps.values())) or None


def _match(words: set[str], item: Item) -> float:
    """Words shared; a figure counts double, since it is the value that changed."""
    held = content_words(item.text)
    figures = {word for word in words if word[0].isdigit()}
    return overlap(words, held) + (overlap(figures, held) if figures else 0.0)

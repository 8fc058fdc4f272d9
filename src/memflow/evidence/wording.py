"""What kind of time a question asks for: order, elapsed time until now, or a date (en, pt, es)."""

from __future__ import annotations

import re

from memflow.text import fold

_ORDER = re.compile(
    r"\b(?:first|order|before|after|earlier|later|sooner|last)\b"
    r"|\b(?:antes|depois|primeiro|ordem|despues|primero|orden)\b"
)
_DURATION = re.compile(r"\bhow (?:long|many|much time|soon)\b|\bquant[oa]s?\b|\bcuant[oa]s?\b")
_SINCE = re.compile(
    r"\bago\b|\bhow long (?:has|have|is) it\b|\bsince\b|\bhow long have i\b"
    r"|\bha quanto tempo\b|\bdesde\b|\bcuanto (?:tiempo )?(?:hace|ha pasado)\b|\bhace cuanto\b"
)
_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|week)\b"
    r"|\bquando\b|\b(?:que|qual) (?:data|dia|mes|ano)\b|\bcuando\b|\b(?:que|cual) (?:fecha|ano)\b"
)


def asks_order(question: str) -> bool:
    """Which came first, and not how long lay between."""
    text = fold(question)
    return _ORDER.search(text) is not None and _DURATION.search(text) is None


def asks_elapsed_since(question: str) -> bool:
    """How much time has gone by from an event until now."""
    return _SINCE.search(fold(question)) is not None


def asks_when(question: str) -> bool:
    """A date, day, month or year."""
    return _WHEN.search(fold(question)) is not None

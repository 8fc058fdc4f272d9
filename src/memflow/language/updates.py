"""Statements that give something a value: a number, a name, a place, a newest state."""

from __future__ import annotations

from memflow.language.cues import scorer
from memflow.language.tables import LANGUAGES

_THRESHOLD = 0.5
_VALUES = scorer(language.values for language in LANGUAGES)


def value_strength(sentence: str) -> float:
    """0–1: how clearly the sentence states a value, as against an opinion, plan or request."""
    return _VALUES.strength(sentence)


def states_value(sentence: str) -> bool:
    """Whether a later sentence of this kind could replace an earlier one's value."""
    return value_strength(sentence) >= _THRESHOLD

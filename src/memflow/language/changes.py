"""Statements of a change, or of a state at a time: switched, used to, now, went from … to …"""

from __future__ import annotations

from memflow.language.cues import scorer
from memflow.language.tables import LANGUAGES

_CHANGES = scorer(language.changes for language in LANGUAGES)


def change_strength(sentence: str) -> float:
    """0–1: how clearly the sentence says that something became different, or stood so then."""
    return _CHANGES.strength(sentence)


def strongest_change(text: str) -> float:
    """The clearest statement of change among the text's sentences, 0–1."""
    return _CHANGES.strongest(text)

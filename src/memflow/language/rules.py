"""Modal and rule language: always, never, must, allowed, only, unless …"""

from __future__ import annotations

from memflow.language.cues import scorer
from memflow.language.tables import LANGUAGES

_THRESHOLD = 0.5
_RULES = scorer(language.rules for language in LANGUAGES)


def rule_strength(sentence: str) -> float:
    """0–1: how clearly the sentence lays down what must, may, or must not be."""
    return _RULES.strength(sentence)


def strongest_rule(text: str) -> float:
    """The clearest rule among the text's sentences, 0–1."""
    return _RULES.strongest(text)


def is_rule(sentence: str) -> bool:
    """Whether the sentence reads as a rule, policy, or standing constraint."""
    return rule_strength(sentence) >= _THRESHOLD

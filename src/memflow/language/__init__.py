"""Cue words by language: does a sentence state a rule, a change, or a value? (en, pt, es)

Bottom layer: tables of words and a few small functions over them, for whoever reads sentences.
"""

from memflow.language.changes import change_strength, strongest_change
from memflow.language.rules import is_rule, rule_strength, strongest_rule
from memflow.language.updates import states_value, value_strength

__all__ = [
    "change_strength",
    "is_rule",
    "rule_strength",
    "states_value",
    "strongest_change",
    "strongest_rule",
    "value_strength",
]

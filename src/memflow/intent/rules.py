"""Layer 1: unambiguous wording decides.

A rule speaks only for the head of the question, so that a give-away word deeper in the sentence
("the article on how coffee has changed") does not count. Where rules of two intents match, none
decides, unless one of them is known to contain the other's wording (`overrides`, in the table).
"""

from __future__ import annotations

from memflow.intent.languages import Pattern
from memflow.intent.wording import Wording, analyse
from memflow.types import Intent, Route, RouteLayer


def matching(wording: Wording) -> tuple[Pattern, ...]:
    """The patterns, rules and mere clues, that fit the wording."""
    return tuple(
        pattern
        for language in wording.candidates
        for pattern in language.patterns
        if pattern.matches(wording.focus, wording.lead, wording.whole)
    )


def decide(question: str) -> Route | None:
    """The rules' route; None when no rule matches or rules disagree."""
    rules = [pattern for pattern in matching(analyse(question)) if pattern.rule]
    rules = standing(rules)
    intents = {rule.intent for rule in rules}
    if len(intents) != 1:
        return None
    (intent,) = intents
    return Route(intent, RouteLayer.RULES, "rule " + ", ".join(rule.name for rule in rules))


def standing(rules: list[Pattern]) -> list[Pattern]:
    """The rules left when the overridden ones are taken away."""
    overridden: set[Intent] = {intent for rule in rules for intent in rule.overrides}
    return [rule for rule in rules if rule.intent not in overridden]

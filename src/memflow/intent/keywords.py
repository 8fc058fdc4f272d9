"""Layer of last resort: every clue in the wording votes, and some tag always wins.

A rule's pattern counts for more than a mere clue; where nothing at all matches, the question is
taken to ask for one fact, the commonest kind and the one whose evidence serves others best.
"""

from __future__ import annotations

from memflow.intent.rules import matching
from memflow.intent.wording import analyse
from memflow.types import Intent, Route, RouteLayer

FALLBACK = Intent.TARGETED_EXTRACTION


def guess(question: str) -> Route:
    """The tag with the most weight; ties go to the table's order of intents."""
    scores: dict[Intent, float] = dict.fromkeys(Intent, 0.0)
    found = matching(analyse(question))
    for pattern in found:
        scores[pattern.intent] += pattern.weight
    best = max(Intent, key=lambda intent: scores[intent]) if found else FALLBACK
    reason = ", ".join(p.name for p in found if p.intent is best) or "no clue; the commonest kind"
    shown = {intent.value: score for intent, score in scores.items() if score}
    return Route(best, RouteLayer.KEYWORDS, reason, shown)

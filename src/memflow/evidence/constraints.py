"""constraint-validation: rules and policies before anything else."""

from __future__ import annotations

from memflow.evidence.material import Material, best, by_relevance, raw_item
from memflow.evidence.profile import fact_item, within
from memflow.language import strongest_rule
from memflow.text import content_words
from memflow.types import Evidence

# A clear rule outranks anything one deviation of the fused score more relevant.
_RULE_WEIGHT = 1.5


def constraints(material: Material) -> Evidence:
    """Chunks in rule language first; others keep a place, for rules worded as plain statements.

    Standing instructions that the user gave are pinned when they bear on the question.
    """
    order = by_relevance(material.hits)
    bearing = [
        fact
        for fact in material.facts
        if fact.kind == "instruction" and _bears(material, fact.quote)
    ]
    pinned = tuple(fact_item(fact) for fact in within(bearing))
    items = [
        raw_item(
            hit,
            order,
            resolve=False,
            score=hit.score + _RULE_WEIGHT * strongest_rule(hit.chunk.text),
        )
        for hit in material.hits
    ]
    return Evidence(items=pinned + best(items, material.operation.top_k), hits=material.hits)


def _bears(material: Material, quote: str) -> bool:
    return bool(material.question_words & content_words(quote))

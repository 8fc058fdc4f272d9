"""state-tracking: statements of change and of states, in the order they happened."""

from __future__ import annotations

from memflow.evidence.material import Material, by_time, chosen, raw_item
from memflow.language import change_strength
from memflow.text import sentences
from memflow.types import Evidence, Hit

_CHANGE_WEIGHT = 1.0


def changes(material: Material) -> Evidence:
    """Chunks that state a change rank higher; all are shown oldest first, dates written out."""
    order = by_time(material.hits)
    scored = [(hit, hit.score + _CHANGE_WEIGHT * strength(hit)) for hit in material.hits]
    items = tuple(
        raw_item(hit, order, resolve=True, score=score)
        for hit, score in chosen(scored, material.operation.top_k)
    )
    return Evidence(items=items, hits=material.hits, details={"timeline": True})


def strength(hit: Hit) -> float:
    """The strongest statement of change in the chunk, 0–1."""
    return max((change_strength(sentence) for sentence in sentences(hit.chunk.text)), default=0.0)

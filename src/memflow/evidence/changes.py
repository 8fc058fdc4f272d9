"""state-tracking: statements of change and of states, in the order they happened."""

from __future__ import annotations

from memflow.evidence.material import Material, by_time, chosen, raw_item
from memflow.language import strongest_change
from memflow.types import Evidence

_CHANGE_WEIGHT = 1.0


def changes(material: Material) -> Evidence:
    """Chunks that state a change rank higher; all are shown oldest first, dates written out."""
    order = by_time(material.hits)
    scored = [
        (hit, hit.score + _CHANGE_WEIGHT * strongest_change(hit.chunk.text))
        for hit in material.hits
    ]
    items = tuple(
        raw_item(hit, order, resolve=True, score=score)
        for hit, score in chosen(scored, material.operation.top_k)
    )
    return Evidence(items=items, hits=material.hits, details={"timeline": True})

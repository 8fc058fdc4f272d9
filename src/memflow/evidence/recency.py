"""conflict-resolution: the newest value wins, and older ones say so."""

from __future__ import annotations

from dataclasses import replace

from memflow.dates import format_date
from memflow.evidence.material import Material, newest_first, raw_item
from memflow.text import content_words, overlap
from memflow.types import Evidence, Hit

# A hit states the value asked for when it shares this much of the best hit's question words.
_SAME_TOPIC = 0.6


def recency(material: Material) -> Evidence:
    """Newest first; statements on the same topic older than the newest are marked stale.

    What the assistant said repeats what it was told, so only the user's turns (and named
    people's) count as values.
    """
    order = newest_first(material.hits)
    shares = {
        hit.chunk.key: overlap(set(material.question_words), content_words(hit.chunk.text))
        for hit in material.hits
    }
    stated = [hit for hit in material.hits if hit.chunk.turn.role != "assistant"]
    best = max((shares[hit.chunk.key] for hit in stated), default=0.0)
    on_topic = [
        hit
        for hit in stated
        if best > 0 and shares[hit.chunk.key] >= _SAME_TOPIC * best and hit.chunk.turn.time
    ]
    newest = max(on_topic, key=_when, default=None)
    items = []
    for hit in material.hits:
        item = raw_item(hit, order, resolve=True)
        if newest is not None and hit in on_topic and _when(hit)[0] < _when(newest)[0]:
            when = newest.chunk.turn.time
            assert when is not None
            item = replace(item, stale=True, note=f"older; see {format_date(when.date())}")
        items.append(item)
    details = {"newest": newest.chunk.turn.id} if newest is not None else {}
    return Evidence(items=tuple(items), hits=material.hits, details=details)


def _when(hit: Hit) -> tuple[float, int]:
    time = hit.chunk.turn.time
    return (time.timestamp() if time else float("-inf"), hit.chunk.key)

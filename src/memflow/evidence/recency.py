"""conflict-resolution: the newest value wins, and older ones say so."""

from __future__ import annotations

from dataclasses import replace

from memflow.dates import format_date
from memflow.evidence.material import Material, by_time, chosen, computed, raw_item
from memflow.text import clip, content_words, overlap
from memflow.types import Evidence, Hit, Item

# A hit states the value asked for when it shares this much of the best hit's question words.
_SAME_TOPIC = 0.6
# Words (stemmed) that ask for the present and name no topic.
_ABOUT_NOW = set("now current present moment todai latest newest recent still nowaday".split())
_QUOTE = 240  # characters
# The newest statement on the topic gains as much as half a deviation of relevance.
_NEWNESS_WEIGHT = 0.5


def recency(material: Material) -> Evidence:
    """Oldest to newest, the newest on the topic repeated at the head; older ones are marked stale.

    What the assistant said repeats what it was told, so only the user's turns (and named
    people's) count as values.
    """
    order = by_time(material.hits)
    asked = set(material.question_words) - _ABOUT_NOW
    shares = {hit.chunk.key: overlap(asked, content_words(hit.chunk.text)) for hit in material.hits}
    stated = [hit for hit in material.hits if hit.chunk.turn.role != "assistant"]
    closest = max((shares[hit.chunk.key] for hit in stated), default=0.0)
    on_topic = [
        hit
        for hit in stated
        if closest > 0 and shares[hit.chunk.key] >= _SAME_TOPIC * closest and hit.chunk.turn.time
    ]
    newest = max(on_topic, key=_when, default=None)
    newness = _newness(on_topic)
    items: list[Item] = []
    scored = [
        (hit, hit.score + _NEWNESS_WEIGHT * newness.get(hit.chunk.key, 0.0))
        for hit in material.hits
    ]
    topical = {hit.chunk.key for hit in on_topic}
    for hit, score in chosen(scored, material.operation.top_k):
        item = raw_item(hit, order, resolve=True, score=score)
        if newest is not None and hit.chunk.key in topical and _when(hit)[0] < _when(newest)[0]:
            when = newest.chunk.turn.time
            assert when is not None
            item = replace(item, stale=True, note=f"older; see {format_date(when.date())}")
        items.append(item)
    details = {"newest": newest.chunk.turn.id} if newest is not None else {}
    head = (_newest_item(newest),) if newest is not None else ()
    return Evidence(items=head + tuple(items), hits=material.hits, details=details)


def _newest_item(hit: Hit) -> Item:
    turn = hit.chunk.turn
    assert turn.time is not None
    said = format_date(turn.time.date())
    return replace(
        computed(f"{said}, {turn.speaker}: {clip(hit.chunk.text, _QUOTE)}", [turn], 0),
        heading="Newest statement on this:",
    )


def _newness(hits: list[Hit]) -> dict[int, float]:
    """0 for the oldest to 1 for the newest, by rank in time."""
    ordered = sorted(hits, key=_when)
    last = max(len(ordered) - 1, 1)
    return {hit.chunk.key: place / last for place, hit in enumerate(ordered)}


def _when(hit: Hit) -> tuple[float, int]:
    time = hit.chunk.turn.time
    return (time.timestamp() if time else float("-inf"), hit.chunk.key)

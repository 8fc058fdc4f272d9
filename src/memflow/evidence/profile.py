"""profile-injection: who the user is, then their own words on the topic."""

from __future__ import annotations

from memflow.dates import format_date
from memflow.evidence.material import Material, by_relevance, raw_item
from memflow.text import content_words, overlap
from memflow.types import Evidence, Fact, Item, SessionKind, Slot, Turn

# More facts than this distract a small reader; the most relevant and newest are kept.
MAX_FACTS = 24
_ALWAYS = {"instruction", "identity"}


def profile(material: Material) -> Evidence:
    """Profile facts are pinned; the user's own turns on the topic follow, assistants' do not."""
    chosen = sorted(material.facts, key=lambda fact: _rank(material, fact))[:MAX_FACTS]
    pinned = tuple(
        fact_item(fact) for fact in sorted(chosen, key=lambda fact: (fact.kind, fact.key, fact.id))
    )
    own = tuple(hit for hit in material.hits if hit.chunk.turn.role != "assistant")
    order = by_relevance(own)
    raw = tuple(raw_item(hit, order, resolve=False) for hit in own)
    return Evidence(items=pinned + raw, hits=material.hits)


def fact_item(fact: Fact) -> Item:
    """One line a fact: key, the sentence it was said in, and when."""
    said = f" (said {format_date(fact.time.date())})" if fact.time else ""
    owner = "" if fact.subject == "user" else f"{fact.subject}, "
    source = Turn(
        id=fact.turn_id,
        session="",
        position=0,
        role="user",
        speaker=fact.subject,
        text=fact.quote,
        time=fact.time,
        kind=SessionKind.ASSISTANT,
    )
    return Item(
        slot=Slot.PINNED,
        text=f"{owner}{fact.key}: {fact.value} — “{fact.quote}”{said}",
        turns=(source,),
        score=0.0,
        order=(fact.kind, fact.key, fact.id),
    )


def _rank(material: Material, fact: Fact) -> tuple[object, ...]:
    shared = overlap(content_words(f"{fact.key} {fact.quote}"), set(material.question_words))
    stamp = fact.time.timestamp() if fact.time else 0.0
    return (-shared, fact.kind not in _ALWAYS, -stamp, fact.id)

"""profile-injection: who the user is, then their own words on the topic."""

from __future__ import annotations

from memflow.dates import format_date
from memflow.evidence.material import Material, by_relevance, raw_item
from memflow.text import clip, content_words, overlap
from memflow.types import Evidence, Fact, Item, SessionKind, Slot, Turn

# A small reader loses itself in a long profile: the facts that bear on the question are pinned,
# a few more may follow where there is room.
SMALL_PROFILE = 12  # put in whole, as in the paper
PINNED_FACTS = 6
MORE_FACTS = 12
_ALWAYS = {"instruction"}
_QUOTE = 160  # characters of a fact's sentence that are shown
_PINNED_CHARACTERS = 700


def profile(material: Material) -> Evidence:
    """Facts that bear on the question are pinned; then other facts, then the user's own turns."""
    ranked = sorted(
        (fact for fact in material.facts if _is_asked_about(material, fact)),
        key=lambda fact: _rank(material, fact),
    )
    bearing = [fact for fact in ranked if _shared(material, fact) or fact.kind in _ALWAYS]
    pinned = within(ranked if len(ranked) <= SMALL_PROFILE else bearing[:PINNED_FACTS])
    more = [fact for fact in ranked if fact not in pinned][:MORE_FACTS]
    facts = [fact_item(fact, Slot.PINNED, 0.0) for fact in pinned]
    facts += [fact_item(fact, Slot.PREPARED, float(-place)) for place, fact in enumerate(more)]
    own = tuple(hit for hit in material.hits if hit.chunk.turn.role != "assistant")
    order = by_relevance(own)
    raw = [raw_item(hit, order, resolve=False) for hit in own]
    return Evidence(items=(*facts, *raw), hits=material.hits)


def within(facts: list[Fact]) -> list[Fact]:
    """As many, in order, as pinned text may hold: what is pinned is never cut, so it is bounded
    here, far below any budget."""
    kept: list[Fact] = []
    length = 0
    for fact in facts:
        length += len(fact.key) + min(len(fact.quote), _QUOTE)
        if length > _PINNED_CHARACTERS:
            break
        kept.append(fact)
    return kept


def fact_item(fact: Fact, slot: Slot = Slot.PINNED, score: float = 0.0) -> Item:
    """One line a fact: what it is, the sentence that says so, and when it was said."""
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
        slot=slot,
        text=f"{owner}{clip(fact.key, 40)}: “{clip(fact.quote, _QUOTE)}”{said}",
        turns=(source,),
        score=score,
        order=(-score, fact.kind, fact.key, fact.id),
        heading="Known about the user:" if slot is Slot.PINNED else "Also known:",
    )


def _is_asked_about(material: Material, fact: Fact) -> bool:
    """Among several people, only those the question names."""
    people = {fact.subject for fact in material.facts}
    named = {person for person in people if content_words(person) & material.question_words}
    return not named or fact.subject in named


def _shared(material: Material, fact: Fact) -> float:
    return overlap(
        content_words(f"{fact.key} {fact.quote}") - content_words(fact.subject),
        set(material.question_words),
    )


def _rank(material: Material, fact: Fact) -> tuple[object, ...]:
    stamp = fact.time.timestamp() if fact.time else 0.0
    return (-_shared(material, fact), fact.kind not in _ALWAYS, -stamp, fact.id)

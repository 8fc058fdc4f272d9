"""temporal-reasoning: a timeline with every date written out, and intervals computed beforehand.

A small reader repeats "last Friday", or gives the session's date for the event's; and it cannot
subtract dates. So code locates each event of the question in the evidence, resolves its date
against the turn it stands in, and states interval and order as facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memflow.dates import (
    DateMention,
    describe_interval,
    find_dates,
    format_date,
    format_mention,
    interval,
    unit_asked,
)
from memflow.evidence.material import Material, by_time, computed, raw_item
from memflow.evidence.wording import asks_elapsed_since, asks_order, asks_when
from memflow.text import clip, content_words, overlap, sentences
from memflow.types import Evidence, Hit, Turn

# Share of an event's words that its sentence must hold to be taken for the event.
_LOCATED = 0.5
# From here on code answers by itself when there is no model.
_SURE = 0.6
_QUOTE = 160
# Words (stemmed) that ask for a time and tell nothing of the event.
_ABOUT_TIME = set(
    "mani dai day week month year hour ago long time date pass between sinc last".split()
)


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event of the question, found: where, when, and how sure (0–1)."""

    wording: str
    turn: Turn
    sentence: str
    day: date  # the date itself, or the best guess within a vague one
    mention: DateMention | None  # None: the sentence names no date, `day` is when it was told
    share: float

    @property
    def when(self) -> str:
        if self.mention is None:
            return f"{format_date(self.day)} (the day it was told)"
        return format_mention(self.mention)


def chronology(material: Material) -> Evidence:
    """Oldest first, dates resolved; computed dates, intervals and order lead the context."""
    order = by_time(material.hits)
    raw = tuple(raw_item(hit, order, resolve=True) for hit in material.hits)
    located = _located(material)
    facts, answer = _computed(material, located)
    turns = tuple(event.turn for event in located)
    items = tuple(computed(text, turns, rank) for rank, text in enumerate(facts))
    return Evidence(
        items=items + raw,
        hits=material.hits,
        answer=answer,
        answer_turns=turns if answer else (),
        details={
            "events": [
                {
                    "wording": event.wording,
                    "turn": event.turn.id,
                    "date": event.day.isoformat(),
                    "stated": event.mention is not None,
                    "share": round(event.share, 3),
                }
                for event in located
            ]
        },
    )


def _located(material: Material) -> list[DatedEvent]:
    wordings = material.events or (material.question,)
    found = (locate(wording, material.hits) for wording in wordings)
    return [event for event in found if event is not None]


def locate(wording: str, hits: tuple[Hit, ...]) -> DatedEvent | None:
    """The sentence that tells of the event: most of its words, then rank, then a stated date."""
    words = content_words(wording) - _ABOUT_TIME or content_words(wording)
    best: tuple[tuple[float, ...], DatedEvent] | None = None
    for rank, hit in enumerate(hits):
        turn = hit.chunk.turn
        if turn.time is None or turn.role == "assistant":
            continue
        speaker = content_words(turn.speaker)
        whole = content_words(hit.chunk.text) | speaker
        for sentence in sentences(hit.chunk.text):
            own = overlap(words, content_words(sentence) | speaker)
            share = (own + overlap(words, whole)) / 2
            if share < _LOCATED:
                continue
            event = _dated(wording, turn, sentence, share)
            key = (share + (0.15 if event.mention else 0.0) - 0.01 * rank, -float(rank))
            if best is None or key > best[0]:
                best = (key, event)
    return best[1] if best else None


def _dated(wording: str, turn: Turn, sentence: str, share: float) -> DatedEvent:
    assert turn.time is not None
    mentions = find_dates(sentence, turn.time)
    mention = min(mentions, key=_vagueness, default=None)
    day = mention.middle if mention else turn.time.date()
    return DatedEvent(wording, turn, sentence, day, mention, share)


def _vagueness(mention: DateMention) -> tuple[int, int]:
    return ((mention.last - mention.first).days, mention.start)


def _computed(material: Material, located: list[DatedEvent]) -> tuple[list[str], str | None]:
    """Statements for the context, and the answer if the question is settled by them."""
    facts = [
        f"“{clip(event.sentence, _QUOTE)}” ({event.turn.speaker}): {event.when}."
        for event in located
    ]
    sure = all(event.share >= _SURE for event in located)
    answer: str | None = None
    if len(located) >= 2 and len(material.events) >= 2:
        ordered = sorted(located, key=lambda event: (event.day, event.turn.position))
        if len({event.turn.id for event in located}) == len(located) or _distinct(located):
            sequence = "; then ".join(f"{event.wording} ({event.when})" for event in ordered)
            facts.append(f"Order: {sequence}.")
            gap = interval(ordered[0].day, ordered[-1].day)
            text = describe_interval(gap, unit_asked(material.question))
            facts.append(
                f"From {format_date(ordered[0].day)} to {format_date(ordered[-1].day)}: {text}."
            )
            if sure and len(located) == len(material.events):
                answer = sequence if asks_order(material.question) else text
    elif len(located) == 1 and not material.events:
        [event] = located
        if asks_elapsed_since(material.question):
            gap = interval(event.day, material.now.date())
            text = describe_interval(gap, unit_asked(material.question))
            facts.append(
                f"From {format_date(event.day)} to today, "
                f"{format_date(material.now.date())}: {text}."
            )
            answer = f"{text} ago" if sure else None
        elif asks_when(material.question) and sure:
            answer = event.when
    return facts, answer


def _distinct(located: list[DatedEvent]) -> bool:
    return len({(event.turn.id, event.day) for event in located}) == len(located)

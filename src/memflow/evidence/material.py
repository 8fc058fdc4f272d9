"""What a preparation gets, and the items that most of them make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memflow.dates import find_dates, format_mention
from memflow.operations import Operation
from memflow.text import content_words
from memflow.types import Fact, Hit, Item, Slot, Turn

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Material:
    """One question's retrieved hits (best first) and profile facts; `now` is the asker's time.

    `events` are the question's event spans, when it compares events.
    """

    question: str
    operation: Operation
    hits: tuple[Hit, ...]
    facts: tuple[Fact, ...]
    now: datetime
    events: tuple[str, ...] = ()
    shard_turns: int = 5
    question_words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "question_words", frozenset(content_words(self.question)))


Order = Callable[[Hit], tuple[object, ...]]


def moment(turn: Turn) -> tuple[object, ...]:
    """Reading order: time (undated last), session, position."""
    return ((turn.time or _NEVER).timestamp(), turn.session, turn.position)


def by_time(hits: Sequence[Hit]) -> Order:
    """Oldest session first; turns of one session stay together."""
    started: dict[str, tuple[object, ...]] = {}
    for hit in hits:
        turn = hit.chunk.turn
        started[turn.session] = min(started.get(turn.session, moment(turn)), moment(turn))
    return lambda hit: (*started[hit.chunk.turn.session], *moment(hit.chunk.turn), hit.chunk.start)


def by_relevance(hits: Sequence[Hit]) -> Order:
    """The session of the best hit last, next to the question, where a small reader looks first;
    inside a session, as it was said."""
    best: dict[str, float] = {}
    for hit in hits:
        best.setdefault(hit.chunk.turn.session, hit.score)
    return lambda hit: (
        best[hit.chunk.turn.session],
        hit.chunk.turn.session,
        hit.chunk.turn.position,
        hit.chunk.start,
    )


def best(items: Sequence[Item], count: int) -> tuple[Item, ...]:
    """The `count` items of highest score, ties by turn id: a preparation's choice from its pool."""
    ranked = sorted(items, key=lambda item: (-item.score, item.turns[0].id, item.span or (0, 0)))
    return tuple(ranked[:count])


def chosen(scored: Sequence[tuple[Hit, float]], count: int) -> list[tuple[Hit, float]]:
    """As `best`, of hits: before their dates are resolved, which costs more than the choice."""
    ranked = sorted(
        scored,
        key=lambda pair: (
            -pair[1],
            pair[0].chunk.turn.id,
            (pair[0].chunk.start, pair[0].chunk.end),
        ),
    )
    return ranked[:count]


def resolved(text: str, said: datetime) -> str:
    """Relative dates followed by what they resolve to; the day of the turn itself stands above it
    already, so "today" is left as it is."""
    written = text
    for mention in reversed(find_dates(text, said)):
        today = mention.first == mention.last == said.date()
        if mention.relative and not today:
            place = mention.end
            written = f"{written[:place]} [{format_mention(mention)}]{written[place:]}"
    return written


def raw_item(hit: Hit, order: Order, *, resolve: bool, score: float | None = None) -> Item:
    """A chunk as evidence; `resolve` writes relative dates out, against the turn's own time."""
    turn = hit.chunk.turn
    text = hit.chunk.text
    return Item(
        slot=Slot.RAW,
        text=resolved(text, turn.time) if resolve and turn.time else text,
        turns=(turn,),
        score=hit.score if score is None else score,
        order=order(hit),
        span=(hit.chunk.start, hit.chunk.end),
    )


def computed(text: str, turns: Sequence[Turn], rank: int) -> Item:
    """A statement that code derived, with the turns it derives from; lower rank first."""
    return Item(
        slot=Slot.PREPARED,
        text=text,
        turns=tuple(turns),
        score=float(-rank),
        order=(rank,),
        heading="Computed:",
    )

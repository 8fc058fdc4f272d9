"""Short hands for the values that the read path's tests build over and over."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from typing import TypeVar

from memflow.calls import Finish, ModelCall, ModelReply
from memflow.evidence import Material
from memflow.operations import OPERATIONS
from memflow.types import Chunk, Fact, Hit, Intent, Item, Packed, SessionKind, Slot, Turn

T = TypeVar("T")


def at(year: int, month: int, day: int, hour: int = 12) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


def turn(
    text: str,
    *,
    id: str = "t1",
    session: str = "s1",
    position: int = 0,
    role: str = "user",
    speaker: str = "user",
    time: datetime | None = None,
    kind: SessionKind = SessionKind.ASSISTANT,
) -> Turn:
    return Turn(id, session, position, role, speaker, text, time, kind)


def hit(said: Turn, score: float = 1.0, *, key: int = 0) -> Hit:
    return Hit(Chunk(key, said, 0, len(said.text)), score)


def hits(turns: Iterable[Turn], scores: Iterable[float] | None = None) -> tuple[Hit, ...]:
    """Best first: descending scores unless they are given."""
    listed = list(turns)
    given = list(scores) if scores is not None else [2.0 - 0.1 * n for n in range(len(listed))]
    return tuple(
        hit(said, score, key=n) for n, (said, score) in enumerate(zip(listed, given, strict=True))
    )


def fact(
    quote: str,
    *,
    id: int = 1,
    key: str = "home",
    kind: str = "identity",
    subject: str = "user",
    time: datetime | None = None,
) -> Fact:
    return Fact(id, subject, key, quote, kind, f"turn-of-fact-{id}", quote, time)


def raw(text: str, *, id: str = "t1", score: float = 1.0, place: int = 0) -> Item:
    said = turn(text, id=id, position=place)
    return Item(Slot.RAW, text, (said,), score, (place,), span=(0, len(text)))


def material(
    question: str,
    intent: Intent,
    found: tuple[Hit, ...],
    *,
    facts: tuple[Fact, ...] = (),
    now: datetime | None = None,
    events: tuple[str, ...] = (),
) -> Material:
    return Material(
        question=question,
        operation=OPERATIONS[intent],
        hits=found,
        facts=facts,
        now=now or at(2025, 7, 1),
        events=events,
    )


def packed(*texts: str) -> Packed:
    """A context of these lines, each from a turn of its own."""
    items = tuple(raw(text, id=f"t{n}", place=n) for n, text in enumerate(texts))
    body = "\n".join(["<memory>", *(f"user: {text}" for text in texts), "</memory>"])
    return Packed(body, len(body), items)


def reply(text: str, finish: Finish = Finish.STOP) -> ModelReply:
    return ModelReply(text, finish, 10, 5, 1.0)


def play(
    stage: Generator[ModelCall, ModelReply, T], replies: Iterable[str | Exception]
) -> tuple[T, list[ModelCall]]:
    """Drive a stage with replies; its result and the calls it made. Too few replies fail."""
    asked: list[ModelCall] = []
    script = iter(replies)
    try:
        call = next(stage)
        while True:
            asked.append(call)
            said = next(script, None)
            assert said is not None, f"an unexpected call: {call.purpose}"
            call = stage.throw(said) if isinstance(said, Exception) else stage.send(reply(said))
    except StopIteration as stop:
        return stop.value, asked

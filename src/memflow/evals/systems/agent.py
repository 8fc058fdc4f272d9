"""A model that acts in turns: it writes a command, code carries it out, it sees what came of it.

What both agents share: reading commands leniently, a transcript that stays within the window (the
oldest observations are shortened first), a last turn in which an answer is due, one typed reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from memflow.calls import ModelCall, Purpose
from memflow.errors import ModelError
from memflow.evals.systems.base import Flow, Reply
from memflow.evals.systems.commands import Command, read
from memflow.evals.systems.reader import (
    ANSWER_TOKENS,
    NOTHING,
    Reader,
    failure,
    once,
    reply,
)
from memflow.types import Item, Message, Packed

STEP_TOKENS = 160
"""Room for a thought and a command; an answer has what all systems' answers have."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of a command: a note, and memory in versions from full to none."""

    note: str
    versions: tuple[Packed, ...] = (NOTHING,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """`opening` gives the prompt up to the first turn, around `base`, the memory that is always
    shown. `act` carries out a command that is none of `final`. At most `turns` replies; the newest
    `keep` observations are shown in full as long as the window allows."""

    names: tuple[str, ...]
    final: tuple[str, ...]
    opening: Callable[[str], Sequence[Message]]
    base: Packed
    act: Callable[[Command], Observation]
    turns: int
    keep: int
    example: str
    last_call: str


@dataclass(slots=True)
class _Step:
    said: str
    seen: Observation
    version: int = 0


def converse(agent: Agent, reader: Reader) -> Flow[Reply]:
    """Ends with the model's answer, or with what its last reply says outside of commands."""
    ledger = reader.ledger(agent.turns)
    steps: list[_Step] = []
    text, shown = "", agent.base
    for turn in range(1, agent.turns + 1):
        last = turn == agent.turns
        prompt = _prompt(agent, steps, reader, last=last)
        if prompt is None:
            return failure("the question alone does not fit the model's window", shown, ledger)
        shown = _shown(agent, steps, reader)
        call = ModelCall(
            Purpose.ANSWER if turn == 1 else Purpose.TOOL,
            prompt,
            ANSWER_TOKENS if last else STEP_TOKENS,
            stop=("Observation:",),
        )
        try:
            with ledger.stage("answer"):
                said = yield from ledger.metered(once(call))
        except ModelError as error:
            return failure(f"model failed: {error}", shown, ledger)
        text = said.text
        command = read(text, (*agent.names, *agent.final))
        answer = _answer(text, command, agent, acted=bool(steps) or last)
        if answer is not None:
            return reply(answer, shown, ledger)
        if command is None:
            seen = Observation(f"That is no command. Write one line like: {agent.example}")
            steps.append(_Step(text, seen))
        else:
            steps.append(_Step(text[: command.end].rstrip(), agent.act(command)))
        _page_out(steps, agent.keep)
    return reply(_outside(text), shown, ledger, reason="no answer within its turns")


# --------------------------------------------------------------------------- what was said

_ANSWER = re.compile(r"^\W*(?:final answer|answer)\W*:\W*?(?P<text>\S.*)", re.I | re.M | re.S)
_MARKED = re.compile(
    r"^\W*(?:thought|action|observation|action input|input)\s*\d*\s*:", re.I | re.M
)
_COMMAND_LINE = re.compile(r"^\W*(?:action|action input|observation)\s*\d*\s*:.*$", re.I | re.M)
_THOUGHT = re.compile(r"^\W*thought\s*\d*\s*:\s*", re.I | re.M)


def _answer(text: str, command: Command | None, agent: Agent, *, acted: bool) -> str | None:
    """The answer if the reply gives one. Words without any command are one too, but not before
    anything was looked up."""
    if command is not None:
        if command.name in agent.final:
            return ", ".join((*command.arguments, *command.named.values()))
        return None
    match = _ANSWER.search(text)
    if match:
        return match["text"].strip()
    if acted and text.strip() and not _MARKED.search(text):
        return text.strip()
    return None


def _outside(text: str) -> str:
    """The words of a reply that are no command."""
    return _THOUGHT.sub("", _COMMAND_LINE.sub("", text)).strip()


# --------------------------------------------------------------------------- what is shown


def _page_out(steps: Sequence[_Step], keep: int) -> None:
    """Memory of observations before the newest `keep` that hold any is put away."""
    holding = [step for step in steps if step.seen.versions[0].items]
    for step in holding[: max(len(holding) - keep, 0)]:
        step.version = len(step.seen.versions) - 1


def _prompt(
    agent: Agent, steps: list[_Step], reader: Reader, *, last: bool
) -> tuple[Message, ...] | None:
    """Shortened until it fits: observations first, the oldest before others, then whole steps."""
    room = ANSWER_TOKENS if last else STEP_TOKENS
    while True:
        messages = _messages(agent, steps, last=last)
        if reader.over(messages, room) <= 0:
            return messages
        longest = next((s for s in steps if s.version < len(s.seen.versions) - 1), None)
        if longest is not None:
            longest.version += 1
        elif steps:
            steps.pop(0)
        else:
            return None


def _messages(agent: Agent, steps: Sequence[_Step], *, last: bool) -> tuple[Message, ...]:
    turns = chain.from_iterable(
        (Message("assistant", step.said or "…"), Message("user", _observed(step))) for step in steps
    )
    messages = (*agent.opening(agent.base.text), *turns)
    if last:
        final = messages[-1]
        messages = (*messages[:-1], Message(final.role, f"{final.content}\n{agent.last_call}"))
    return messages


def _observed(step: _Step) -> str:
    memory = step.seen.versions[step.version]
    gone = step.version == len(step.seen.versions) - 1 and step.version > 0
    shown = "(put away; search again if it is needed)" if gone else memory.text
    return "\n".join(part for part in (f"Observation: {step.seen.note}".strip(), shown) if part)


def _shown(agent: Agent, steps: Sequence[_Step], reader: Reader) -> Packed:
    """All memory in the prompt as one context, each piece once."""
    packs = [agent.base, *(step.seen.versions[step.version] for step in steps)]
    held = [packed for packed in packs if packed.items]
    text = "\n".join(packed.text for packed in held)
    items: dict[object, Item] = {}
    for item in chain.from_iterable(packed.items for packed in held):
        items.setdefault((item.text, *(turn.id for turn in item.turns)), item)
    return Packed(text, reader.counter.count(text), tuple(items.values()))

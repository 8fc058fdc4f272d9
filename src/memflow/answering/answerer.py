"""The answer call and its tool rounds; and what code alone can answer."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime

from memflow.answering import counting, prompting, timeline
from memflow.answering.tools import ToolResult, run_tools
from memflow.calls import CallBudget, Finish, ModelCall, ModelReply, Purpose
from memflow.operations import Operation
from memflow.settings import Settings
from memflow.text import content_words, overlap, sentences
from memflow.types import Evidence, Item, Message, Packed, Slot, Turn

_LABEL = re.compile(
    r"^\s*(?:(?:final\s+)?answer|resposta|respuesta|reply)\s*[:\-–]\s*", re.IGNORECASE
)
_TOOL_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Draft:
    """A reply before validation. `messages` is the whole exchange, for a check that continues it.

    `counted` is True when code counted what the model listed.
    """

    text: str
    finish: Finish
    messages: tuple[Message, ...]
    tools: tuple[ToolResult, ...] = ()
    counted: bool = False


def answer(
    question: str,
    packed: Packed,
    operation: Operation,
    evidence: Evidence,
    now: datetime,
    budget: CallBudget,
    settings: Settings,
    purpose: Purpose = Purpose.ANSWER,
) -> Generator[ModelCall, ModelReply, Draft]:
    """One call; more only while the reply asks for a tool, rounds remain and a call is to spare."""
    messages = prompting.messages(question, packed, operation, evidence, now)
    reply = yield ModelCall(purpose, messages, operation.answer_tokens)
    results: list[ToolResult] = []
    while operation.tools:
        result = run_tools(reply.text, operation.tools, packed.text)
        if result is None:
            break
        results.append(result)
        if len(results) >= settings.tool_rounds or budget.left < 1:
            # No call left to phrase it: the computed result is the answer.
            text = result.result or reply.text
            return Draft(text, Finish.STOP, messages, tuple(results))
        messages = (
            *messages,
            Message("assistant", reply.text),
            Message("user", _tool_message(result)),
        )
        reply = yield ModelCall(Purpose.TOOL, messages, _TOOL_TOKENS)
    text = _LABEL.sub("", reply.text).strip()
    number = counting.counted(text) if evidence.details.get("count") else None
    steps = timeline.redated(text, packed) if evidence.details.get("timeline") else None
    return Draft(number or steps or text, reply.finish, messages, tuple(results), bool(number))


def _tool_message(result: ToolResult) -> str:
    if result.error:
        return f"TOOL_ERROR: {result.error}\nAnswer the question without a tool."
    return f"TOOL_RESULT: {result.result}\nNow answer the question with this result."


@dataclass(frozen=True, slots=True)
class Extract:
    """What code alone answers: the text, the turns it rests on, and how it was found."""

    text: str
    turns: tuple[Turn, ...]
    how: str


# Cosine from which a turn that shares no word with the question still bears on it (MiniLM).
_SAME_MEANING = 0.35


def extract(question: str, packed: Packed, evidence: Evidence) -> Extract | None:
    """A computed answer if there is one, else the best evidence sentence; None when neither."""
    if evidence.answer:
        return Extract(evidence.answer, evidence.answer_turns, "computed")
    words = content_words(question)
    meaning = {hit.chunk.turn.id: hit.scores.get("dense", 0.0) for hit in reversed(evidence.hits)}
    best: tuple[tuple[float, float, int], str, Item] | None = None
    for item in packed.items:
        if item.slot is Slot.PREPARED or item.stale:
            continue
        near = meaning.get(item.turns[0].id, 0.0)
        for place, sentence in enumerate(sentences(item.text)):
            share = overlap(words, content_words(sentence))
            if share == 0.0 and near < _SAME_MEANING:
                continue
            key = (share + near, item.score, -place)
            if best is None or key > best[0]:
                best = (key, sentence, item)
    if best is None:
        return None
    return Extract(best[1], best[2].turns, "best evidence sentence")

"""The messages of an answer call: constant part first, so that the prefix cache serves it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from memflow.dates import format_date
from memflow.operations import Operation
from memflow.prompts import load
from memflow.types import Evidence, Message, Packed, SessionKind


def messages(
    question: str, packed: Packed, operation: Operation, evidence: Evidence, now: datetime
) -> tuple[Message, ...]:
    """System: grounding, framing, task; the worked examples; then memories, date, question."""
    return (
        Message("system", system_prompt(operation, evidence)),
        *load(prompt_name(operation, evidence)).examples,
        Message(
            "user",
            f"{packed.text}\n\nToday is {format_date(now.date())}.\nQuestion: {question.strip()}",
        ),
    )


def system_prompt(operation: Operation, evidence: Evidence) -> str:
    return "\n".join(load(name).text for name in _names(operation, evidence))


def prompt_hashes(operation: Operation, evidence: Evidence) -> dict[str, str]:
    """The prompt files an operation uses, the check's among them, by sha256: for the trace."""
    names = (*_names(operation, evidence), operation.check)
    return {name: load(name).sha256 for name in names}


def _names(operation: Operation, evidence: Evidence) -> tuple[str, ...]:
    return ("grounding", f"frame-{framing(evidence)}", prompt_name(operation, evidence))


def prompt_name(operation: Operation, evidence: Evidence) -> str:
    """The row's prompt, or its counting variant when the evidence is to be counted."""
    return f"{operation.prompt}-count" if evidence.details.get("count") else operation.prompt


def framing(evidence: Evidence) -> SessionKind:
    """The kind most of the evidence is of; ties go to the first in the enumeration."""
    kinds = Counter(item.turns[0].kind for item in evidence.items if item.turns)
    return max(SessionKind, key=lambda kind: kinds[kind])

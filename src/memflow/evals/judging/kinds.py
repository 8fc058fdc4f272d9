"""What the judge is asked, by kind of question: kinds.toml and the prompt files it names.

The instruction and its examples come first and are the same for all questions of a prompt, so that
a runtime reads them once; what differs comes last.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources

from memflow.evals.cases import Case
from memflow.prompts import load
from memflow.types import Message


class Kind(StrEnum):
    """What makes an answer right, where it differs from agreeing with the reference."""

    PLAIN = "plain"
    TEMPORAL = "temporal"
    UPDATE = "update"
    RUBRIC = "rubric"  # the gold says what the asker would want
    CRITERION = "criterion"  # a question about the reply, beside the case's own
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Instruction:
    """The prompt file, and a note of one or two sentences that stands before its question."""

    prompt: str
    note: str
    categories: tuple[str, ...]


def kind_of(case: Case) -> Kind:
    """By what the case has; by its category only where gold and question look like any other."""
    if case.criterion is not None:
        return Kind.CRITERION
    if not case.answerable:
        return Kind.UNANSWERABLE
    return _by_category().get(case.category, Kind.PLAIN)


def messages(case: Case, answer: str, *, characters: int) -> tuple[Message, ...]:
    """The whole prompt; answer and reference are cut to so many characters each."""
    kind = kind_of(case)
    instruction = instructions()[kind]
    prompt = load(instruction.prompt)
    *examples, asked = prompt.examples
    lines = [f"Question: {clipped(case.question, characters)}"]
    lines += _reference(case, kind, characters)
    lines.append(f"{_NAMES.get(kind, 'Answer')}: {clipped(answer, characters)}")
    if instruction.note:
        lines.append(instruction.note)
    lines.append(asked.content)
    return (
        Message("system", prompt.text),
        *examples,
        Message("user", "\n".join(lines)),
    )


_NAMES: Mapping[Kind, str] = {
    Kind.RUBRIC: "Reply",
    Kind.CRITERION: "Reply",
    Kind.UNANSWERABLE: "Reply",
}


def _reference(case: Case, kind: Kind, characters: int) -> list[str]:
    gold = " / ".join(each for each in (case.gold, *case.alternatives) if each)
    gold = clipped(gold, characters)
    match kind:
        case Kind.CRITERION:
            return [f"Criterion: {clipped(case.criterion or '', characters)}"]
        case Kind.RUBRIC:
            return [f"Rubric: {gold}"]
        case Kind.UNANSWERABLE:
            return [f"Why it cannot be answered: {gold}"] if gold else []
        case _:
            return [f"Reference: {gold}"]


def clipped(text: str, characters: int) -> str:
    """On one line; of a longer text the beginning and the end, where answers state their result."""
    text = " ".join(text.split())
    if len(text) <= characters:
        return text
    head = characters * 3 // 5
    return f"{text[:head]} … {text[len(text) - (characters - head) :]}"


@cache
def instructions() -> Mapping[Kind, Instruction]:
    table = tomllib.loads(_kinds_file())
    return {
        Kind(name): Instruction(row["prompt"], row["note"], tuple(row.get("categories", ())))
        for name, row in table.items()
    }


@cache
def _by_category() -> Mapping[str, Kind]:
    return {
        category: kind
        for kind, instruction in instructions().items()
        for category in instruction.categories
    }


@cache
def prompt_sha256() -> str:
    """Of all the judge is told: a figure measured with another wording is another judge's."""
    names = sorted({instruction.prompt for instruction in instructions().values()})
    parts = [_kinds_file(), *(load(name).sha256 for name in names)]
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()


@cache
def _kinds_file() -> str:
    return (resources.files(__package__) / "kinds.toml").read_text(encoding="utf-8")

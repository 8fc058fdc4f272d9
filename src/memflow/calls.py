"""A request to the language model, its reply, and the budget every request must pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memflow.errors import CallBudgetExceeded
from memflow.types import Message


class Purpose(StrEnum):
    """The points at which the model is consulted."""

    ROUTE = "route"
    ANSWER = "answer"
    TOOL = "tool"
    CHECK = "check"
    RETRY = "retry"
    EXTRACT = "extract"
    JUDGE = "judge"  # of evaluation: says whether another model's answer is right


class Finish(StrEnum):
    """How a reply ended. Everything but STOP is for the next layer to handle."""

    STOP = "stop"
    LENGTH = "length"
    EMPTY = "empty"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request. At most one of `choices` and `grammar` constrains the output.

    `choices`: the reply is exactly one of these strings; a backend that can, also reports each
    choice's log-probability. `grammar` is GBNF. `max_tokens` bounds the generated tokens.
    """

    purpose: Purpose
    messages: tuple[Message, ...]
    max_tokens: int
    choices: tuple[str, ...] = ()
    grammar: str | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back: thinking text already stripped, tokens as the backend counted them."""

    text: str
    finish: Finish
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float
    choice_logprobs: Mapping[str, float] = field(default_factory=dict)


class CallBudget:
    """Counts the model calls of one answer; `spend` refuses the one too many."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0

    @property
    def left(self) -> int:
        return self.limit - self.spent

    def spend(self, purpose: Purpose) -> None:
        if self.left < 1:
            raise CallBudgetExceeded(
                f"the answer may make {self.limit} model calls; '{purpose}' would be one more"
            )
        self.spent += 1

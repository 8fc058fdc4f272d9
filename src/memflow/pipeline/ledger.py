"""Every model call of an answer passes here: budget, tokens and time are counted once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from memflow.calls import CallBudget, ModelCall, ModelReply, Purpose
from memflow.errors import ModelError
from memflow.types import Usage

T = TypeVar("T")

# Which figure of Usage a call's tokens belong to.
_COLUMN = {
    Purpose.ROUTE: "route",
    Purpose.ANSWER: "answer",
    Purpose.TOOL: "answer",
    Purpose.CHECK: "check",
    Purpose.RETRY: "retry",
    Purpose.EXTRACT: "answer",
    Purpose.JUDGE: "check",
}


class Ledger:
    """One answer's account. Stage times exclude what the stages they contain report themselves."""

    def __init__(self, limit: int, monotonic_ms: Callable[[], float]) -> None:
        self.budget = CallBudget(limit)
        self._now = monotonic_ms
        self._tokens: dict[str, int] = {}
        self._prompt = self._completion = 0
        self._stages: dict[str, float] = {}
        self.calls: list[dict[str, object]] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = self._now()
        try:
            yield
        finally:
            self._stages[name] = self._stages.get(name, 0.0) + self._now() - start

    def metered(
        self, stage: Generator[ModelCall, ModelReply, T]
    ) -> Generator[ModelCall, ModelReply, T]:
        """Drive a stage; a model error goes into it, so that its own fallback sees it."""
        try:
            call = next(stage)
            while True:
                self.budget.spend(call.purpose)
                try:
                    reply = yield call
                except ModelError as error:
                    self.calls.append({"purpose": call.purpose.value, "error": str(error)})
                    call = stage.throw(error)
                    continue
                self._record(call, reply)
                call = stage.send(reply)
        except StopIteration as stop:
            value: T = stop.value
            return value
        finally:
            stage.close()

    def _record(self, call: ModelCall, reply: ModelReply) -> None:
        column = _COLUMN[call.purpose]
        spent = reply.prompt_tokens + reply.completion_tokens
        self._tokens[column] = self._tokens.get(column, 0) + spent
        self._prompt += reply.prompt_tokens
        self._completion += reply.completion_tokens
        self.calls.append(
            {
                "purpose": call.purpose.value,
                "prompt_tokens": reply.prompt_tokens,
                "completion_tokens": reply.completion_tokens,
                "milliseconds": round(reply.milliseconds, 1),
                "finish": reply.finish.value,
                "reply": reply.text,
            }
        )

    def usage(self) -> Usage:
        return Usage(
            model_calls=self.budget.spent,
            prompt=self._prompt,
            completion=self._completion,
            stages_ms={name: round(ms, 2) for name, ms in self._stages.items()},
            **self._tokens,
        )

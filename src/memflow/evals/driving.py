"""Around a system's flow: failures become data, memories built before are not built again, and a
model that is gone ends the run instead of spoiling its answers.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar

from memflow.calls import Finish, ModelCall, ModelReply, Purpose
from memflow.errors import MemFlowError, ModelError, ModelUnavailable
from memflow.evals.journal import Journal
from memflow.evals.systems.base import Flow
from memflow.protocols import ChatModel, ModelInfo, TokenCounter
from memflow.types import Message

T = TypeVar("T")


class ModelGone(MemFlowError):
    """The model cannot be reached any more. No ModelError: a flow must not answer without it."""


class BuildFailed(MemFlowError):
    """A system could not build its memory over a haystack; each of its questions fails so."""


@dataclass(slots=True)
class Outcome(Generic[T]):
    """What became of a flow: its value or an `error`; and the calls that it made in any case."""

    value: T | None = None
    error: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    milliseconds: float = 0.0


def attempt(flow: Flow[T]) -> Flow[Outcome[T]]:
    """The flow, whose failure is an outcome like its value: one question's trouble ends no run."""
    outcome: Outcome[T] = Outcome()
    started = time.perf_counter()
    try:
        outcome.value = yield from _counted(flow, outcome)
    except ModelGone:
        raise
    except MemFlowError as error:
        outcome.error = f"{type(error).__name__}: {error.args[0] if error.args else ''}"
    except Exception as error:
        # A bug, which the report shows as such; hours of other answers are worth keeping.
        outcome.error = f"unexpected {type(error).__name__}: {error}"
    outcome.milliseconds = round((time.perf_counter() - started) * 1000, 1)
    return outcome


def _counted(flow: Flow[T], outcome: Outcome[T]) -> Flow[T]:
    try:
        call = next(flow)
        while True:
            try:
                reply = yield call
            except ModelError as error:
                outcome.calls.append({"purpose": call.purpose.value, "error": str(error)})
                call = flow.throw(error)
                continue
            outcome.prompt_tokens += reply.prompt_tokens
            outcome.completion_tokens += reply.completion_tokens
            outcome.calls.append(
                {
                    "purpose": call.purpose.value,
                    "prompt_tokens": reply.prompt_tokens,
                    "completion_tokens": reply.completion_tokens,
                    "milliseconds": round(reply.milliseconds, 1),
                    "finish": reply.finish.value,
                }
            )
            call = flow.send(reply)
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        flow.close()


class Building:
    """The replies that went into a system's memory: kept, so that a resumed run does not ask again.

    A built memory depends on nothing but its haystack and these replies.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known = {
            (row["group"], row["system"], row["call"]): _reply(row["reply"]) for row in journal.rows
        }

    def replayed(self, group: str, system: str, flow: Flow[T]) -> Flow[T]:
        try:
            call = next(flow)
            while True:
                key = (group, system, _digest(call))
                reply = self._known.get(key)
                if reply is None:
                    try:
                        reply = yield call
                    except ModelError as error:
                        call = flow.throw(error)
                        continue
                    self._known[key] = reply
                    self._keep(key, call.purpose, reply)
                call = flow.send(reply)
        except StopIteration as stop:
            value: T = stop.value
            return value
        finally:
            flow.close()

    def _keep(self, key: tuple[str, str, str], purpose: Purpose, reply: ModelReply) -> None:
        group, system, call = key
        record = asdict(reply) | {"finish": reply.finish.value}
        record["choice_logprobs"] = dict(reply.choice_logprobs)
        self._journal.append(
            {
                "group": group,
                "system": system,
                "call": call,
                "purpose": purpose.value,
                "prompt_tokens": reply.prompt_tokens,
                "completion_tokens": reply.completion_tokens,
                "reply": record,
            }
        )


def _reply(row: dict[str, Any]) -> ModelReply:
    return ModelReply(**(row | {"finish": Finish(row["finish"])}))


def _digest(call: ModelCall) -> str:
    parts = [
        call.purpose.value,
        [[message.role, message.content] for message in call.messages],
        [call.max_tokens, call.choices, call.grammar, call.stop],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


class Lasting:
    """A `ChatModel` that tells a model that is gone from a call that failed.

    A system may fall back when its model is unavailable, as it should in a product; in a
    measurement all further answers would be the fallback's.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    @property
    def counter(self) -> TokenCounter:
        return _LastingCounter(self._model.counter, self)

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        """Raises ModelGone when not even the simplest call comes back."""
        try:
            return self._model.complete(calls)
        except ModelUnavailable as error:
            self.must_be_there(error)
            raise

    def must_be_there(self, error: ModelUnavailable) -> None:
        probe = ModelCall(Purpose.ANSWER, (Message("user", "Say yes."),), max_tokens=1)
        try:
            self._model.complete([probe])
        except ModelUnavailable:
            raise ModelGone(
                f"the model '{self.info.name}' cannot be reached: {error.args[0]}",
                mend="what is done is kept; start the model, then go on with --resume",
            ) from error
        except ModelError:
            pass  # it is there, and complains


class _LastingCounter:
    """A server's tokenizer goes when its model goes."""

    def __init__(self, counter: TokenCounter, model: Lasting) -> None:
        self._counter, self._model = counter, model

    def count(self, text: str) -> int:
        try:
            return self._counter.count(text)
        except ModelUnavailable as error:
            self._model.must_be_there(error)
            raise

    def count_messages(self, messages: Sequence[Message]) -> int:
        try:
            return self._counter.count_messages(messages)
        except ModelUnavailable as error:
            self._model.must_be_there(error)
            raise

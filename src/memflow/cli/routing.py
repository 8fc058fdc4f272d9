"""The router by itself, with what each question cost: for `route` and `eval routing`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from memflow import wiring
from memflow.calls import ModelCall, ModelReply
from memflow.cli.invocation import Invocation
from memflow.evals.routing import Routed
from memflow.intent.router import Router
from memflow.pipeline import drivers

if TYPE_CHECKING:
    from memflow.protocols import ChatModel, ModelInfo, TokenCounter


class Metered:
    """A `ChatModel` that counts what passes through it."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.calls = 0
        self.prompt_tokens = 0

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    @property
    def counter(self) -> TokenCounter:
        return self._model.counter

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        self.calls += len(calls)
        replies = self._model.complete(calls)
        self.prompt_tokens += sum(reply.prompt_tokens for reply in replies)
        return replies


@contextlib.contextmanager
def open_router(
    invocation: Invocation, model: str | None, *, no_model: bool
) -> Iterator[Callable[[str], Routed]]:
    """A function from question to route. No memory is opened: routing reads none.

    With no model to be had the other layers decide, and a note says so.
    """
    chosen = None if no_model else invocation.choose_model(model, required=False)
    settings = invocation.settings(model=chosen)
    encoder = invocation.sentence_encoder or wiring.encoder_for(settings)
    router = Router(settings, encoder)
    chat_model = None if no_model else invocation.chat_model or wiring.model_for(settings)
    if chat_model is None and not no_model:
        invocation.output.note("no model is chosen: routing by rules, examples and keywords")
    meter = Metered(chat_model) if chat_model is not None else None

    def route(question: str) -> Routed:
        before = (meter.calls, meter.prompt_tokens) if meter else (0, 0)
        found = drivers.run(router.route(question, use_model=meter is not None), meter)
        after = (meter.calls, meter.prompt_tokens) if meter else (0, 0)
        return Routed(found, after[0] - before[0], after[1] - before[1])

    try:
        yield route
    finally:
        # A model that was handed in belongs to whoever handed it in.
        if chat_model is not None and chat_model is not invocation.chat_model:
            close = getattr(chat_model, "close", None)
            if close is not None:
                close()

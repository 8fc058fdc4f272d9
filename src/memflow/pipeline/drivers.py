"""Running the flow's generator: synchronously, under asyncio, or many in lock-step.

A generator yields a ModelCall and receives a ModelReply; a model error is thrown into it. An
abandoned generator is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Iterator
from typing import TypeVar

from memflow.calls import ModelCall, ModelReply
from memflow.errors import ModelError, ModelUnavailable
from memflow.protocols import ChatModel

T = TypeVar("T")
Flow = Generator[ModelCall, ModelReply, T]


def run(flow: Flow[T], model: ChatModel | None) -> T:
    """To the end, one call at a time."""
    try:
        call = next(flow)
        while True:
            call = _answer(flow, _ask(model, [call])[0])
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        flow.close()


async def run_async(flow: Flow[T], model: ChatModel | None) -> T:
    """The same flow; model calls run in a worker thread, the event loop stays free."""
    try:
        call = next(flow)
        while True:
            [outcome] = await asyncio.to_thread(_ask, model, [call])
            call = _answer(flow, outcome)
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        flow.close()


def run_lockstep(
    flows: Iterable[Flow[T]], model: ChatModel | None, *, width: int
) -> Iterator[tuple[int, T]]:
    """Up to `width` flows at once, their pending calls sent as one batch; (index, result) as done.

    A flow that ends makes room for the next one. Closing the iterator closes all that are open.
    """
    source = enumerate(flows)
    waiting: dict[int, tuple[Flow[T], ModelCall]] = {}
    try:
        while True:
            while len(waiting) < width:
                entry = next(source, None)
                if entry is None:
                    break
                index, flow = entry
                try:
                    waiting[index] = (flow, next(flow))
                except StopIteration as stop:
                    yield index, stop.value
            if not waiting:
                return
            order = sorted(waiting)
            outcomes = _ask(model, [waiting[index][1] for index in order])
            for index, outcome in zip(order, outcomes, strict=True):
                flow = waiting[index][0]
                try:
                    waiting[index] = (flow, _answer(flow, outcome))
                except StopIteration as stop:
                    del waiting[index]
                    yield index, stop.value
    finally:
        for flow, _ in waiting.values():
            flow.close()


def _answer(flow: Flow[T], outcome: ModelReply | ModelError) -> ModelCall:
    return flow.throw(outcome) if isinstance(outcome, ModelError) else flow.send(outcome)


def _ask(model: ChatModel | None, calls: list[ModelCall]) -> list[ModelReply | ModelError]:
    """Replies in the order of the calls. A batch that fails is tried one by one, so that one
    call's error does not take the others with it."""
    if model is None:
        missing = ModelUnavailable("no model is configured", mend="choose one with --model")
        return [missing for _ in calls]
    try:
        return list(model.complete(calls))
    except ModelError as error:
        if len(calls) == 1:
            return [error]
    return [_ask(model, [call])[0] for call in calls]

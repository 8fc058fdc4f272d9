"""The product itself, through its own flow; and the variants of it that ablations measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from memflow.evals.systems.base import (
    Asker,
    Compiled,
    Compiler,
    Flow,
    Reply,
    System,
    ready,
)
from memflow.operations import Operation
from memflow.packing import Budget
from memflow.pipeline import ask as flow
from memflow.pipeline import drivers
from memflow.pipeline.ask import Stages
from memflow.protocols import TokenCounter
from memflow.settings import Settings
from memflow.types import Answer, Evidence, Grounding, Packed
from memflow.validation.checks import refuses
from memflow.wiring import Assembly

Variant = Callable[[Stages, Assembly], Stages]
"""Stages of the product to stages that lack or replace something."""


def whole(stages: Stages, _: Assembly) -> Stages:
    """Nothing changed."""
    return stages


def product(variant: Variant = whole) -> System:
    def build(assembly: Assembly, space: str) -> Flow[Asker]:
        stages = variant(assembly.stages(use_model=True), assembly)

        def ask(question: str, now: datetime) -> Flow[Reply]:
            seen = _Seen(stages)
            request = flow.Request(question, space, now)
            answer = yield from flow.ask(request, seen.stages)
            return _reply(answer, seen.packed(answer.packed_tokens))

        return (yield from ready(ask))

    return build


def product_context(variant: Variant = whole) -> Callable[[Assembly, str], Compiler]:
    """What `context` gives, without a model."""

    def compiler(assembly: Assembly, space: str) -> Compiler:
        stages = variant(assembly.stages(use_model=False), assembly)

        def compile_(question: str, now: datetime) -> Compiled:
            request = flow.Request(question, space, now, use_model=False)
            context = drivers.run(flow.context(request, stages), None)
            return Compiled(context.packed, context.route)

        return compile_

    return compiler


class _Seen:
    """Keeps what one question's packer made: an answer tells no more than its size."""

    def __init__(self, stages: Stages) -> None:
        self._pack = stages.pack
        self._made: list[Packed] = []
        self.stages = replace(stages, pack=self._keeping)

    def packed(self, tokens: int) -> Packed:
        """The last of that size: the retry's, unless the first attempt's answer was kept."""
        fitting = [packed for packed in self._made if packed.tokens == tokens]
        return fitting[-1] if fitting else Packed("", 0, ())

    def _keeping(
        self,
        evidence: Evidence,
        operation: Operation,
        budget: Budget,
        counter: TokenCounter,
        question: str,
        settings: Settings,
    ) -> Packed:
        packed = self._pack(evidence, operation, budget, counter, question, settings)
        self._made.append(packed)
        return packed


def _reply(answer: Answer, packed: Packed) -> Reply:
    return Reply(
        text=answer.text,
        packed=packed,
        usage=answer.usage,
        abstained=answer.abstained or _left_unchecked(answer),
        reason=answer.reason,
        intent=answer.intent.value,
        layer=answer.route.layer.value,
        escalated=answer.escalated,
        calls=tuple(answer.trace.stages["calls"]),
    )


def _left_unchecked(answer: Answer) -> bool:
    """A refusal that no validator made an abstention of."""
    return answer.verdict.check is Grounding.OFF and refuses(answer.text)

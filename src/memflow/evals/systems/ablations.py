"""MemFlow with one part taken out, the rest as it is (the paper's Table 12).

Each variant replaces parts of the flow (`pipeline.ask.Stages`); the product knows nothing of them.
docs/baselines.md says what each leaves in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from memflow.evals.systems.base import Flow
from memflow.evals.systems.memflow import Variant
from memflow.evals.systems.reader import rendered
from memflow.evidence import Material
from memflow.evidence.material import by_relevance, raw_item
from memflow.intent.router import Router
from memflow.operations import OPERATIONS, Operation, RetrievalMode
from memflow.packing import Budget
from memflow.pipeline.ask import Stages
from memflow.protocols import TokenCounter
from memflow.retrieval.retriever import Retrieved, Retriever
from memflow.settings import Settings
from memflow.types import (
    Evidence,
    Grounding,
    Hit,
    Intent,
    Item,
    Packed,
    Route,
    RouteLayer,
    Slot,
    Verdict,
)
from memflow.wiring import Assembly

FLAT_TOP_K = 8
RECENT = 400  # chunks: more than any budget takes
CONCATENATED = 800
"""Tokens; about what MemFlow's own packer leaves on average (docs/baselines.md)."""


def without_retrieval_strategy(stages: Stages, assembly: Assembly) -> Stages:
    """Nothing is searched for: the most recent turns fill each operation's budget."""
    return replace(
        stages,
        retriever=_MostRecent(assembly.store, assembly.encoder, stages.settings),
        operations=_every_row(floor=0.0),
        prepare=as_found,
    )


def uniform_rag(stages: Stages, _: Assembly) -> Stages:
    """The same eight best chunks for every operation, as they are."""
    flat = _every_row(
        mode=RetrievalMode.HYBRID,
        top_k=FLAT_TOP_K,
        document_top_k=FLAT_TOP_K,
        pool=1,
        floor=0.0,
    )
    return replace(stages, operations=flat, prepare=as_found)


def without_router(stages: Stages, assembly: Assembly) -> Stages:
    """Every question is taken for one about a single fact."""
    return replace(stages, router=_OneRoute(stages.settings, assembly.encoder))


def without_tools(stages: Stages, _: Assembly) -> Stages:
    """What code computes for the model is gone: tools, intervals, resolved dates, counts."""
    operations = dict(_every_row(tools=()))
    for intent in (Intent.TEMPORAL_REASONING, Intent.BROAD_SUMMARIZATION):
        # Their own prompts speak of tools and of counting by code.
        operations[intent] = replace(operations[intent], prompt=f"baseline-{intent}")
    return replace(stages, operations=operations, prepare=partial(_uncomputed, stages.prepare))


def without_validator(stages: Stages, _: Assembly) -> Stages:
    """The first answer stands: no check, no second try, no abstention for want of grounds."""
    return replace(stages, validate=_unchecked)


def without_packer(stages: Stages, _: Assembly) -> Stages:
    """Evidence is strung together by rank, and cut."""
    return replace(stages, pack=concatenated)


VARIANTS: Mapping[str, Variant] = {
    "memflow-no-retrieval-strategy": without_retrieval_strategy,
    "memflow-uniform-rag": uniform_rag,
    "memflow-no-router": without_router,
    "memflow-no-tools": without_tools,
    "memflow-no-validator": without_validator,
    "memflow-no-packer": without_packer,
}


# --------------------------------------------------------------------------- what stands in


def _every_row(**changes: Any) -> Mapping[Intent, Operation]:
    return {intent: replace(row, **changes) for intent, row in OPERATIONS.items()}


class _OneRoute(Router):
    def route(
        self,
        question: str,  # noqa: ARG002 - the router's own signature
        *,
        use_model: bool,  # noqa: ARG002 - as above
    ) -> Flow[Route]:
        yield from ()
        return Route(Intent.TARGETED_EXTRACTION, RouteLayer.FORCED, "no router")


class _MostRecent(Retriever):
    def retrieve(
        self,
        space: str,
        question: str,  # noqa: ARG002 - the retriever's own signature
        operation: Operation,  # noqa: ARG002 - as above
    ) -> Retrieved:
        """Newest first, all of nearly the same score: how new is no measure of how relevant."""
        keys = self._index.catalogue(space).keys[::-1][:RECENT].tolist()
        chunks = self._index.chunks(space, keys)
        hits = tuple(Hit(chunk, 1.0 - place / 1e6) for place, chunk in enumerate(chunks))
        return Retrieved(hits, ())


def as_found(material: Material) -> Evidence:
    """The retrieved chunks, nothing worked out and nothing left out."""
    order = by_relevance(material.hits)
    items = tuple(raw_item(hit, order, resolve=False) for hit in material.hits)
    return Evidence(items, material.hits)


_COMPUTED = "Computed:"
_BY_CODE = {"count", "timeline"}


def _uncomputed(prepare: Callable[[Material], Evidence], material: Material) -> Evidence:
    """The operation's own preparation less whatever code worked out in it."""
    evidence = prepare(material)
    return replace(
        evidence,
        items=tuple(_as_said(item) for item in evidence.items if item.heading != _COMPUTED),
        answer=None,
        answer_turns=(),
        details={name: it for name, it in evidence.details.items() if name not in _BY_CODE},
    )


def _as_said(item: Item) -> Item:
    """With "yesterday" left as it was said."""
    if item.slot is not Slot.RAW or item.span is None:
        return item
    start, end = item.span
    return replace(item, text=item.turns[0].text[start:end])


def _unchecked(*_: Any, **__: Any) -> Flow[Verdict]:
    yield from ()
    return Verdict(True, Grounding.OFF, "no validator")


def concatenated(
    evidence: Evidence,
    _operation: Operation,
    budget: Budget,
    counter: TokenCounter,
    _question: str,
    settings: Settings,
) -> Packed:
    """Statements, then whole chunks, best first, until one has no room: no slots, no budget of the
    operation's, no choice of sentences, no order of time, weak hits and repetitions kept."""
    limit = min(settings.packed_budget or CONCATENATED, budget.ceiling)
    packed = rendered((), counter)
    for item in sorted(evidence.items, key=_by_rank):
        longer = rendered((*packed.items, item), counter)
        if longer.tokens > limit:
            break
        packed = longer
    return packed


def _by_rank(item: Item) -> tuple[bool, float, str]:
    raw = item.slot is Slot.RAW
    return (raw, -item.score, item.turns[0].id if item.turns else "")

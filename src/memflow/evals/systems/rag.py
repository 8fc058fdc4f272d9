"""Plain hybrid retrieval: the eight best turns, whole, with their dates and speakers, one call.

Eight as in the paper (appendix C.3), found by the retriever that MemFlow uses, in its own ranking.
No routing, no preparation, no sentence selection, no check. `rag_rrf` ranks as the paper does,
BM25 and dense ranks fused; the published figures of evidence covered compare with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from memflow.evals.systems.base import Asker, Compiled, Compiler, Flow, Reply, ready
from memflow.evals.systems.reader import Reader, Sheet, fitted, kind_of, one_call, rendered
from memflow.evidence.material import by_relevance, raw_item
from memflow.operations import OPERATIONS
from memflow.packing import Budget, pack
from memflow.protocols import TokenCounter
from memflow.retrieval.retriever import Retriever
from memflow.tokens import HeuristicCounter
from memflow.types import (
    Evidence,
    Hit,
    Intent,
    Item,
    Message,
    Packed,
    Route,
    RouteLayer,
    SessionKind,
)
from memflow.wiring import Assembly

TOP_K = 8
NO_ROUTER = Route(Intent.TARGETED_EXTRACTION, RouteLayer.FORCED, "no router")
# A turn may be found by several of its chunks, which take up places in the list.
_SPARE = 3
_SMALLEST = 12  # tokens that another turn needs at least


def rag(assembly: Assembly, space: str) -> Flow[Asker]:
    reader = Reader.of(assembly)
    retriever, ceiling = assembly.retriever, assembly.settings.ceiling

    def ask(question: str, now: datetime) -> Flow[Reply]:
        hits = best_turns(retriever, space, question, TOP_K)
        sheet = Sheet("baseline-answer", kind_of([hit.chunk.turn for hit in hits]))

        def messages(memory: str) -> tuple[Message, ...]:
            return sheet.messages(memory, question, now)

        def memory(tokens: int) -> Packed:
            return whole_turns(hits, tokens, reader.counter)

        packed = fitted(memory, ceiling, reader, messages)
        return (yield from one_call(packed, reader, messages))

    return (yield from ready(ask))


def rag_context(assembly: Assembly, space: str) -> Compiler:
    """The same memory, or as many of the best turns as a given budget takes."""
    budget = assembly.settings.packed_budget
    counter = HeuristicCounter()

    def compile_(question: str, _: datetime) -> Compiled:
        hits = best_turns(assembly.retriever, space, question, max(TOP_K, budget // 12))
        return Compiled(whole_turns(hits, budget or assembly.settings.ceiling, counter), NO_ROUTER)

    return compile_


def best_turns(
    retriever: Retriever, space: str, question: str, count: int, *, skip: int = 0
) -> tuple[Hit, ...]:
    """The best hit of each of the `count` best turns after the first `skip`; of a document, whose
    parts may be of any length, the best chunks."""
    found = retriever.search(space, question, _SPARE * (skip + count))
    distinct: dict[object, Hit] = {}
    for hit in found:
        turn = hit.chunk.turn
        distinct.setdefault(hit.chunk.key if turn.kind is SessionKind.DOCUMENT else turn.id, hit)
    return tuple(distinct.values())[skip : skip + count]


def whole_turns(hits: Sequence[Hit], budget: int, counter: TokenCounter) -> Packed:
    """Best first until `budget` tokens are full; shown by session, the best session last. A turn
    that has no room is represented by the chunk that was found, if that has."""
    return _gathered(hits, budget, counter, _versions)


def found_parts(hits: Sequence[Hit], budget: int, counter: TokenCounter) -> Packed:
    """The chunks that were found and nothing around them."""
    return _gathered(hits, budget, counter, lambda _, found: (found,))


def _gathered(
    hits: Sequence[Hit],
    budget: int,
    counter: TokenCounter,
    versions: Callable[[Hit, Item], tuple[Item, ...]],
) -> Packed:
    order = by_relevance(hits)
    packed = rendered((), counter)
    if packed.tokens > budget:
        return packed
    for hit in hits:
        if budget - packed.tokens < _SMALLEST:
            break
        for item in versions(hit, raw_item(hit, order, resolve=False)):
            shown = sorted([*packed.items, item], key=lambda item: (item.order, item.turns[0].id))
            larger = rendered(shown, counter)
            if larger.tokens <= budget:
                packed = larger
                break
    return packed


def _versions(hit: Hit, found: Item) -> tuple[Item, ...]:
    turn = hit.chunk.turn
    if turn.kind is SessionKind.DOCUMENT or found.text == turn.text:
        return (found,)
    return (replace(found, text=turn.text, span=(0, len(turn.text))), found)


def rag_rrf(assembly: Assembly, space: str) -> Compiler:
    settings = replace(assembly.settings, fusion="rrf", sentence_cover=0.0)
    retriever = Retriever(assembly.store, assembly.encoder, settings)
    whole = replace(OPERATIONS[Intent.TARGETED_EXTRACTION], top_sentences=None)
    counter = HeuristicCounter()

    def compile_(question: str, _: datetime) -> Compiled:
        budget = settings.packed_budget
        hits = retriever.search(space, question, max(TOP_K, budget // 12))
        order = by_relevance(hits)
        evidence = Evidence(tuple(raw_item(hit, order, resolve=False) for hit in hits), hits)
        room = Budget(budget or settings.ceiling, budget or whole.raw_budget)
        return Compiled(pack(evidence, whole, room, counter, question, settings), NO_ROUTER)

    return compile_

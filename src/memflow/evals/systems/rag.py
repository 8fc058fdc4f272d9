"""Plain hybrid retrieval: BM25 and dense ranks over turns, fused by RRF, best first.

Whole turns under one date header a session, eight of them as in the paper (appendix C.3), or as
many as a given budget takes. No routing, no preparation, no sentence selection.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memflow.evals.systems.base import Compiled, Compiler
from memflow.evidence.material import by_relevance, raw_item
from memflow.operations import OPERATIONS
from memflow.packing import Budget, pack
from memflow.retrieval.retriever import Retriever
from memflow.tokens import HeuristicCounter
from memflow.types import Evidence, Intent, Route, RouteLayer
from memflow.wiring import Assembly

TOP_K = 8


def rag(assembly: Assembly, space: str) -> Compiler:
    settings = replace(assembly.settings, fusion="rrf", sentence_cover=0.0)
    retriever = Retriever(assembly.store, assembly.encoder, settings)
    whole = replace(OPERATIONS[Intent.TARGETED_EXTRACTION], top_sentences=None)
    route = Route(Intent.TARGETED_EXTRACTION, RouteLayer.FORCED, "no router")
    counter = HeuristicCounter()

    def compile_(question: str, _: datetime) -> Compiled:
        budget = settings.packed_budget
        hits = retriever.search(space, question, max(TOP_K, budget // 12))
        order = by_relevance(hits)
        evidence = Evidence(tuple(raw_item(hit, order, resolve=False) for hit in hits), hits)
        room = Budget(budget or settings.ceiling, budget or whole.raw_budget)
        return Compiled(pack(evidence, whole, room, counter, question, settings), route)

    return compile_

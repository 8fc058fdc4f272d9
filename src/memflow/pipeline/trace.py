"""The record of an answer: plain JSON values, the same for the same store and question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memflow.packing.packer import Budget
from memflow.retrieval.retriever import Retrieved
from memflow.types import Evidence, Packed, Route, Verdict


def route_record(route: Route) -> dict[str, Any]:
    return {
        "intent": route.intent.value,
        "layer": route.layer.value,
        "reason": route.reason,
        "scores": {name: round(score, 4) for name, score in sorted(route.scores.items())},
    }


def retrieval_record(retrieved: Retrieved) -> dict[str, Any]:
    return {
        "passes": list(retrieved.passes),
        "candidates": [
            {
                "turn_id": hit.chunk.turn.id,
                "span": [hit.chunk.start, hit.chunk.end],
                "score": round(hit.score, 6),
                "scores": dict(hit.scores),
            }
            for hit in retrieved.hits
        ],
    }


def packing_record(evidence: Evidence, packed: Packed, budget: Budget) -> dict[str, Any]:
    return {
        "budget": {"ceiling": budget.ceiling, "raw": budget.raw},
        "tokens": packed.tokens,
        "details": _plain(evidence.details),
        "packed": [
            {
                "turn_ids": [turn.id for turn in item.turns],
                "slot": item.slot.value,
                "stale": item.stale,
                "text": item.text,
            }
            for item in packed.items
        ],
        "dropped": [
            {"turn_ids": list(d.turn_ids), "slot": d.slot.value, "reason": d.reason}
            for d in packed.dropped
        ],
    }


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    return {
        "grounded": verdict.grounded,
        "check": verdict.check.value,
        "reason": verdict.reason,
    }


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))

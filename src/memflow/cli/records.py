"""What `--json` prints of each result: plain values under the names others rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memflow.types import AddResult, Answer, Context, Fact, Hit, Rejected, Turn


def rejected(rows: tuple[Rejected, ...]) -> list[dict[str, str]]:
    return [{"where": row.where, "reason": row.reason} for row in rows]


def added(result: AddResult) -> dict[str, Any]:
    return {
        "stored": len(result.stored),
        "skipped": rejected(result.skipped),
        "failed": rejected(result.failed),
        "sessions": len(result.sessions),
        "notes": rejected(result.notes),
    }


def answered(answer: Answer) -> dict[str, Any]:
    usage = answer.usage
    return {
        "answer": answer.text,
        "abstained": answer.abstained,
        "reason": answer.reason,
        "intent": answer.intent,
        "route_layer": answer.route.layer,
        "evidence": [
            {
                "turn_id": source.turn_id,
                "session": source.session,
                "time": source.time,
                "speaker": source.speaker,
                "text": source.text,
            }
            for source in answer.evidence
        ],
        "model_calls": usage.model_calls,
        "tokens": {
            "route": usage.route,
            "answer": usage.answer,
            "check": usage.check,
            "retry": usage.retry,
            "total": usage.total,
        },
        "packed_tokens": answer.packed_tokens,
        "escalated": answer.escalated,
        "trace_id": answer.trace.id,
    }


def compiled(context: Context) -> dict[str, Any]:
    return {
        "intent": context.route.intent,
        "route_layer": context.route.layer,
        "packed_tokens": context.packed.tokens,
        "items": [
            {
                "turn_id": item.turns[0].id if item.turns else None,
                "turn_ids": [turn.id for turn in item.turns],
                "slot": item.slot,
                "text": item.text,
            }
            for item in context.packed.items
        ],
        "text": context.text,
        "messages": [{"role": m.role, "content": m.content} for m in context.messages],
    }


def hit(found: Hit) -> dict[str, Any]:
    return {
        "turn_id": found.chunk.turn.id,
        "score": found.score,
        "bm25_rank": found.ranks.get("bm25"),
        "dense_rank": found.ranks.get("dense"),
        "text": found.chunk.text,
        "time": found.chunk.turn.time,
        "speaker": found.chunk.turn.speaker,
    }


def turn(one: Turn) -> dict[str, Any]:
    return {
        "turn_id": one.id,
        "session": one.session,
        "position": one.position,
        "role": one.role,
        "speaker": one.speaker,
        "time": one.time,
        "kind": one.kind,
        "source": one.source,
        "text": one.text,
    }


def fact(one: Fact) -> dict[str, Any]:
    return {
        "id": one.id,
        "subject": one.subject,
        "key": one.key,
        "value": one.value,
        "kind": one.kind,
        "turn_id": one.turn_id,
        "quote": one.quote,
        "time": one.time,
        "superseded_by": one.superseded_by,
    }

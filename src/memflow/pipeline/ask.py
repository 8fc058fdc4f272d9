"""The story: a question becomes an answer with its sources.

    active conversation → route → retrieve → prepare → pack → answer → validate
                                      ↑                                  │ not grounded
                                      └─────────── escalate once ────────┘

A generator: it yields a ModelCall wherever the model is consulted and receives a ModelReply, so
one flow serves a synchronous, an asyncio and a batching driver (`pipeline.drivers`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memflow.answering import Draft, answer, extract
from memflow.answering.prompting import messages as answer_messages
from memflow.answering.prompting import prompt_hashes
from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.errors import CallBudgetExceeded, ModelError, PinnedOverflow
from memflow.evidence import Material, prepare
from memflow.intent.router import Router
from memflow.operations import OPERATIONS, Operation
from memflow.packing import Budget, pack
from memflow.pipeline import trace as record
from memflow.pipeline.active import active_span
from memflow.pipeline.escalation import abstention, retry_of
from memflow.pipeline.ledger import Ledger
from memflow.pipeline.sources import sources
from memflow.protocols import Clock, FactLedger, ModelInfo, TokenCounter
from memflow.retrieval.retriever import Retriever
from memflow.settings import Settings
from memflow.text import fold, tokens
from memflow.types import (
    Answer,
    Context,
    Evidence,
    Grounding,
    Intent,
    Message,
    Packed,
    Route,
    RouteLayer,
    Source,
    Trace,
    Verdict,
)
from memflow.validation import validate

# Tokens kept free for what follows the answer call: the check's wording, or a tool round.
_FOLLOW_UP = 128


@dataclass(frozen=True, slots=True)
class Stages:
    """What the flow runs on. `model` is None when there is no language model.

    The table and the stages that are plain functions can be replaced, as ablations do.
    """

    router: Router
    retriever: Retriever
    facts: FactLedger
    counter: TokenCounter
    clock: Clock
    new_id: Callable[[], str]
    settings: Settings
    model: ModelInfo | None = None
    operations: Mapping[Intent, Operation] = field(default_factory=lambda: OPERATIONS)
    prepare: Callable[[Material], Evidence] = prepare
    pack: Callable[[Evidence, Operation, Budget, TokenCounter, str, Settings], Packed] = pack
    validate: Callable[..., Generator[ModelCall, ModelReply, Verdict]] = validate


@dataclass(frozen=True, slots=True)
class Request:
    """One question. `now` is the asker's time; `intent` overrides the router."""

    question: str
    space: str
    now: datetime
    history: tuple[Message, ...] = ()
    use_model: bool = True
    intent: Intent | None = None


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Evidence and packed context of one operation, with its trace record."""

    operation: Operation
    evidence: Evidence
    packed: Packed
    record: dict[str, Any]


@dataclass(slots=True)
class _Notebook:
    """The trace as it grows."""

    stages: dict[str, Any] = field(default_factory=dict)
    attempts: list[dict[str, Any]] = field(default_factory=list)


def ask(request: Request, stages: Stages) -> Generator[ModelCall, ModelReply, Answer]:
    """Answer with evidence, or abstain; at most `settings.max_model_calls` calls."""
    ledger = Ledger(stages.settings.max_model_calls, stages.clock.monotonic_ms)
    notebook = _Notebook()
    with ledger.stage("active"):
        span = active_span(
            request.question,
            request.history,
            turns=stages.settings.active_turns,
            threshold=stages.settings.active_overlap,
        )
    if span is not None:
        notebook.stages["active"] = {"share": round(span.share, 3)}
        route = Route(Intent.TARGETED_EXTRACTION, RouteLayer.CONTEXT, "in the live conversation")
        verdict = Verdict(True, Grounding.COMPUTED, "words of the live conversation")
        shown = tuple(
            Source(f"live:{place}", "live", None, message.role, message.content)
            for place, message in enumerate(span.messages)
        )
        return _finish(request, stages, ledger, notebook, route, span.text, verdict, shown)
    route = yield from _route(request, stages, ledger, notebook)
    compiled = _compile(request, stages, ledger, stages.operations[route.intent])
    notebook.attempts.append(compiled.record)
    if not compiled.packed.items:
        reason = compiled.record["overflow"] or "no memory bears on it"
        return _abstain(request, stages, ledger, notebook, route, compiled, reason)
    if stages.model is None or not request.use_model:
        return _by_code(request, stages, ledger, notebook, route, compiled, "no model")

    try:
        draft, verdict = yield from _attempt(request, stages, ledger, compiled)
    except (ModelError, CallBudgetExceeded) as error:
        return _by_code(
            request, stages, ledger, notebook, route, compiled, f"model failed: {error}"
        )
    escalated = False
    if not verdict.grounded and ledger.budget.left > 0:
        escalated = True
        retry = retry_of(compiled.operation, stages.operations)
        retried = _compile(request, stages, ledger, retry)
        notebook.attempts.append(retried.record)
        try:
            draft, verdict = yield from _attempt(
                request, stages, ledger, retried, Purpose.RETRY, rejected=draft.text
            )
            compiled = retried
        except (ModelError, CallBudgetExceeded) as error:
            verdict = replace(verdict, reason=f"{verdict.reason}; retry failed: {error}")
    if not verdict.grounded:
        return _abstain(
            request, stages, ledger, notebook, route, compiled, verdict.reason, verdict, escalated
        )
    first = compiled.evidence.answer_turns
    shown = sources(draft.text, request.question, compiled.packed, first)
    return _finish(
        request,
        stages,
        ledger,
        notebook,
        route,
        draft.text,
        verdict,
        shown,
        packed_tokens=compiled.packed.tokens,
        escalated=escalated,
        reason="counted by code" if draft.counted else "",
    )


def context(request: Request, stages: Stages) -> Generator[ModelCall, ModelReply, Context]:
    """`ask` without the answer: the packed prompt for whoever brings their own model."""
    ledger = Ledger(stages.settings.max_model_calls, stages.clock.monotonic_ms)
    notebook = _Notebook()
    route = yield from _route(request, stages, ledger, notebook)
    compiled = _compile(request, stages, ledger, stages.operations[route.intent])
    notebook.attempts.append(compiled.record)
    return Context(
        question=request.question,
        route=route,
        packed=compiled.packed,
        messages=answer_messages(
            request.question, compiled.packed, compiled.operation, compiled.evidence, request.now
        ),
        trace=_trace(request, stages, ledger, notebook),
    )


# --------------------------------------------------------------------------- stages


def _route(
    request: Request, stages: Stages, ledger: Ledger, notebook: _Notebook
) -> Generator[ModelCall, ModelReply, Route]:
    with ledger.stage("route"):
        if request.intent is not None:
            route = Route(request.intent, RouteLayer.FORCED, "asked for by the caller")
        else:
            route = yield from ledger.metered(
                stages.router.route(
                    request.question,
                    use_model=request.use_model and stages.model is not None,
                )
            )
    notebook.stages["route"] = record.route_record(route)
    return route


def _compile(request: Request, stages: Stages, ledger: Ledger, operation: Operation) -> _Compiled:
    """Retrieve, prepare, pack: deterministic, no model."""
    settings = stages.settings
    with ledger.stage("retrieve"):
        operation = _widened(operation, settings)
        retrieved = stages.retriever.retrieve(request.space, request.question, operation)
    with ledger.stage("prepare"):
        evidence = stages.prepare(
            Material(
                question=request.question,
                operation=operation,
                hits=retrieved.hits,
                facts=tuple(stages.facts.facts(request.space)),
                now=request.now,
                events=retrieved.events,
                shard_turns=settings.shard_turns,
            )
        )
    with ledger.stage("pack"):
        budget = _budget(request, stages, operation, evidence)
        overflow = ""
        try:
            packed = stages.pack(
                evidence, operation, budget, stages.counter, request.question, settings
            )
        except PinnedOverflow as error:
            # The caller sees it as the reason of an abstention: nothing was cut silently.
            packed, overflow = Packed("", 0, ()), str(error)
    return _Compiled(
        operation,
        evidence,
        packed,
        {
            "overflow": overflow,
            "prompts": prompt_hashes(operation, evidence),
            "operation": operation.intent.value,
            "retrieval": record.retrieval_record(retrieved),
            "packing": record.packing_record(evidence, packed, budget),
        },
    )


def _widened(operation: Operation, settings: Settings) -> Operation:
    """With a caller's own packing budget the list must be long enough to fill it."""
    if not settings.packed_budget:
        return operation
    enough = settings.packed_budget // 12
    return replace(
        operation,
        top_k=max(operation.top_k, enough),
        document_top_k=max(operation.document_top_k, enough),
    )


def _budget(request: Request, stages: Stages, operation: Operation, evidence: Evidence) -> Budget:
    """The ceiling less what prompt and reply need; never more than the model's window."""
    settings = stages.settings
    ceiling = settings.packed_budget or min(
        settings.ceiling, settings.reader_budget or settings.ceiling
    )
    raw = settings.packed_budget or operation.raw_budget
    if stages.model is not None:
        empty = Packed("", 0, ())
        fixed = stages.counter.count_messages(
            answer_messages(request.question, empty, operation, evidence, request.now)
        )
        room = stages.model.window - fixed - operation.answer_tokens - _FOLLOW_UP
        ceiling = min(ceiling, max(room, 0))
    return Budget(ceiling=ceiling, raw=min(raw, ceiling))


def _answering(
    request: Request, stages: Stages, ledger: Ledger, compiled: _Compiled, purpose: Purpose
) -> Generator[ModelCall, ModelReply, Draft]:
    draft = yield from answer(
        request.question,
        compiled.packed,
        compiled.operation,
        compiled.evidence,
        request.now,
        ledger.budget,
        stages.settings,
        purpose,
    )
    compiled.record["tools"] = [
        {"name": t.name, "arguments": list(t.arguments), "result": t.result, "error": t.error}
        for t in draft.tools
    ]
    return draft


def _attempt(
    request: Request,
    stages: Stages,
    ledger: Ledger,
    compiled: _Compiled,
    purpose: Purpose = Purpose.ANSWER,
    rejected: str | None = None,
) -> Generator[ModelCall, ModelReply, tuple[Draft, Verdict]]:
    """Answer and check. The first check must leave a call for the retry; the second may take
    what is left (docs/decisions/0005), and an answer that was `rejected` before is not asked of
    the model again."""
    with ledger.stage("answer"):
        draft = yield from ledger.metered(_answering(request, stages, ledger, compiled, purpose))
    again = rejected is not None and fold(draft.text) == fold(rejected)
    with ledger.stage("validate"):
        if again:
            verdict = Verdict(False, Grounding.HARD_FAIL, "the same answer as the one rejected")
        else:
            verdict = yield from ledger.metered(
                stages.validate(
                    request.question,
                    draft.text,
                    compiled.packed,
                    compiled.operation,
                    stages.settings,
                    may_ask=ledger.budget.left > (0 if purpose is Purpose.RETRY else 1),
                    computed=_is_computed(draft, compiled.evidence),
                )
            )
    compiled.record["answer"] = draft.text
    compiled.record["finish"] = draft.finish.value
    compiled.record["verdict"] = record.verdict_record(verdict)
    return draft, verdict


def _is_computed(draft: Draft, evidence: Evidence) -> bool:
    """Code counted, a tool gave the result, or the reply gives the number that code computed."""
    if draft.counted or any(not tool.error for tool in draft.tools):
        return True
    numbers = {token for token in tokens(evidence.answer or "") if token.isdigit()}
    return bool(numbers & set(tokens(draft.text)))


# --------------------------------------------------------------------------- endings


def _by_code(
    request: Request,
    stages: Stages,
    ledger: Ledger,
    notebook: _Notebook,
    route: Route,
    compiled: _Compiled,
    why: str,
) -> Answer:
    """What code alone can say: a computed result, or the best evidence sentence."""
    found = extract(request.question, compiled.packed, compiled.evidence)
    if found is None:
        return _abstain(
            request, stages, ledger, notebook, route, compiled, f"{why}; nothing computed"
        )
    verdict = Verdict(True, Grounding.COMPUTED, found.how)
    shown = sources(found.text, request.question, compiled.packed, found.turns)
    return _finish(
        request,
        stages,
        ledger,
        notebook,
        route,
        found.text,
        verdict,
        shown,
        packed_tokens=compiled.packed.tokens,
        reason=f"{why}: {found.how}",
    )


def _abstain(
    request: Request,
    stages: Stages,
    ledger: Ledger,
    notebook: _Notebook,
    route: Route,
    compiled: _Compiled,
    reason: str,
    verdict: Verdict | None = None,
    escalated: bool = False,
) -> Answer:
    return _finish(
        request,
        stages,
        ledger,
        notebook,
        route,
        abstention(request.question),
        verdict or Verdict(False, Grounding.OFF, reason),
        (),
        packed_tokens=compiled.packed.tokens,
        escalated=escalated,
        reason=reason,
        abstained=True,
    )


def _finish(
    request: Request,
    stages: Stages,
    ledger: Ledger,
    notebook: _Notebook,
    route: Route,
    text: str,
    verdict: Verdict,
    evidence: tuple[Source, ...],
    *,
    packed_tokens: int = 0,
    escalated: bool = False,
    reason: str = "",
    abstained: bool = False,
) -> Answer:
    notebook.stages["verdict"] = record.verdict_record(verdict)
    notebook.stages["answer"] = {"text": text, "abstained": abstained, "reason": reason}
    return Answer(
        text=text,
        abstained=abstained,
        reason=reason,
        intent=route.intent,
        route=route,
        evidence=evidence,
        verdict=verdict,
        usage=ledger.usage(),
        packed_tokens=packed_tokens,
        escalated=escalated,
        trace=_trace(request, stages, ledger, notebook),
    )


def _trace(request: Request, stages: Stages, ledger: Ledger, notebook: _Notebook) -> Trace:
    usage = ledger.usage()
    return Trace(
        id=stages.new_id(),
        question=request.question,
        created=stages.clock.now(),
        stages={
            **notebook.stages,
            "attempts": notebook.attempts,
            "calls": ledger.calls,
            "usage": {
                "model_calls": usage.model_calls,
                "prompt_tokens": usage.prompt,
                "completion_tokens": usage.completion,
                "stages_ms": dict(usage.stages_ms),
            },
        },
    )


__all__ = ["Request", "Stages", "ask", "context"]

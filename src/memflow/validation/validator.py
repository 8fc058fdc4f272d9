"""The cascade: hard failure, short answers, the model's yes or no, token overlap."""

from __future__ import annotations

from collections.abc import Generator

from memflow.calls import CallBudget, ModelCall, ModelReply
from memflow.errors import ModelError
from memflow.settings import Settings
from memflow.types import Grounding, Message, Packed, Verdict
from memflow.validation import checks
from memflow.validation.judge import judge


def validate(
    question: str,
    answer: str,
    exchange: tuple[Message, ...],
    packed: Packed,
    budget: CallBudget,
    settings: Settings,
    *,
    computed: bool = False,
) -> Generator[ModelCall, ModelReply, Verdict]:
    """At most one model call, and none when the budget is spent or must be kept for a retry.

    `computed`: code made the answer from the evidence, which needs no second opinion.
    """
    cheap = _without_call(question, answer, packed, settings)
    if cheap is not None:
        return cheap
    if computed:
        return Verdict(True, Grounding.COMPUTED, "computed from the evidence")
    # One call stays for the answer after escalation.
    if budget.left > 1:
        try:
            verdict = yield from judge(exchange, answer, settings)
        except ModelError as error:
            return _overlap(question, answer, packed, settings, f"model failed: {error}; ")
        if verdict is not None:
            return Verdict(verdict, Grounding.MODEL, f"the model says {'yes' if verdict else 'no'}")
    return _overlap(question, answer, packed, settings)


def validate_without_model(
    question: str, answer: str, packed: Packed, settings: Settings
) -> Verdict:
    """The second check, after escalation: deterministic, no call."""
    cheap = _without_call(question, answer, packed, settings)
    return cheap or _overlap(question, answer, packed, settings)


def _without_call(question: str, answer: str, packed: Packed, settings: Settings) -> Verdict | None:
    if checks.refuses(answer):
        return Verdict(False, Grounding.HARD_FAIL, "empty, or says that nothing was found")
    invented = checks.unsupported_numbers(answer, packed.text, question)
    if invented and checks.support(answer, question, packed.text) < settings.overlap_threshold:
        return Verdict(False, Grounding.HARD_FAIL, f"not in the evidence: {', '.join(invented)}")
    if checks.adds_nothing(answer, question):
        return Verdict(False, Grounding.HARD_FAIL, "only repeats the question")
    if checks.is_short(answer, settings.short_answer_words):
        return Verdict(True, Grounding.SHORT_PASS, "short answer")
    return None


def _overlap(
    question: str, answer: str, packed: Packed, settings: Settings, prefix: str = ""
) -> Verdict:
    share = checks.support(answer, question, packed.text)
    return Verdict(
        share >= settings.overlap_threshold,
        Grounding.OVERLAP,
        f"{prefix}{share:.0%} of the answer's words stand in the evidence",
    )

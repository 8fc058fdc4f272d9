"""The cascade: hard failure, short answers, the model's yes or no, token overlap."""

from __future__ import annotations

from collections.abc import Generator

from memflow.calls import ModelCall, ModelReply
from memflow.errors import ModelError
from memflow.operations import Operation
from memflow.settings import Settings
from memflow.types import Grounding, Packed, Verdict
from memflow.validation import checks
from memflow.validation.judge import judge


def validate(
    question: str,
    answer: str,
    packed: Packed,
    operation: Operation,
    settings: Settings,
    *,
    may_ask: bool,
    computed: bool = False,
) -> Generator[ModelCall, ModelReply, Verdict]:
    """At most one model call; none unless `may_ask`: the call budget is the flow's to spend.

    `computed`: code made the answer from the evidence, which needs no second opinion.
    """
    if checks.refuses(answer):
        return Verdict(False, Grounding.HARD_FAIL, "empty, or says that nothing was found")
    if computed:
        return Verdict(True, Grounding.COMPUTED, "computed from the evidence")
    failure = _failure(question, answer, packed, settings)
    if failure is not None:
        return failure
    if checks.is_short(answer, settings.short_answer_words) and not (
        settings.check_short and may_ask
    ):
        return Verdict(True, Grounding.SHORT_PASS, "short answer")
    if may_ask:
        try:
            verdict = yield from judge(question, answer, packed, operation.check, settings)
        except ModelError as error:
            return _overlap(question, answer, packed, settings, f"model failed: {error}; ")
        if verdict is not None:
            return Verdict(verdict, Grounding.MODEL, f"the model says {'yes' if verdict else 'no'}")
    return _overlap(question, answer, packed, settings)


def _failure(question: str, answer: str, packed: Packed, settings: Settings) -> Verdict | None:
    invented = checks.unsupported_numbers(answer, packed.text, question)
    if invented and checks.support(answer, question, packed.text) < settings.overlap_threshold:
        return Verdict(False, Grounding.HARD_FAIL, f"not in the evidence: {', '.join(invented)}")
    if checks.adds_nothing(answer, question):
        return Verdict(False, Grounding.HARD_FAIL, "only repeats the question")
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

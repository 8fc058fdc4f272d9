"""Is an answer right? Rules first, then a model's yes or no, then token overlap in its place.

    judge        a flow like any that asks a model: run it with pipeline.drivers
    Judgement    the verdict, and who gave it

A small model is a weak judge: how far each one agrees with large ones is measured
(calibration.py, judge_agreement.json) and stands beside every accuracy it gave.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.errors import ModelError
from memflow.evals.cases import Case
from memflow.evals.judging import kinds, rules
from memflow.evals.judging.reading import read_verdict
from memflow.text import fold, tokens
from memflow.validation.checks import refuses

_YES, _NO = "yes", "no"


class JudgedBy(StrEnum):
    """Who decided. OVERLAP stands in where the model failed or could not be read."""

    MODEL = "model"
    OVERLAP = "overlap"
    EMPTY = "empty"
    ABSTAINED = "abstained"
    EXACT = "exact"
    TEMPTED = "tempted"  # the wrong answer that the question invites


@dataclass(frozen=True, slots=True)
class Judgement:
    """`score`: log-odds of right where a model weighed both words, overlap's share where that
    decided, else None. `detail` says why, without the case's texts."""

    correct: bool
    by: JudgedBy
    score: float | None = None
    detail: str = ""

    @property
    def fallback(self) -> bool:
        """Whether a model should have decided and did not."""
        return self.by is JudgedBy.OVERLAP


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """`model` is the judge's name, which chooses its calibration; "" has none. `characters` cuts
    answer and reference; `max_tokens` is room for servers that reply in a sentence."""

    model: str = ""
    characters: int = 2_000
    max_tokens: int = 32


def judge(
    case: Case, answer: str, *, abstained: bool = False, options: JudgeOptions | None = None
) -> Generator[ModelCall, ModelReply, Judgement]:
    """At most one model call; none where a rule decides. Never fails: a model error is OVERLAP."""
    settled = by_rule(case, answer, abstained=abstained)
    if settled is not None:
        return settled
    options = options or JudgeOptions()
    call = ModelCall(
        Purpose.JUDGE,
        kinds.messages(case, answer, characters=options.characters),
        options.max_tokens,
        choices=(_YES, _NO),
    )
    try:
        reply = yield call
    except ModelError as error:
        return by_overlap(case, answer, f"the judge failed: {error.args[0]}")
    weighed = log_odds(reply)
    if weighed is not None:
        return Judgement(weighed > 0, JudgedBy.MODEL, round(weighed, 4), "weighed yes against no")
    verdict = read_verdict(reply.text)
    if verdict is None:
        return by_overlap(case, answer, "the judge's reply could not be read")
    return Judgement(verdict, JudgedBy.MODEL, None, "read from the reply")


def by_rule(case: Case, answer: str, *, abstained: bool) -> Judgement | None:
    """What is settled without a model: nothing said, declined, or the gold word for word."""
    if abstained:
        verb = "cannot" if not case.answerable else "can"
        return Judgement(
            not case.answerable, JudgedBy.ABSTAINED, None, f"declined what {verb} be answered"
        )
    if not tokens(fold(answer)):
        return Judgement(False, JudgedBy.EMPTY, None, "no words in it")
    if case.criterion is not None:
        return None
    if not case.answerable:
        if refuses(answer):
            return Judgement(True, JudgedBy.ABSTAINED, None, "says that it cannot be answered")
        if case.tempting and rules.contains(rules.words(answer), rules.words(case.tempting)):
            return Judgement(False, JudgedBy.TEMPTED, None, "gives the answer it was tempted to")
    if rules.is_exact(case, answer):
        return Judgement(True, JudgedBy.EXACT, None, "the reference word for word")
    return None


def by_overlap(case: Case, answer: str, why: str) -> Judgement:
    """Without gold there is nothing to overlap with: not right, unless the reply declines."""
    enough, share = rules.overlaps(case, answer)
    if not case.answerable or case.criterion is not None:
        # A criterion is about the reply, and a reason why not is no answer: neither is overlapped.
        return Judgement(False, JudgedBy.OVERLAP, None, f"{why}; nothing to overlap with")
    return Judgement(
        enough, JudgedBy.OVERLAP, round(share, 4), f"{why}; {share:.0%} of the reference's words"
    )


def log_odds(reply: ModelReply) -> float | None:
    """ln P(yes) - ln P(no); None where the backend did not weigh them."""
    weights = reply.choice_logprobs
    return weights[_YES] - weights[_NO] if {_YES, _NO} <= weights.keys() else None

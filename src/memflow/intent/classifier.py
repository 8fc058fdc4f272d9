"""One model call that names the tag, asked only where wording and examples leave doubt.

The paper has its model write JSON with the intent, `requires_rag` and `requires_reasoning`. Both
flags follow from the operation's row, so we ask for the tag alone: fewer tokens, and a reply the
backend can constrain. A reply in JSON or in prose is read all the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Mapping

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.prompts import load
from memflow.text import clip
from memflow.types import Intent, Message, Route, RouteLayer

MAX_TOKENS = 12  # the longest tag has six in the tokenizers tried
QUESTION_CHARACTERS = 600
"""Longer questions are cut in the middle: with the constant part, 600 tokens hold it whole."""

PRIOR_WEIGHT = 1.0
"""How much the examples' probabilities count beside the model's; docs/log.md has the figures."""

_FLOOR = 1e-4
_TAG = re.compile(
    "|".join(intent.value.replace("-", "[-_ ]?") for intent in Intent), re.IGNORECASE
)
_HEADS = {intent.value.partition("-")[0]: intent for intent in Intent}
_HEAD = re.compile(rf"\b({'|'.join(_HEADS)})\b", re.IGNORECASE)


def request(question: str) -> ModelCall:
    """The call: the constant part first, so that a prefix cache keeps it."""
    return ModelCall(
        Purpose.ROUTE,
        (
            Message("system", load("route").text),
            Message("user", f"{shortened(question)} ->"),
        ),
        max_tokens=MAX_TOKENS,
        choices=tuple(intent.value for intent in Intent),
    )


def shortened(question: str) -> str:
    """White space joined; a long text keeps its beginning and, for the question, its end."""
    line = " ".join(question.split())
    if len(line) <= QUESTION_CHARACTERS:
        return line
    half = QUESTION_CHARACTERS // 2
    return f"{clip(line[:half], half - 1)} … {line[-half:]}"


def classify(
    question: str, prior: Mapping[Intent, float] | None = None
) -> Generator[ModelCall, ModelReply, Route | None]:
    """The model's route; None when its reply names no tag. ModelError passes through.

    With log-probabilities from the backend and a `prior`, both are weighed together.
    """
    reply = yield request(question)
    named = read_tag(reply.text)
    spoken = {i: reply.choice_logprobs[i.value] for i in Intent if i.value in reply.choice_logprobs}
    if prior is not None and len(spoken) > 1:
        scores = {
            intent: value + PRIOR_WEIGHT * math.log(max(prior.get(intent, 0.0), _FLOOR))
            for intent, value in spoken.items()
        }
        best = max(scores, key=lambda intent: scores[intent])
        shown = {intent.value: round(score, 3) for intent, score in scores.items()}
        return Route(best, RouteLayer.MODEL, "model, weighed with the examples", shown)
    if named is None:
        return None
    shown = {intent.value: round(score, 3) for intent, score in spoken.items()}
    return Route(named, RouteLayer.MODEL, "model", shown)


def read_tag(text: str) -> Intent | None:
    """The one tag named in a reply, whole or by its first word; None when it names none or several."""
    for pattern in (_TAG, _HEAD):
        found = {_intent(match.group()) for match in pattern.finditer(text)}
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return None


def _intent(tag: str) -> Intent:
    return _HEADS[re.split(r"[-_ ]", tag.lower())[0]] if tag.lower() not in _JOINED else _JOINED[tag.lower()]


_JOINED = {intent.value.replace("-", ""): intent for intent in Intent}

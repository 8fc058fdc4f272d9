"""One model call that names the tag, asked only where wording and examples leave doubt.

The paper has its model write JSON with the intent, `requires_rag` and `requires_reasoning`. Both
flags follow from the operation's row, so we ask for the tag alone, and by a plain word: cheaper,
easier for a small model than a hyphenated tag (docs/log.md), and a backend can constrain it. A
reply that names the tag in JSON or in prose is read all the same.

The model is one witness among two. A small one is wrong often, so its log-probabilities are
weighed with the examples' probabilities.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Mapping
from functools import cache

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.prompts import load
from memflow.types import Intent, Message, Route, RouteLayer

WORDS: Mapping[Intent, str] = {
    Intent.PROFILE_INJECTION: "suggest",
    Intent.TARGETED_EXTRACTION: "fact",
    Intent.TEMPORAL_REASONING: "time",
    Intent.CONFLICT_RESOLUTION: "current",
    Intent.BROAD_SUMMARIZATION: "collect",
    Intent.CONSTRAINT_VALIDATION: "rule",
    Intent.STATE_TRACKING: "evolution",
}
"""What the model says for each intent: one token or two, all starting differently."""

MAX_TOKENS = 8

QUESTION_CHARACTERS = 200
QUESTION_BYTES = 160
"""Longer questions keep their two ends, so that the whole prompt stays within 600 tokens. Bytes
count too, for scripts whose characters take several tokens."""

MODEL_WEIGHT = 0.3
"""The model's log-probabilities beside the examples'; best for a 1.5B (docs/log.md)."""

SHORTLIST = 2
"""A bare tag without probabilities is believed when it is among this many of the likeliest."""

_FLOOR = 1e-4
_LEAST = -12.0
_TAG = re.compile("|".join(each.value.replace("-", "[-_ ]?") for each in Intent), re.IGNORECASE)
_WORD = re.compile(rf"\b(?:{'|'.join(WORDS.values())})\b", re.IGNORECASE)
_BY_LETTERS = {each.value.replace("-", ""): each for each in Intent} | {
    word: intent for intent, word in WORDS.items()
}


def classify(
    question: str, prior: Mapping[Intent, float] | None = None
) -> Generator[ModelCall, ModelReply, Route | None]:
    """The route; None when the reply names no tag. A ModelError passes through.

    `prior` holds the examples' probabilities, None where there are none: then the model decides.
    """
    reply = yield request(question)
    named = read_tag(reply.text)
    spoken = {
        intent: max(reply.choice_logprobs[word], _LEAST)
        for intent, word in WORDS.items()
        if word in reply.choice_logprobs
    }
    if prior is not None and len(spoken) == len(WORDS):
        return _weighed(spoken, prior)
    if named is None:
        return None
    if prior is not None:
        likeliest = sorted(prior, key=lambda intent: -prior[intent])[:SHORTLIST]
        if named not in likeliest:
            reason = f"model said {named}, too unlike the examples"
            return Route(likeliest[0], RouteLayer.MODEL, reason, _rounded(prior))
    return Route(named, RouteLayer.MODEL, "model", _rounded(spoken))


def request(question: str) -> ModelCall:
    """The call: the constant part first, so that a prefix cache keeps it."""
    return ModelCall(
        Purpose.ROUTE,
        (*_constant(), Message("user", shortened(question))),
        max_tokens=MAX_TOKENS,
        choices=tuple(WORDS.values()),
    )


@cache
def _constant() -> tuple[Message, ...]:
    """Instructions, then examples as turns: small models follow turns better than a list."""
    instructions, _, examples = load("route").text.partition("\n---\n")
    messages = [Message("system", instructions)]
    for line in examples.splitlines():
        asked, _, word = line.rpartition(" -> ")
        messages += [Message("user", asked), Message("assistant", word)]
    return tuple(messages)


def shortened(question: str) -> str:
    """White space joined; a long text keeps its beginning and, for the question, its end."""
    line = " ".join(question.split())
    size = len(line.encode("utf-8", "replace"))
    if len(line) <= QUESTION_CHARACTERS and size <= QUESTION_BYTES:
        return line
    widest = math.ceil(size / len(line))
    half = min(QUESTION_CHARACTERS, QUESTION_BYTES // widest) // 2 - 2
    return f"{line[:half]} … {line[-half:]}"


def read_tag(text: str) -> Intent | None:
    """The one tag a reply names, in full or by its word; None when it names none or several."""
    for pattern in (_TAG, _WORD):
        found = {
            _BY_LETTERS[re.sub(r"[\W_]", "", match.group().lower())]
            for match in pattern.finditer(text)
        }
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _weighed(spoken: Mapping[Intent, float], prior: Mapping[Intent, float]) -> Route:
    scores = {
        intent: MODEL_WEIGHT * value + math.log(max(prior.get(intent, 0.0), _FLOOR))
        for intent, value in spoken.items()
    }
    best = max(scores, key=lambda intent: scores[intent])
    return Route(best, RouteLayer.MODEL, "model, weighed with the examples", _rounded(scores))


def _rounded(scores: Mapping[Intent, float]) -> dict[str, float]:
    return {intent.value: round(score, 3) for intent, score in scores.items()}

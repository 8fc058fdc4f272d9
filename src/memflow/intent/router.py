"""Which of the seven operations a question asks for: the cascade.

Rules for unambiguous wording, then the nearest labelled examples where they are sure, then one
model call, then keywords. `settings.router == "paper"` leaves the examples out, as the paper has
none. The router knows nothing of retrieval, tools or the conversation.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from memflow.calls import ModelCall, ModelReply
from memflow.errors import ModelError, SettingsError
from memflow.intent import examples, keywords, rules
from memflow.intent.classifier import classify
from memflow.protocols import Encoder
from memflow.settings import Settings
from memflow.types import Intent, Route, RouteLayer

SURE = 0.6
"""The examples decide alone at this probability; docs/log.md has the trade against calls."""

MODES = ("full", "paper")


class Router:
    """Stateless and deterministic: the same question takes the same route.

    `encoder` None, or one no head was trained for, leaves the examples to judge by wording.
    """

    def __init__(self, settings: Settings, encoder: Encoder | None) -> None:
        if settings.router not in MODES:
            raise SettingsError(
                f"router: expected one of {', '.join(MODES)}, got '{settings.router}'"
            )
        self._encoder = encoder
        self._with_examples = settings.router == "full"

    def route(self, question: str, *, use_model: bool) -> Generator[ModelCall, ModelReply, Route]:
        """Yields at most one call. A model that fails or rambles leaves it to the other layers."""
        ruled = rules.decide(question)
        if ruled is not None:
            return ruled
        likely = self._likely(question)
        if likely is not None and (not use_model or max(likely.values()) >= SURE):
            return _by_examples(likely)
        if not use_model:
            return keywords.guess(question)
        try:
            asked = yield from classify(question, likely)
        except ModelError as error:
            asked, failure = None, f"the model failed ({type(error).__name__})"
        else:
            failure = "the model named no tag"
        if asked is not None:
            return asked
        return _after(failure, keywords.guess(question) if likely is None else _by_examples(likely))

    def _likely(self, question: str) -> Mapping[Intent, float] | None:
        if not self._with_examples:
            return None
        head = examples.head_for(self._encoder)
        return head.probabilities(question, self._encoder)


def _by_examples(likely: Mapping[Intent, float]) -> Route:
    best = max(likely, key=lambda intent: likely[intent])
    scores = {intent.value: round(share, 3) for intent, share in likely.items()}
    return Route(best, RouteLayer.EXAMPLES, f"examples, {likely[best]:.0%}", scores)


def _after(failure: str, route: Route) -> Route:
    return Route(route.intent, route.layer, f"{failure}; {route.reason}", route.scores)

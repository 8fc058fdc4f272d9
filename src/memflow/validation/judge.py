"""The model's own yes or no on grounding, asked as a continuation of the answer call.

The exchange that led to the answer is already in the runtime's prefix cache, so that the check
reads some forty new tokens instead of the whole context again.
"""

from __future__ import annotations

from collections.abc import Generator

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.prompts import load
from memflow.settings import Settings
from memflow.text import fold, tokens
from memflow.types import Message


def judge(
    exchange: tuple[Message, ...], answer: str, settings: Settings
) -> Generator[ModelCall, ModelReply, bool | None]:
    """True: grounded; False: not; None: the reply could not be read."""
    reply = yield ModelCall(
        Purpose.CHECK,
        (*exchange, Message("assistant", answer), Message("user", load("check").text.strip())),
        settings.check_tokens,
        choices=("yes", "no"),
    )
    first = tokens(fold(reply.text))[:1]
    return {"yes": True, "no": False}.get(first[0]) if first else None

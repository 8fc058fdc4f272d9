"""The model's own yes or no on grounding, in a prompt of its own.

Asked as a continuation of the answer's exchange a small model agrees with itself: it said yes to
every wrong answer tried. Shown the memories afresh, with the answer as somebody's proposal, it
tells most of them apart (docs/log.md).
"""

from __future__ import annotations

from collections.abc import Generator

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.prompts import load
from memflow.settings import Settings
from memflow.text import fold, tokens
from memflow.types import Message, Packed


def judge(
    question: str, answer: str, packed: Packed, prompt: str, settings: Settings
) -> Generator[ModelCall, ModelReply, bool | None]:
    """True: grounded; False: not; None: the reply could not be read.

    `prompt` names the check's prompt file; the context is cut to `check_characters`.
    """
    check = load(prompt)
    [asked] = check.examples
    context = packed.text
    if len(context) > settings.check_characters:
        # The end is nearest to the question and holds the best evidence.
        context = f"<memory>\n…{context[-settings.check_characters :]}"
    reply = yield ModelCall(
        Purpose.CHECK,
        (
            Message("system", check.text),
            Message(
                "user",
                f"{context}\n\nQuestion: {question.strip()}\n"
                f"Proposed answer: {answer}\n{asked.content}",
            ),
        ),
        settings.check_tokens,
        choices=("yes", "no"),
    )
    first = tokens(fold(reply.text))[:1]
    return {"yes": True, "no": False}.get(first[0]) if first else None

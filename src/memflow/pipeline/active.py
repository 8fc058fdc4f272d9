"""Stage 1: the live conversation may already hold the answer.

The paper returns the contiguous span of the last turns whose words cover the question. Guarded:
a question asked again is no answer to itself, so spans hold statements only, and they must say
something that the question does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memflow.text import content_words, overlap
from memflow.types import Message

_QUESTION_MARKS = ("?", "？", "؟", ";")


@dataclass(frozen=True, slots=True)
class ActiveSpan:
    """Consecutive statements of the live conversation, and the share of the question's words."""

    messages: tuple[Message, ...]
    share: float

    @property
    def text(self) -> str:
        return "\n".join(message.content.strip() for message in self.messages)


def active_span(
    question: str, history: Sequence[Message], *, turns: int, threshold: float
) -> ActiveSpan | None:
    """The shortest best-covering span of the last `turns` messages, if one covers enough."""
    asked = content_words(question)
    recent = [message for message in history if message.role in {"user", "assistant"}][-turns:]
    best: tuple[tuple[float, int, int], ActiveSpan] | None = None
    for start in range(len(recent)):
        for end in range(start + 1, len(recent) + 1):
            span = tuple(recent[start:end])
            if any(_is_question(message) for message in span):
                break
            words = content_words(" ".join(message.content for message in span))
            share = overlap(asked, words)
            if share < threshold or not words - asked:
                continue
            key = (share, start - end, start)
            if best is None or key > best[0]:
                best = (key, ActiveSpan(span, share))
    return best[1] if best else None


def _is_question(message: Message) -> bool:
    """Of either side: an assistant's "shall I tell you …?" answers nothing."""
    return message.content.rstrip().endswith(_QUESTION_MARKS)

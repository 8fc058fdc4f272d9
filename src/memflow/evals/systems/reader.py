"""The model that answers for a baseline: its window, its prompt, one call, one typed reply.

All baselines share what is here: the plain prompt, the room for an answer, how a refusal is known,
and that a failing model is a reply like any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.dates import format_date
from memflow.errors import ModelError
from memflow.evals.systems.base import Flow, Reply
from memflow.operations import OPERATIONS
from memflow.packing import render
from memflow.pipeline.ledger import Ledger
from memflow.prompts import load
from memflow.protocols import Clock, TokenCounter
from memflow.text import tokens
from memflow.types import Item, Message, Packed, SessionKind, Turn
from memflow.validation.checks import refuses
from memflow.wiring import Assembly

ANSWER_TOKENS = max(operation.answer_tokens for operation in OPERATIONS.values())
"""Who does not know the kind of question gets the room of the longest kind."""

NOTHING = Packed("", 0, ())
_LABEL = re.compile(r"^\s*(?:final\s+)?answer\s*:\s*", re.IGNORECASE)
_TRIES = 6


@dataclass(frozen=True, slots=True)
class Reader:
    """`window` in tokens of `counter`; `name` is the model's."""

    counter: TokenCounter
    window: int
    clock: Clock
    name: str

    @classmethod
    def of(cls, assembly: Assembly) -> Reader:
        """Without a model: the estimate, and the window that one would be opened with."""
        stages = assembly.stages(use_model=True)
        info = stages.model
        return cls(
            stages.counter,
            info.window if info else assembly.settings.model_window,
            assembly.clock,
            info.name if info else "",
        )

    def ledger(self, calls: int) -> Ledger:
        return Ledger(calls, self.clock.monotonic_ms)

    def over(self, messages: Sequence[Message], max_tokens: int = ANSWER_TOKENS) -> int:
        """Tokens by which a prompt and its reply exceed the window; negative is room."""
        return self.counter.count_messages(messages) + max_tokens - self.window


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands around the memory: a prompt file, and how the memory's kind is to be read."""

    prompt: str
    kind: SessionKind = SessionKind.ASSISTANT

    def messages(self, memory: str, question: str, now: datetime) -> tuple[Message, ...]:
        """Memory, date, question: a memory that stays the same is read once by a model that caches
        its prompt's beginning."""
        return self.opened(f"{memory}\n\n{closing(question, now)}")

    def opened(self, asked: str) -> tuple[Message, ...]:
        """System and worked examples, then what is asked."""
        prompt = load(self.prompt)
        return (
            Message("system", f"{prompt.text}\n{load(f'frame-{self.kind}').text}"),
            *prompt.examples,
            Message("user", asked),
        )


def closing(question: str, now: datetime) -> str:
    return f"Today is {format_date(now.date())}.\nQuestion: {question.strip()}"


def kind_of(turns: Sequence[Turn]) -> SessionKind:
    """What most of the turns are; ties go to the first in the enumeration."""
    kinds = Counter(turn.kind for turn in turns)
    return max(SessionKind, key=lambda kind: kinds[kind])


def rendered(items: Sequence[Item], counter: TokenCounter) -> Packed:
    """Items in the order they are to be read, fenced and counted."""
    text = render.render(items)
    return Packed(text, counter.count(text), tuple(items))


def fitted(
    compile_: Callable[[int], Packed],
    budget: int,
    reader: Reader,
    messages: Callable[[str], Sequence[Message]],
) -> Packed | None:
    """The memory of at most `budget` tokens, less where prompt and answer would exceed the window;
    None when not even an empty one leaves room for the answer."""
    packed = compile_(budget)
    for _ in range(_TRIES):
        over = reader.over(messages(packed.text))
        if over <= 0:
            return packed
        if not packed.items:
            return None
        # A little more than counted: pieces of text tokenize differently alone and together.
        packed = compile_(max(packed.tokens - over - 8, 0))
    packed = compile_(0)
    return packed if reader.over(messages(packed.text)) <= 0 else None


def one_call(
    packed: Packed | None,
    reader: Reader,
    messages: Callable[[str], Sequence[Message]],
    *,
    reason: str = "",
) -> Flow[Reply]:
    """The reply to one prompt; `packed` None says that the question alone is too long."""
    ledger = reader.ledger(1)
    if packed is None:
        return failure("the question alone does not fit the model's window", NOTHING, ledger)
    call = ModelCall(Purpose.ANSWER, tuple(messages(packed.text)), ANSWER_TOKENS)
    with ledger.stage("answer"):
        try:
            said = yield from ledger.metered(once(call))
        except ModelError as error:
            return failure(f"model failed: {error}", packed, ledger)
    return reply(said.text, packed, ledger, reason=reason)


def once(call: ModelCall) -> Flow[ModelReply]:
    return (yield call)


def reply(text: str, packed: Packed, ledger: Ledger, *, reason: str = "") -> Reply:
    """An empty text is no answer, but nor does it say that there is none."""
    text = _LABEL.sub("", text).strip()
    return Reply(
        text=text,
        packed=packed,
        usage=ledger.usage(),
        abstained=bool(tokens(text)) and refuses(text),
        reason=reason,
        calls=tuple(ledger.calls),
    )


def failure(reason: str, packed: Packed, ledger: Ledger) -> Reply:
    """Nothing was said: neither an answer nor an abstention."""
    return Reply(
        text="", packed=packed, usage=ledger.usage(), reason=reason, calls=tuple(ledger.calls)
    )

"""Fakes that ship: a scripted model, a hashing encoder, a clock and ids that never surprise.

For tests of what is built on MemFlow as much as for its own: no files, no network, no weights.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np

from memflow.calls import Finish, ModelCall, ModelReply, Purpose
from memflow.errors import ModelError, UsageError, WindowExceeded
from memflow.protocols import EncoderInfo, ModelInfo, Vector
from memflow.text import terms
from memflow.tokens import HeuristicCounter

Said = str | ModelReply | ModelError
"""What a script says: a text, a whole reply, or an error to raise."""

Script = Callable[[ModelCall], Said] | Mapping[Purpose, Said | Sequence[Said]]


class ScriptedModel:
    """A `ChatModel` that says what it is told, and records what it was asked in `calls`.

    The script is a function of the call, or gives each purpose one reply for ever or a sequence
    to be used up. A text keeps the call's limits: it ends at a stop string and after `max_tokens`
    (finish LENGTH), and "" is EMPTY; whether it is one of the choices is the script's business.
    """

    def __init__(
        self, script: Script, *, window: int = 4096, batch: int = 1, name: str = "scripted"
    ) -> None:
        self._script = script
        self._info = ModelInfo(name=name, window=window, batch=batch)
        self._counter = HeuristicCounter()
        self._used: dict[Purpose, int] = {}
        self.calls: list[ModelCall] = []

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def counter(self) -> HeuristicCounter:
        return self._counter

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        return [self._complete(call) for call in calls]

    def _complete(self, call: ModelCall) -> ModelReply:
        self.calls.append(call)
        prompt_tokens = self._counter.count_messages(call.messages)
        if prompt_tokens + call.max_tokens > self._info.window:
            raise WindowExceeded(
                f"the prompt has {prompt_tokens} tokens and the reply may have {call.max_tokens}: "
                f"more than the window of {self._info.window}"
            )
        said = self._said(call)
        if isinstance(said, ModelError):
            raise said
        if isinstance(said, ModelReply):
            return said
        for stop in call.stop:
            said = said.partition(stop)[0]
        said = said.strip()
        if said in call.choices:  # a constrained model says all of its choice
            return ModelReply(said, Finish.STOP, prompt_tokens, self._counter.count(said), 0.0)
        text = self._cut(said, call.max_tokens)
        finish = Finish.EMPTY if not text else Finish.STOP
        if len(text) < len(said):
            finish = Finish.LENGTH
        return ModelReply(text, finish, prompt_tokens, self._counter.count(text), 0.0)

    def _said(self, call: ModelCall) -> Said:
        if callable(self._script):
            return self._script(call)
        lines = self._script.get(call.purpose)
        if isinstance(lines, str | ModelReply | ModelError):
            return lines
        used = self._used.get(call.purpose, 0)
        if lines is None or used >= len(lines):
            raise UsageError(f"the script has no reply left for '{call.purpose}'")
        self._used[call.purpose] = used + 1
        return lines[used]

    def _cut(self, text: str, limit: int) -> str:
        if self._counter.count(text) <= limit:
            return text
        words = text.split()
        while words and self._counter.count(" ".join(words)) > limit:
            words.pop()
        return " ".join(words)


class HashEncoder:
    """An `Encoder` without weights: texts that share word stems are near, all others are not.

    Every stem has a fixed pseudo-random direction; a text is the sum of its stems' directions.
    """

    DIMENSION = 64

    @property
    def info(self) -> EncoderInfo:
        return EncoderInfo("hash", "1", self.DIMENSION, "sum", "")

    def encode(self, texts: Sequence[str]) -> Vector:
        rows = np.zeros((len(texts), self.DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            total = sum((_direction(term) for term in terms(text)), _direction("") / 1000)
            rows[row] = total / np.linalg.norm(total)
        return rows

    def encode_query(self, text: str) -> Vector:
        row: Vector = self.encode([text])[0]
        return row


@lru_cache(maxsize=65536)
def _direction(term: str) -> Vector:
    digest = hashlib.blake2b(term.encode(), digest_size=HashEncoder.DIMENSION).digest()
    # int8 to float: the same on every platform and version.
    direction: Vector = (np.frombuffer(digest, dtype=np.int8) / 128 + 1 / 256).astype(np.float32)
    return direction


class FixedClock:
    """A `Clock` that stands still until it is told to `advance`.

    `monotonic_ms` goes on by one at each reading, so that durations are never zero.
    """

    def __init__(self, now: datetime = datetime(2024, 6, 1, 12, 0, tzinfo=UTC)) -> None:
        if now.tzinfo is None:
            raise UsageError("the clock's time needs a zone")
        self._now = now
        self._ticks = itertools.count(1)

    def now(self) -> datetime:
        return self._now

    def monotonic_ms(self) -> float:
        return float(next(self._ticks))

    def advance(self, by: timedelta) -> None:
        self._now += by


class CountingIds:
    """Ids in order: id-1, id-2, …"""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._numbers = itertools.count(1)

    def __call__(self) -> str:
        return f"{self._prefix}-{next(self._numbers)}"

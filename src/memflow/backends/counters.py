"""Token counts from a model server: exact where it tokenizes for us, else a learning estimate."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from math import ceil
from typing import Any, Generic, TypeVar

from memflow.backends.endpoint import Endpoint
from memflow.backends.wire import ServerKind, no_thinking, wire_messages
from memflow.errors import ModelError
from memflow.tokens import HeuristicCounter
from memflow.types import Message

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_CACHED_TEXTS = 16_384
_CACHED_PROMPTS = 256
_QUIET_S = 15.0  # how long a server without a tokenizer is not asked again


class Recent(Generic[K, V]):
    """A bounded least-recently-used map, safe between threads; a miss is computed unlocked."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, compute: Callable[[], V]) -> V:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = compute()
        with self._lock:
            self._values[key] = value
            if len(self._values) > self._size:
                self._values.popitem(last=False)
        return value


class ServerTokenizer:
    """The tokenize endpoints of llama-server and vLLM, cached. Raises ModelError."""

    def __init__(self, endpoint: Endpoint, kind: ServerKind, model: str) -> None:
        self._endpoint = endpoint
        self._kind = kind
        self._model = model
        self._texts: Recent[str, int] = Recent(_CACHED_TEXTS)
        self._firsts: Recent[str, int] = Recent(_CACHED_PROMPTS)
        self._prompts: Recent[tuple[Message, ...], int] = Recent(_CACHED_PROMPTS)

    def count(self, text: str) -> int:
        if not text:
            return 0
        return self._texts.get(text, lambda: len(self.tokenize(text)))

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._prompts.get(tuple(messages), lambda: self._count_prompt(messages))

    def tokenize(self, text: str) -> list[int]:
        """Token ids of a text that stands inside a prompt: no start token, no marks parsed."""
        if self._kind is ServerKind.VLLM:
            body = {"model": self._model, "prompt": text, "add_special_tokens": False}
        else:
            body = {"content": text, "add_special": False, "parse_special": False}
        return list(self._ask("/tokenize", body)["tokens"])

    def first_token(self, text: str) -> int:
        """The token a reply that is this text would start with."""
        return self._firsts.get(text, lambda: self.tokenize(text)[0])

    def _count_prompt(self, messages: Sequence[Message]) -> int:
        body: dict[str, Any] = {"messages": wire_messages(messages), **no_thinking(self._kind)}
        if self._kind is ServerKind.VLLM:
            return int(self._ask("/tokenize", body | {"model": self._model})["count"])
        prompt = self._ask("/apply-template", body)["prompt"]
        whole = {"content": prompt, "add_special": True, "parse_special": True}
        return len(self._ask("/tokenize", whole)["tokens"])

    def _ask(self, path: str, body: Any) -> Any:
        return self._endpoint.post(path, body, retry=False)


class LearningCounter:
    """A heuristic, scaled by how far it was off for this model's past prompts, rounded up.

    The scale is the largest of the recent ones, so that an estimate seldom falls short.
    """

    _START = 1.25
    _SHORTEST = 40  # tokens; below, the template's share drowns the text's
    _MARGIN = 1.03

    def __init__(self) -> None:
        self._heuristic = HeuristicCounter()
        self._ratios: deque[float] = deque(maxlen=32)

    @property
    def scale(self) -> float:
        return max(self._ratios) * self._MARGIN if self._ratios else self._START

    def count(self, text: str) -> int:
        return ceil(self._heuristic.count(text) * self.scale)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return ceil(self._heuristic.count_messages(messages) * self.scale)

    def observe(self, messages: Sequence[Message], prompt_tokens: int) -> None:
        """Learn from what the server said a prompt had."""
        guess = self._heuristic.count_messages(messages)
        if guess >= self._SHORTEST and prompt_tokens > 0:
            # A server that counts only what its cache lacked would teach us far too little.
            self._ratios.append(max(prompt_tokens / guess, 0.5))


class ServerCounter:
    """Asks the server's tokenizer, and estimates when there is none or it does not answer.

    Counting never raises: an unreachable server is for the call itself to report.
    """

    def __init__(self, tokenizer: Callable[[], ServerTokenizer | None]) -> None:
        self._tokenizer = tokenizer
        self.estimate = LearningCounter()
        self._quiet_until = 0.0

    def count(self, text: str) -> int:
        return self._try(lambda t: t.count(text), lambda: self.estimate.count(text))

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._try(
            lambda t: t.count_messages(messages), lambda: self.estimate.count_messages(messages)
        )

    def _try(self, exact: Callable[[ServerTokenizer], int], guess: Callable[[], int]) -> int:
        if time.monotonic() >= self._quiet_until:
            tokenizer = self._tokenizer()
            if tokenizer is not None:
                try:
                    return exact(tokenizer)
                except (ModelError, KeyError, TypeError, ValueError):
                    pass
            # A packer asks hundreds of times: not every one of them may wait for a dead server.
            self._quiet_until = time.monotonic() + _QUIET_S
        return guess()

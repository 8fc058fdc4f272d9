"""Any server that speaks OpenAI's chat completions: llama-server, Ollama, LM Studio, vLLM, …

What a server takes beyond the common format is found out, not configured: its kind from its list
of models, and a field it refuses is left out from then on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from memflow.backends.counters import ServerCounter, ServerTokenizer
from memflow.backends.endpoint import Endpoint, Passing, Refused
from memflow.backends.wire import (
    ServerKind,
    optional_fields,
    parse_reply,
    parse_weights,
    request_body,
    usage,
    weighing_body,
)
from memflow.calls import Finish, ModelCall, ModelReply
from memflow.errors import ModelError, ModelUnavailable, WindowExceeded
from memflow.protocols import ModelInfo, TokenCounter

_KIND_BY_OWNER = {
    "llamacpp": ServerKind.LLAMA_CPP,
    "vllm": ServerKind.VLLM,
    "library": ServerKind.OLLAMA,
    "organization_owner": ServerKind.LM_STUDIO,
}
_CHAT = "/v1/chat/completions"
_TOKENIZING = (ServerKind.LLAMA_CPP, ServerKind.VLLM)


@dataclass(frozen=True, slots=True)
class _Server:
    """What the server told about itself."""

    kind: ServerKind
    model: str
    window: int | None


class OpenAICompatibleModel:
    """A `ChatModel` behind HTTP. Nothing is sent before the first call or count.

    `window` is the room the caller believes in; a smaller one that the server states holds. (A
    server that cuts long prompts silently, as Ollama does at its `num_ctx`, states none: set
    `window` to that value.) `parallel` calls run at once. `model` "" takes the first one served.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        window: int = 4096,
        timeout_s: float = 120.0,
        retries: int = 2,
        parallel: int = 1,
        kind: ServerKind | None = None,
        local: bool = True,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._window = window
        self._parallel = max(1, parallel)
        self._kind = kind
        self._local = local
        self._endpoint = Endpoint(
            base_url,
            api_key=api_key,
            timeout_s=timeout_s,
            retries=retries,
            mend=_mend(base_url, model, kind),
            sleep=sleep,
        )
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._tokenizer: ServerTokenizer | None = None
        self._refused: frozenset[str] = frozenset()
        self._cannot_weigh = False
        self._counter = ServerCounter(self._server_tokenizer)

    @property
    def info(self) -> ModelInfo:
        server = self._server
        return ModelInfo(
            name=self._model or (server.model if server else "default"),
            window=_bounded(self._window, server),
            batch=self._parallel,
            constrained=not self._refused & {"grammar", "response_format"},
            local=self._local,
        )

    @property
    def counter(self) -> TokenCounter:
        return self._counter

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        if len(calls) < 2 or self._parallel == 1:
            return [self._complete(call) for call in calls]
        with ThreadPoolExecutor(min(self._parallel, len(calls))) as pool:
            return list(pool.map(self._complete, calls))

    def close(self) -> None:
        self._endpoint.close()

    def _complete(self, call: ModelCall) -> ModelReply:
        server = self._asked()
        prompt_tokens = self._counter.count_messages(call.messages)
        window = _bounded(self._window, server)
        if prompt_tokens + call.max_tokens > window:
            raise WindowExceeded(
                f"the prompt has {prompt_tokens} tokens and the reply may have {call.max_tokens}: "
                f"more than the window of {window}",
                mend="lower the budget, or raise model_window",
            )
        reply = self._choose(call, server, prompt_tokens) if call.choices else None
        if reply is None:
            started = time.monotonic()
            answer = self._send(call, server)
            milliseconds = (time.monotonic() - started) * 1000
            reply = parse_reply(
                answer, call, milliseconds=milliseconds, prompt_tokens=prompt_tokens
            )
        self._counter.estimate.observe(call.messages, reply.prompt_tokens)
        return reply

    def _choose(self, call: ModelCall, server: _Server, prompt_tokens: int) -> ModelReply | None:
        """Let a llama-server weigh the choices; None where the server cannot."""
        tokenizer = self._server_tokenizer()
        if tokenizer is None or server.kind is not ServerKind.LLAMA_CPP or self._cannot_weigh:
            return None
        started = time.monotonic()
        try:
            first_tokens = {choice: tokenizer.first_token(choice) for choice in call.choices}
            body = weighing_body(call, server.model, first_tokens)
            answer = self._endpoint.post(_CHAT, body)
        except Refused:
            answer = {}
            first_tokens = {}
        logprobs = parse_weights(answer, first_tokens)
        if not logprobs:
            self._cannot_weigh = True
            return None
        best = max(call.choices, key=logprobs.__getitem__)
        alike = tuple(c for c in call.choices if first_tokens[c] == first_tokens[best])
        prompt, completion = usage(answer)
        text = best
        if len(alike) > 1:  # their first token does not tell them apart: let the model write on
            narrowed = replace(call, choices=alike)
            written = parse_reply(
                self._send(narrowed, server), narrowed, milliseconds=0.0, prompt_tokens=prompt
            )
            text, prompt = written.text, prompt + written.prompt_tokens
            completion += written.completion_tokens
        return ModelReply(
            text=text,
            finish=Finish.STOP if text in call.choices else Finish.LENGTH,
            prompt_tokens=prompt or prompt_tokens,
            completion_tokens=completion,
            milliseconds=(time.monotonic() - started) * 1000,
            choice_logprobs=logprobs,
        )

    def _send(self, call: ModelCall, server: _Server) -> Any:
        """With the optional fields; refused, once more without, which is remembered."""
        body = request_body(call, server.model, server.kind)
        fields = {
            key: value
            for key, value in optional_fields(call, server.kind).items()
            if key not in self._refused
        }
        try:
            return self._endpoint.post(_CHAT, body | fields)
        except Refused as refusal:
            if not fields or (server.kind is ServerKind.LLAMA_CPP and call.grammar):
                raise  # a grammar that does not parse is the caller's to mend
            try:
                answer = self._endpoint.post(_CHAT, body)
            except Refused:
                raise refusal from None  # it was not the optional fields
            self._refused |= fields.keys()
            return answer

    def _server_tokenizer(self) -> ServerTokenizer | None:
        try:
            server = self._asked()
        except ModelError:
            return None
        with self._lock:
            if self._tokenizer is None and server.kind in _TOKENIZING:
                self._tokenizer = ServerTokenizer(self._endpoint, server.kind, server.model)
            return self._tokenizer

    def _asked(self) -> _Server:
        """What the server says of itself, asked once; a failure is not remembered."""
        if self._server is None:
            try:
                listed = self._endpoint.get("/v1/models")
            except ModelUnavailable as error:
                if not self._model:
                    raise
                # Whether the server is there, the call itself will tell; it may be starting.
                if isinstance(error, Passing):
                    return _Server(self._kind or ServerKind.OTHER, self._model, None)
                listed = None  # it has no such list
            except Refused:
                listed = None
            self._server = _server(listed, self._model, self._kind)
        return self._server


def _server(listed: Any, model: str, kind: ServerKind | None) -> _Server:
    rows = listed.get("data") if isinstance(listed, dict) else None
    rows = [row for row in rows or [] if isinstance(row, dict) and row.get("id")]
    row = next((row for row in rows if row["id"] == model), rows[0] if rows else {})
    meta = row.get("meta") or {}
    window = meta.get("n_ctx") or row.get("max_model_len")
    return _Server(
        kind=kind or _KIND_BY_OWNER.get(str(row.get("owned_by")), ServerKind.OTHER),
        model=model or str(row.get("id") or "default"),
        window=window if isinstance(window, int) and window > 0 else None,
    )


def _bounded(window: int, server: _Server | None) -> int:
    return min(window, server.window) if server and server.window else window


def _mend(base_url: str, model: str, kind: ServerKind | None) -> str:
    match kind:
        case ServerKind.OLLAMA:
            return f"is Ollama running, and the model there? `ollama pull {model}`"
        case ServerKind.LM_STUDIO:
            return f"is LM Studio's server running, with {model or 'a model'} loaded?"
        case ServerKind.LLAMA_CPP:
            return "is llama-server running? `llama-server -m MODEL.gguf`"
        case ServerKind.VLLM:
            return f"is vLLM running? `vllm serve {model or 'MODEL'}`"
        case _:
            return f"check the address {base_url}, the model's name '{model}' and the API key"

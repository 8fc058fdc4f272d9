"""llama.cpp inside this process: a GGUF file and nothing else to install or run.

The runtime (xllamacpp) is llama.cpp's own server, listening on the loopback interface behind a
secret made for this process. We speak to it as to any llama-server, because only requests over
that connection can be given up when time runs out. The model is loaded at the first use.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import secrets
import signal
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memflow.backends.gguf import read_header
from memflow.backends.openai_compatible import OpenAICompatibleModel
from memflow.backends.wire import ServerKind
from memflow.calls import ModelCall, ModelReply
from memflow.errors import MissingExtra, ModelUnavailable
from memflow.protocols import ModelInfo, TokenCounter
from memflow.types import Message

_PROMPT_CACHE_MIB = 512
"""Memory for the states of prompts seen before, so that a flow which alternates between the
router's, the answer's and the check's prompts does not read each anew. The runtime's own default
is 8 GiB, more than the models."""


class LlamaCppModel:
    """A `ChatModel` on a GGUF file.

    `window` is bounded by the length the model was trained on. `threads` 0 leaves the number to
    the runtime. `parallel` calls are computed in one batch, each with the whole window to itself;
    memory for the windows grows with it. Close it to free the model.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        window: int = 4096,
        threads: int = 0,
        parallel: int = 1,
        name: str | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        if find_spec("xllamacpp") is None:
            raise MissingExtra("running a model in this process", "local")
        self._path = Path(path).expanduser()
        header = read_header(self._path)
        self._threads = threads
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._runtime: Any = None
        self._chat: OpenAICompatibleModel | None = None
        self._info = ModelInfo(
            name=name or self._path.stem,
            window=min(window, header.context or window),
            batch=max(1, parallel),
        )

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def counter(self) -> TokenCounter:
        return _LoadingCounter(self)

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        return self.loaded().complete(calls)

    def loaded(self) -> OpenAICompatibleModel:
        """The connection to the running model, loaded now if it was not."""
        with self._lock:
            if self._chat is None:
                secret = secrets.token_urlsafe(32)
                self._runtime = self._start(secret)
                self._chat = OpenAICompatibleModel(
                    self._runtime.listening_address,
                    self._info.name,
                    api_key=secret,
                    window=self._info.window,
                    timeout_s=self._timeout_s,
                    retries=0,
                    parallel=self._info.batch,
                    kind=ServerKind.LLAMA_CPP,
                )
            return self._chat

    def close(self) -> None:
        """Stop the runtime and free its memory; the next use loads the model again."""
        with self._lock:
            if self._chat is not None:
                self._chat.close()
            self._chat = None
            self._runtime = None  # its destructor stops the threads and the listener

    def _start(self, secret: str) -> Any:
        xllamacpp = _runtime()
        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx = self._info.window * self._info.batch  # the runtime divides it by slots
        params.n_parallel = self._info.batch
        params.n_threads_http = self._info.batch + 2
        if self._threads > 0:
            params.cpuparams.n_threads = self._threads
            params.cpuparams_batch.n_threads = self._threads
        params.cache_prompt = True
        params.cache_ram_mib = _PROMPT_CACHE_MIB
        params.verbosity = -1
        params.warmup = False
        params.api_keys = [secret]
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        with contextlib.suppress(AttributeError):  # fields of newer versions
            params.ui = False
            params.offline = True
            params.endpoint_slots = False
        try:
            with _signals_kept():
                return xllamacpp.Server(params)
        except RuntimeError as error:
            raise ModelUnavailable(
                f"the runtime cannot load {self._path}: {error}",
                mend="is there memory enough? else pull the model again, or upgrade xllamacpp",
            ) from error


def _runtime() -> Any:
    """The runtime's module, imported so that its threads sleep while they wait for each other.

    OpenMP's own default is to spin, which on cores that other work shares cost a factor of 3 to 12
    (2 threads, 2 cores, load 5: 2 tokens a second against 27). It reads the variable as it loads.
    """
    ours = "OMP_WAIT_POLICY" not in os.environ
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        return importlib.import_module("xllamacpp")
    finally:
        if ours:
            del os.environ["OMP_WAIT_POLICY"]


class _LoadingCounter:
    """The model's own tokenizer; the first count loads the model."""

    def __init__(self, model: LlamaCppModel) -> None:
        self._model = model

    def count(self, text: str) -> int:
        return self._model.loaded().counter.count(text)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self._model.loaded().counter.count_messages(messages)


class _signals_kept(contextlib.AbstractContextManager[None]):  # noqa: N801 - used as a function
    """Put Python's handlers back: some versions of the runtime take over Ctrl-C."""

    def __enter__(self) -> None:
        self._before = {number: signal.getsignal(number) for number in _SIGNALS}

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            # Only the main thread may set handlers, and only those Python knows.
            if handler is not None and threading.current_thread() is threading.main_thread():
                signal.signal(number, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)

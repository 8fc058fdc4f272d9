"""A haystack in a memory of its own, for as long as its questions are asked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memflow.errors import MissingExtra
from memflow.evals.cases import Case, Haystack
from memflow.evals.embeddings import CachedEncoder, default_cache
from memflow.protocols import ChatModel, Encoder
from memflow.settings import Settings
from memflow.wiring import Assembly, assemble, encoder_for

SPACE = "haystack"


@contextmanager
def remembered(
    haystack: Haystack, settings: Settings, encoder: Encoder, model: ChatModel | None = None
) -> Iterator[Assembly]:
    """An open memory that holds the haystack in `SPACE`; gone at the end."""
    with tempfile.TemporaryDirectory(prefix="memflow-eval-") as folder:
        path = str(Path(folder) / "haystack.db")
        assembly = assemble(replace(settings, db=path), encoder=encoder, model=model)
        try:
            assembly.rememberer.add(SPACE, haystack.turns)
            yield assembly
        finally:
            assembly.close()


@contextmanager
def cached_encoder(settings: Settings, given: Encoder | None) -> Iterator[Encoder]:
    """Vectors are computed once for all runs. Raises MissingExtra when there is no encoder."""
    inner = given or encoder_for(settings)
    if inner is None:
        raise MissingExtra("measuring with dense retrieval", "local")
    cached = CachedEncoder(inner, default_cache())
    try:
        yield cached
    finally:
        cached.close()


def asked_at(case: Case, haystack: Haystack) -> datetime:
    """The asker's time: the case's own, else that of the haystack's last turn."""
    if case.now is not None:
        return case.now
    times = [turn.time for turn in haystack.turns if turn.time is not None]
    return max(times) if times else datetime(2000, 1, 1, tzinfo=UTC)

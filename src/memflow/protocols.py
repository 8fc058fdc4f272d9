"""What the rooms need from outside: each protocol has at most three methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from memflow.calls import ModelCall, ModelReply
from memflow.types import AddResult, Chunk, Fact, Message, NewTurn, Trace, Turn

Vector = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Clock(Protocol):
    """Where the time comes from: injected, so that runs can be repeated."""

    def now(self) -> datetime: ...

    def monotonic_ms(self) -> float: ...


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens as the answering model would."""

    def count(self, text: str) -> int: ...

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of the whole prompt, the chat template's own included."""
        ...


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """`window` is in tokens; `batch` is how many calls run at once."""

    name: str
    window: int
    batch: int = 1
    constrained: bool = True
    local: bool = True


class ChatModel(Protocol):
    """A small language model. `complete` keeps the order of the calls.

    Raises ModelError subclasses; a strange reply is data (`ModelReply.finish`), not an error.
    """

    @property
    def info(self) -> ModelInfo: ...

    @property
    def counter(self) -> TokenCounter: ...

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]: ...


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """The fingerprint a store keeps beside its vectors: different values never mix."""

    name: str
    revision: str
    dimension: int
    pooling: str
    query_prefix: str

    @property
    def fingerprint(self) -> str:
        return "|".join(
            (self.name, self.revision, str(self.dimension), self.pooling, self.query_prefix)
        )


class Encoder(Protocol):
    """A sentence encoder; rows are unit-length float32 of shape (n, dimension)."""

    @property
    def info(self) -> EncoderInfo: ...

    def encode(self, texts: Sequence[str]) -> Vector: ...

    def encode_query(self, text: str) -> Vector:
        """Shape (dimension,), with the encoder's query instruction applied."""
        ...


# --------------------------------------------------------------------------- the store, in parts


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """Column arrays over all indexed chunks of a space, in reading order.

    Reading order: session by its first event time then key, then turn position, then chunk
    start. All arrays have length n. `lengths` counts index terms. `sessions` and `speakers` are
    indices into `session_names` and `speaker_names`; `times` are epoch seconds (NaN: unknown).
    `roles` is 1 for the assistant, 2 for documents, else 0. `vectors` has shape (n, dimension), or
    (0, 0) when the space has none. Neighbours in the arrays are neighbours in the text iff sessions
    agree.
    """

    version: int
    keys: Ints
    sessions: Ints
    speakers: Ints
    roles: Ints
    times: Floats
    lengths: Ints
    vectors: Vector
    session_names: tuple[str, ...]
    speaker_names: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.keys)


class TurnLog(Protocol):
    """The words themselves, verbatim and durable."""

    def append(self, space: str, turns: Iterable[NewTurn]) -> AddResult:
        """Store durably, in one transaction per call; the same turn again is skipped."""
        ...

    def turns(
        self,
        space: str,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
    ) -> list[Turn]:
        """In reading order; unknown ids are left out."""
        ...

    def forget(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Delete turns and all that derives from them; counts by table."""
        ...


class SearchIndex(Protocol):
    """What retrieval reads."""

    def catalogue(self, space: str) -> Catalogue:
        """Cached in the process; refreshed when any process has changed the space."""
        ...

    def postings(self, space: str, terms: Sequence[str]) -> Mapping[str, tuple[Ints, Ints]]:
        """term → (chunk keys ascending, term frequencies); absent terms are left out."""
        ...

    def chunks(self, space: str, keys: Sequence[int]) -> list[Chunk]:
        """In the order of `keys`."""
        ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One chunk to be indexed: its span in the turn, its terms' frequencies, its vector."""

    turn_id: str
    start: int
    end: int
    terms: Mapping[str, int]
    vector: Vector | None


class IndexWriter(Protocol):
    """What ingestion writes, after the turns are safe."""

    def pending(self, space: str, limit: int) -> list[Turn]:
        """Stored turns that are not indexed yet, oldest first."""
        ...

    def index(
        self,
        space: str,
        turn_ids: Sequence[str],
        entries: Sequence[IndexEntry],
        facts: Sequence[Fact],
    ) -> None:
        """Index these turns, and mark them so, in one transaction. Fact ids are given here."""
        ...

    def embeddings(self, space: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        """Vectors already computed for texts of these sha256 digests, by the store's encoder."""
        ...


class FactLedger(Protocol):
    """Profile facts, superseded ones kept."""

    def facts(self, space: str, *, key: str | None = None, current: bool = True) -> list[Fact]:
        """Oldest first; `current=False` includes the superseded ones."""
        ...


class TraceLog(Protocol):
    """Why past answers came out so."""

    def save_trace(self, space: str, trace: Trace) -> None: ...

    def trace(self, space: str, trace_id: str) -> Trace | None: ...


class Store(TurnLog, SearchIndex, IndexWriter, FactLedger, TraceLog, Protocol):
    """All parts together, as one file or server gives them."""

    def spaces(self) -> list[str]: ...

    def stats(self, space: str) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


class StoreSession(AbstractContextManager[Store], Protocol):
    """A store that closes itself."""

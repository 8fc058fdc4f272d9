"""The store in one SQLite file: every operation is one transaction."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any

from memflow.backends.store import facts as ledger
from memflow.backends.store import index as search
from memflow.backends.store import postings, traces
from memflow.backends.store import turns as log
from memflow.backends.store.catalogue import CatalogueCache
from memflow.backends.store.connections import Connections
from memflow.backends.store.forget import TABLES, forget, scrub
from memflow.backends.store.rows import EPOCH, admit
from memflow.errors import StoreError
from memflow.protocols import Catalogue, Clock, EncoderInfo, IndexEntry, Ints, Vector
from memflow.types import AddResult, Chunk, Fact, NewTurn, Trace, Turn


def open_store(
    path: str | Path,
    *,
    encoder: EncoderInfo | None,
    busy_timeout_s: float = 30.0,
    clock: Clock | None = None,
) -> SqliteStore:
    """Open the file, or create it for its owner alone.

    Without an encoder the store searches by words only. With one whose vectors are not those in
    the file, turns and facts can still be read and written; what needs vectors raises
    EncoderMismatch.
    """
    store = SqliteStore(Connections(Path(path), busy_timeout_s), encoder, clock)
    # What was forgotten shortly before a crash; not worth failing for.
    with contextlib.suppress(StoreError):
        scrub(store.connections)
    return store


class SqliteStore:
    """Implements protocols.Store, for any number of threads and processes."""

    def __init__(
        self, connections: Connections, encoder: EncoderInfo | None, clock: Clock | None
    ) -> None:
        self.connections = connections
        self.encoder = encoder
        self._clock = clock
        self._catalogues = CatalogueCache(encoder.dimension if encoder else None)
        self._loading = threading.Lock()
        # The facts in force by space, with the index version they were read at.
        self._facts: dict[int, tuple[int, tuple[Fact, ...]]] = {}

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self.connections.close()

    # ------------------------------------------------------------------- the words

    def append(self, space: str, turns: Iterable[NewTurn]) -> AddResult:
        """Store durably; when this returns, the stored turns survive any crash.

        Turns without an id are known by their content and by how often it stood before in the
        session *within this call*: hand over a session as a whole, or give turns a time or id.
        """
        fit, skipped, failed = admit(turns)
        result = AddResult()
        if fit:
            added = (self._clock.now() if self._clock else datetime.now(UTC)).isoformat()
            with self.connections.write() as db:
                result = log.append(db, log.make_space(db, space), fit, added)
        return result + AddResult(skipped=tuple(skipped), failed=tuple(failed))

    def turns(
        self, space: str, *, ids: Sequence[str] | None = None, session: str | None = None
    ) -> list[Turn]:
        with self.connections.read() as db:
            key = log.find_space(db, space)
            return [] if key is None else log.read(db, key, ids, session)

    def forget(self, space: str, ids: Sequence[str]) -> Mapping[str, int]:
        """Delete, then rewrite the file so that no trace is left in it.

        Raises StoreBusy or StoreFull when the rewriting fails; the turns are deleted even then,
        and the next opening of the store, or the next `forget`, rewrites it.
        """
        with self.connections.write() as db:
            key = log.find_space(db, space)
            counts = dict.fromkeys(TABLES, 0) if key is None else forget(db, key, ids)
        scrub(self.connections)
        return counts

    # ------------------------------------------------------------------- search

    def catalogue(self, space: str) -> Catalogue:
        with self._loading, self.connections.read() as db:
            if self.encoder is not None:
                search.check_encoder(db, self.encoder)
            return self._catalogues.get(db, log.find_space(db, space))

    def postings(self, space: str, terms: Sequence[str]) -> Mapping[str, tuple[Ints, Ints]]:
        with self.connections.read() as db:
            key = log.find_space(db, space)
            return {} if key is None else postings.read(db, key, terms)

    def chunks(self, space: str, keys: Sequence[int]) -> list[Chunk]:
        with self.connections.read() as db:
            key = log.find_space(db, space)
            return [] if key is None else search.chunks(db, key, keys)

    # ------------------------------------------------------------------- indexing

    @property
    def _level(self) -> int:
        """What `turn.indexed` must reach: words, or words and vectors."""
        return 1 if self.encoder is None else 2

    def pending(self, space: str, limit: int) -> list[Turn]:
        """Oldest first. With an encoder, turns indexed without one come after these."""
        with self.connections.read() as db:
            key = log.find_space(db, space)
            return [] if key is None else log.pending(db, key, limit, self._level)

    def index(
        self,
        space: str,
        turn_ids: Sequence[str],
        entries: Sequence[IndexEntry],
        facts: Sequence[Fact],
    ) -> None:
        """An entry without a vector takes the one already known for its text, if any."""
        with self.connections.write() as db:
            key = log.find_space(db, space)
            if key is None:
                return
            keys, replaced = search.replace(db, key, turn_ids, entries, self.encoder)
            if keys:
                ledger.replace(db, key, keys, facts)
                log.touch(db, key, rebuilt=replaced)

    def embeddings(self, space: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        if self.encoder is None:
            return {}
        with self.connections.read() as db:
            search.check_encoder(db, self.encoder)
            key = log.find_space(db, space)
            return {} if key is None else search.embeddings(db, key, digests)

    # ------------------------------------------------------------------- facts and traces

    def facts(self, space: str, *, key: str | None = None, current: bool = True) -> list[Fact]:
        with self.connections.read() as db:
            found = log.find_space(db, space)
            if found is None:
                return []
            if key is not None or not current:
                return ledger.read(db, found, key, current)
            version = log.index_version(db, found)
            held = self._facts.get(found)
            if held is None or held[0] != version:
                held = self._facts[found] = (version, tuple(ledger.read(db, found, None, True)))
            return list(held[1])

    def save_trace(self, space: str, trace: Trace) -> None:
        with self.connections.write() as db:
            traces.save(db, log.make_space(db, space), trace)

    def trace(self, space: str, trace_id: str) -> Trace | None:
        with self.connections.read() as db:
            key = log.find_space(db, space)
            return None if key is None else traces.read(db, key, trace_id)

    # ------------------------------------------------------------------- the whole

    def spaces(self) -> list[str]:
        """Those that hold turns, by name."""
        with self.connections.read() as db:
            return [
                name
                for (name,) in db.execute(
                    "SELECT name FROM space WHERE EXISTS"
                    " (SELECT 1 FROM turn WHERE turn.space = space.key) ORDER BY name"
                )
            ]

    def stats(self, space: str) -> Mapping[str, Any]:
        """Counts of the space; `bytes` is the whole file's size, `encoder` a name or None."""
        with self.connections.read() as db:
            key = log.find_space(db, space)
            counts = {
                table: db.execute(
                    f"SELECT count(*) FROM {table} WHERE space = ?", (key,)
                ).fetchone()[0]
                for table in ("turn", "session", "chunk", "trace")
            }
            (facts,) = db.execute(
                "SELECT count(*) FROM fact WHERE space = ? AND repeats IS NULL", (key,)
            ).fetchone()
            (pending,) = db.execute(
                "SELECT count(*) FROM turn WHERE space = ? AND indexed < ?", (key, self._level)
            ).fetchone()
            first, last = db.execute(
                "SELECT min(first_time), max(last_time) FROM session WHERE space = ?", (key,)
            ).fetchone()
            encoder = search.recorded_encoder(db)
        return {
            **{f"{table}s": count for table, count in counts.items()},
            "facts": facts,
            "pending": pending,
            "first_time": _instant(first),
            "last_time": _instant(last),
            "bytes": self.connections.size(),
            "encoder": encoder.name if encoder else None,
        }


def _instant(epoch: float | None) -> datetime | None:
    return None if epoch is None else EPOCH + timedelta(seconds=epoch)

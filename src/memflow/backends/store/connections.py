"""Connections to one SQLite file: opened with care, pooled, every failure in our own words."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from memflow.backends.store import schema
from memflow.errors import (
    SchemaTooNew,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    UsageError,
)

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_FULL = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_IOERR,
}
_CORRUPT = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT}
_MAGIC = b"SQLite format 3\0"
_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA cache_size = -32768",
    "PRAGMA journal_size_limit = 67108864",
)


class Connections:
    """A pool: any thread borrows a connection for one transaction and gives it back.

    Readers run beside each other and beside one writer. A writer first takes the lock of this
    process, so that threads queue fairly, then SQLite's own.
    """

    def __init__(self, path: Path, busy_timeout_s: float) -> None:
        self.path = path.absolute()
        self._timeout = busy_timeout_s
        self._free: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._writing = threading.Lock()
        self._closed = False
        try:
            with self.translated():
                _create_file(self.path)
                self._refuse_other_files()
                self._ensure_schema()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Idempotent; a connection still lent out is closed when it comes back."""
        with self._guard:
            self._closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

    @contextlib.contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One snapshot for all statements inside."""
        with self.borrowed() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                _roll_back(connection)

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction, durable when the block ends, undone when it raises."""
        with self.writing(), self.borrowed() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """This process's turn to write."""
        if not self._writing.acquire(timeout=self._timeout):
            raise self._busy()
        try:
            yield
        finally:
            self._writing.release()

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[sqlite3.Connection]:
        """A connection outside any transaction."""
        with self.translated():
            with self._guard:
                if self._closed:
                    raise StoreError(f"{self.path}: the store is closed")
                connection = self._free.pop() if self._free else None
            if connection is None:
                connection = self._connect()
            try:
                yield connection
            finally:
                with self._guard:
                    keep = not self._closed
                    if keep:
                        self._free.append(connection)
                if not keep:
                    connection.close()

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """SQLite's and the system's errors become ours; programming errors stay what they are."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except UnicodeEncodeError as error:
            raise UsageError(f"not valid Unicode: {error}") from error
        except OSError as error:
            raise self._full(error.strerror or str(error)) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _BUSY:
                raise self._busy() from error
            if code in _FULL:
                raise self._full(str(error)) from error
            if code in _CORRUPT:
                raise self._corrupt(str(error)) from error
            raise StoreError(f"{self.path}: {error}") from error

    def size(self) -> int:
        """Bytes on disk, what is still in the write-ahead log included."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def _busy(self) -> StoreBusy:
        return StoreBusy(
            f"{self.path}: another writer held the store for over {self._timeout:g} s",
            mend="try again when it is done, or raise the setting busy_timeout_s",
        )

    def _full(self, reason: str) -> StoreFull:
        return StoreFull(
            f"{self.path}: cannot be written: {reason}",
            mend="free some disk space, or choose a file in a folder that exists and is writable",
        )

    def _corrupt(self, reason: str) -> StoreCorrupt:
        return StoreCorrupt(
            f"{self.path}: {reason}",
            mend="choose another file, or restore this one from a copy",
        )

    def _refuse_other_files(self) -> None:
        # SQLite itself takes a file of a few bytes for an empty database, and overwrites it.
        with self.path.open("rb") as file:
            head = file.read(len(_MAGIC))
        if head and head != _MAGIC:
            raise self._corrupt("not a database")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        try:
            self._use_wal(connection)
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
        return connection

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # Two processes that switch a new file at once: SQLite refuses one without waiting.
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in _BUSY
                if not busy or time.monotonic() >= deadline:
                    raise
                time.sleep(0.01)

    def _ensure_schema(self) -> None:
        with self.read() as connection:
            fresh = self._is_fresh(connection)
        if fresh:
            with self.write() as connection:
                # Another process may have been faster.
                if self._is_fresh(connection):
                    for statement in schema.statements(schema.SQLITE):
                        connection.execute(statement)
                    connection.execute(
                        "INSERT INTO meta VALUES ('schema', ?)", (str(schema.VERSION),)
                    )

    def _is_fresh(self, connection: sqlite3.Connection) -> bool:
        """Whether the file holds no table yet; raises unless it is empty or a store of ours."""
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if not tables:
            return True
        found = None
        if {"meta", "space", "turn"} <= tables:
            found = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
        if found is None or not str(found[0]).isdecimal():
            raise self._corrupt("a database of another program, not a MemFlow store")
        if int(found[0]) > schema.VERSION:
            raise SchemaTooNew(
                f"{self.path}: written with schema {found[0]}; this version knows {schema.VERSION}",
                mend="upgrade memflow-slm, or choose another file",
            )
        return False


def _create_file(path: Path) -> None:
    """Memories are private: the file is its owner's alone (so are, by SQLite, its siblings)."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    # A new name in a folder is durable only when the folder is.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _roll_back(connection: sqlite3.Connection) -> None:
    # After some failures SQLite has ended the transaction by itself.
    if connection.in_transaction:
        connection.execute("ROLLBACK")

"""The store: turns verbatim, and everything derived from them, in one SQLite file."""

from memflow.backends.store.sqlite import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]

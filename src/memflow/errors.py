"""The error tree. Every error says what is wrong, where, and how to mend it.

MemFlowError
├── UsageError            the call was wrong (exit 2)
│   ├── SettingsError     unknown or malformed setting
│   ├── UnknownSpace
│   └── NotFound          no such turn, trace, model
├── MissingExtra          an optional dependency is absent
├── InputError            a file or message cannot be read
├── StoreError
│   ├── StoreBusy         another process holds the write lock
│   ├── StoreFull         the disk is full or read-only
│   ├── StoreCorrupt
│   ├── SchemaTooNew
│   └── EncoderMismatch   the store's vectors were made by another encoder
├── ModelError
│   ├── ModelUnavailable  not found, not reachable, cannot be loaded
│   ├── ModelTimeout
│   └── WindowExceeded    the prompt does not fit the model's window
├── CallBudgetExceeded    more model calls than an answer may spend
└── PinnedOverflow        pinned text alone exceeds the packing ceiling
"""

from __future__ import annotations


class MemFlowError(Exception):
    """Base of all errors of this package. `mend` tells the user what to do, if known."""

    def __init__(self, message: str, *, mend: str | None = None) -> None:
        super().__init__(message)
        self.mend = mend

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\n  → {self.mend}" if self.mend else message


class UsageError(MemFlowError):
    """The caller asked for something that cannot be: mend the call."""


class SettingsError(UsageError):
    """A setting is unknown or has a value of the wrong kind."""


class UnknownSpace(UsageError):
    """The space has no memories yet."""


class NotFound(UsageError):
    """No turn, trace, fact or model by that name."""


class MissingExtra(MemFlowError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra '{extra}', which is not installed.",
            mend=f"pip install 'memflow-slm[{extra}]'",
        )
        self.extra = extra


class InputError(MemFlowError):
    """A file or message cannot be read; `where` names the file and the place."""

    def __init__(self, where: str, reason: str, *, mend: str | None = None) -> None:
        super().__init__(f"{where}: {reason}", mend=mend)
        self.where = where
        self.reason = reason


class StoreError(MemFlowError):
    """The store could not do what it was asked; nothing half-done is kept."""


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the busy time-out."""


class StoreFull(StoreError):
    """The disk is full, or the file or folder is not writable."""


class StoreCorrupt(StoreError):
    """The file is not a readable MemFlow store."""


class SchemaTooNew(StoreError):
    """The file was written by a newer version."""


class EncoderMismatch(StoreError):
    """The store's vectors come from another encoder than the one now configured."""


class ModelError(MemFlowError):
    """The language model failed; thrown into the flow so that a stage can fall back."""


class ModelUnavailable(ModelError):
    """The model is not there: no such file, name, or endpoint."""


class ModelTimeout(ModelError):
    """The model did not answer in time."""


class WindowExceeded(ModelError):
    """The prompt and the room kept for the reply exceed the model's window."""


class CallBudgetExceeded(MemFlowError):
    """One answer asked for more model calls than its budget allows."""


class PinnedOverflow(MemFlowError):
    """Pinned text alone exceeds the packing ceiling; it is never cut silently."""

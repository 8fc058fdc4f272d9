"""MemFlow: long-term memory for small local language models.

from memflow import Memory
memory = Memory.open("memories.db", model="qwen2.5-coder-1.5b")
alice = memory.space("alice")
alice.add([{"role": "user", "content": "I moved to Porto.", "time": "2026-03-01T10:00:00+01:00"}])
alice.ask("Where do I live?").text
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memflow.errors import MemFlowError
    from memflow.memory import Memory, Space
    from memflow.settings import Settings
    from memflow.types import (
        AddResult,
        Answer,
        Context,
        Fact,
        Hit,
        Intent,
        Message,
        SessionKind,
        Turn,
    )

__version__ = "0.1.0"

# Names are loaded when they are first used, so that `memflow --help` need not load numpy.
_HOMES = {
    "MemFlowError": "errors",
    "Memory": "memory",
    "Space": "memory",
    "Settings": "settings",
    "AddResult": "types",
    "Answer": "types",
    "Context": "types",
    "Fact": "types",
    "Hit": "types",
    "Intent": "types",
    "Message": "types",
    "SessionKind": "types",
    "Turn": "types",
}
__all__ = [
    "AddResult",
    "Answer",
    "Context",
    "Fact",
    "Hit",
    "Intent",
    "MemFlowError",
    "Memory",
    "Message",
    "SessionKind",
    "Settings",
    "Space",
    "Turn",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'memflow' has no attribute '{name}'")
    return getattr(import_module(f"memflow.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])

"""What every compared system is: built once over a haystack, then asked one question after another.

Building and asking are generators that yield a ModelCall and receive a ModelReply, like the flow
itself: the same drivers run all systems over the same model, and lock-step batches are theirs too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from memflow.calls import ModelCall, ModelReply
from memflow.types import Packed, Route, Usage
from memflow.wiring import Assembly

T = TypeVar("T")
Flow = Generator[ModelCall, ModelReply, T]


@dataclass(frozen=True, slots=True)
class Compiled:
    """The packed context, and the route that led to it."""

    packed: Packed
    route: Route


Compiler = Callable[[str, datetime], Compiled]
"""Question and the asker's time, to a packed context: what --retrieval-only measures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a system says to a question, and what that took.

    `packed` is the memory text that the answering model saw; `usage` counts every model call of
    the question, and `calls` lists them (purpose, tokens, milliseconds, finish).
    """

    text: str
    packed: Packed
    usage: Usage
    abstained: bool = False
    reason: str = ""
    intent: str = ""
    layer: str = ""
    escalated: bool = False
    calls: tuple[dict[str, Any], ...] = ()


Asker = Callable[[str, datetime], Flow[Reply]]
"""Question and the asker's time, to a reply. It sees nothing of the gold."""

System = Callable[[Assembly, str], Flow[Asker]]
"""Built over a space that holds the haystack; one that compresses its memory with the model yields
those calls here, so that they are counted apart from the questions'."""


def ready(asker: Asker) -> Flow[Asker]:
    """Built without asking the model."""
    yield from ()
    return asker

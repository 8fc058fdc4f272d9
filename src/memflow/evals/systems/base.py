"""What every system gives for a question before any model is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memflow.types import Packed, Route


@dataclass(frozen=True, slots=True)
class Compiled:
    """The packed context, and the route that led to it."""

    packed: Packed
    route: Route


Compiler = Callable[[str, datetime], Compiled]
"""Question and the asker's time, to a packed context."""

"""What the model may ask code to compute: `TOOL: name | argument | argument`.

A call that cannot be understood is a result that says why, for the trace and for the model's
next turn; it is never an exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from memflow.dates import days_between, describe_interval, interval, parse_time
from memflow.operations import Tool
from memflow.text import tokens

_CALL = re.compile(r"^\W*TOOL\s*:\s*(?P<name>\w+)\s*(?:\||\()(?P<rest>.*)$", re.IGNORECASE | re.M)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One tool call and what came of it; `error` is set when nothing could be computed."""

    name: str
    arguments: tuple[str, ...]
    result: str
    error: str | None = None


def run_tools(text: str, allowed: Sequence[Tool], context: str) -> ToolResult | None:
    """The first tool call in `text`, carried out; None when it holds none."""
    match = _CALL.search(text)
    if match is None:
        return None
    rest = match["rest"].strip().rstrip(")")
    arguments = tuple(part.strip().strip("\"'") for part in re.split(r"[|,]", rest) if part.strip())
    name = match["name"].lower()
    if name not in {tool.value for tool in allowed}:
        names = ", ".join(tool.value for tool in allowed) or "none"
        return ToolResult(name, arguments, "", f"no tool '{name}' here; there is: {names}")
    try:
        return ToolResult(name, arguments, _TOOLS[Tool(name)](arguments, context))
    except ValueError as error:
        return ToolResult(name, arguments, "", str(error))


def _between(unit: str) -> Callable[[Sequence[str], str], str]:
    def run(arguments: Sequence[str], _: str) -> str:
        if len(arguments) != 2:
            raise ValueError(f"needs two dates, got {len(arguments)}")
        first, second = sorted((_date(arguments[0]), _date(arguments[1])))
        if days_between(first, second) == 0:
            return "0 days (the same day)"
        return describe_interval(interval(first, second), unit)

    return run


def _date(text: str) -> date:
    return parse_time(text).date()


def _count(arguments: Sequence[str], context: str) -> str:
    if len(arguments) != 1:
        raise ValueError(f"needs one word or phrase, got {len(arguments)}")
    needle, hay = tokens(arguments[0]), tokens(context)
    if not needle:
        raise ValueError("needs a word to count")
    width = len(needle)
    found = sum(hay[i : i + width] == needle for i in range(len(hay) - width + 1))
    return str(found)


_TOOLS: Mapping[Tool, Callable[[Sequence[str], str], str]] = {
    Tool.DAYS_BETWEEN: _between("days"),
    Tool.WEEKS_BETWEEN: _between("weeks"),
    Tool.MONTHS_BETWEEN: _between("months"),
    Tool.COUNT_OCCURRENCES: _count,
}

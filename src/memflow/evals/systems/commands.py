"""What a small model writes when it is asked for a command: one reader for every odd form.

    Action: search("the rent")          search[the rent]         TOOL: search | the rent
    Action: search                      {"name": "search", "arguments": {"query": "the rent"}}
    Action Input: the rent              **search**: the rent

A command stands at the beginning of a line, behind "Action:" or the like, or is a name right before
a bracket. What cannot be read is no command; nothing raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

_PREFIX = r"(?:action|act|tool|tool_call|call|command|function|step)"
_INPUT = re.compile(
    r"\s*\n[\W_]*(?:action )?(?:input|query|arguments?|text)\s*:[ \t]*(?P<rest>.+)", re.IGNORECASE
)
_NAMED = re.compile(
    r"^\s*(?P<key>[A-Za-z_]\w*)\s*(?:=(?!=)|:(?=\s*[\"'\d]))\s*(?P<value>.*)$", re.S
)
_PARTS = re.compile(
    r"\"(?:\\.|[^\"\\])*\"|(?<!\w)'(?:\\.|[^'\\])*'(?!\w)|[^,\"']+|[\"']|(?P<comma>,)", re.S
)
_FIGURE = re.compile(r"[`*\"']*\s*[:=]\s*[`*\"']*\d+\b[\W_]*$", re.M)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LONGEST = 4_000  # characters of a reply that are looked at
_NAME_KEYS = ("name", "action", "function", "tool", "command")
_INPUT_KEYS = ("arguments", "parameters", "action_input", "args", "input", "params")


@dataclass(frozen=True, slots=True)
class Command:
    """A name as it was given to `read`, its arguments in order, those with a name apart, and where
    in the text the command ended."""

    name: str
    arguments: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    end: int = 0

    def first(self) -> str:
        """The first argument, named or not; "" when there is none."""
        return next(iter((*self.arguments, *self.named.values())), "")


def read(text: str, names: tuple[str, ...]) -> Command | None:
    """The first command in `text` that is one of `names`; None when it holds none."""
    text = text[:_LONGEST]
    found = [command for command in (_as_line(text, names), _as_json(text, names)) if command]
    return min(found, key=lambda command: command.end, default=None)


def _as_line(text: str, names: tuple[str, ...]) -> Command | None:
    match = _pattern(names).search(text)
    if match is None:
        return None
    said = (match["line"] or match["call"]).lower()
    name = next(name for name in names if _plain(name) == _plain(said))
    after = text[match.end() :]
    if match["prefix"] is None and match["line"] and _FIGURE.match(after):
        return None  # "Count: 3" says something and asks for nothing
    bracket = re.match(r"[`*\"']*\s*([\[(])", after)
    if bracket:
        start = match.end() + bracket.end()
        end = _closed(text, start, _CLOSING[bracket[1]])
        inside = text[start:end]
        return _command(name, inside, end + 1)
    rest = re.match(r"[`*\"']*[ \t]*[|:=\-–>]*[ \t]*([^\n]*)", after)
    words = rest[1] if rest else ""
    end = match.end() + (rest.end() if rest else 0)
    if not words.strip(" `*\"'|"):
        following = _INPUT.match(text, end)
        if following:
            return _command(name, following["rest"], following.end())
    return _command(name, words, end)


@lru_cache(maxsize=8)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(re.escape(name).replace("_", "[_ -]?") for name in sorted(names, key=_longest))
    return re.compile(
        rf"(?:(?P<prefix>\b{_PREFIX}\s*\d*\s*[:=]\s*)|^(?:(?!\{{)[\W_])*)[`*\"'<]*"
        rf"(?P<line>{one})(?=[`*\"']*\s*(?:[\[(|:=]|->|$))"
        rf"|(?<![\w.])(?P<call>{one})(?=[\[(])",
        re.IGNORECASE | re.MULTILINE,
    )


def _longest(name: str) -> tuple[int, str]:
    return (-len(name), name)


def _plain(name: str) -> str:
    return re.sub(r"[_ -]", "", name).lower()


def _closed(text: str, start: int, closing: str) -> int:
    """Where the bracket that was opened before `start` closes; the end of the line, or of the text,
    if nothing closes it."""
    opening = next(o for o, c in _CLOSING.items() if c == closing)
    depth = 1
    for place in range(start, len(text)):
        if text[place] == opening:
            depth += 1
        elif text[place] == closing:
            depth -= 1
            if depth == 0:
                return place
    line_end = text.find("\n", start)
    return line_end if line_end >= 0 else len(text)


def _command(name: str, inside: str, end: int) -> Command:
    stripped = inside.strip().strip("`").strip()
    if stripped.startswith("{"):
        value = _decoded(stripped, 0)
        if isinstance(value, dict):
            return Command(name, (), _texts(value), end)
    arguments: list[str] = []
    named: dict[str, str] = {}
    for part in _split(stripped):
        match = _NAMED.match(part)
        if match:
            named[match["key"].lower()] = _unquoted(match["value"])
        elif value_of := _unquoted(part):
            arguments.append(value_of)
    return Command(name, tuple(arguments), named, end)


def _split(text: str) -> list[str]:
    """At bars if there are any, else at commas outside quotes."""
    if "|" in text:
        return text.split("|")
    parts = [""]
    for match in _PARTS.finditer(text):
        if match["comma"]:
            parts.append("")
        else:
            parts[-1] += match.group()
    return parts


def _unquoted(text: str) -> str:
    text = text.strip().strip("`").strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace(f"\\{text[0]}", text[0]).strip()
    return text.strip('"“”').strip()


# --------------------------------------------------------------------------- JSON


def _as_json(text: str, names: tuple[str, ...]) -> Command | None:
    for start in (match.start() for match in re.finditer(r"\{", text)):
        decoded = _raw_decoded(text, start)
        if decoded is None:
            continue
        value, end = decoded
        if isinstance(value, dict) and (command := _of_object(value, names, end)):
            return command
    return None


def _of_object(value: dict[str, Any], names: tuple[str, ...], end: int) -> Command | None:
    known = {_plain(name): name for name in names}
    for key in _NAME_KEYS:
        said = value.get(key)
        if isinstance(said, dict):  # {"function": {"name": …, "arguments": …}}
            return _of_object(said, names, end)
        if isinstance(said, str) and (name := known.get(_plain(said))):
            given = next((value[key] for key in _INPUT_KEYS if key in value), None)
            if given is None:
                given = {k: v for k, v in value.items() if k != key}
            return _given(name, given, end)
    for key, given in value.items():  # {"search": "the rent"}
        if name := known.get(_plain(key)):
            return _given(name, given, end)
    return None


def _given(name: str, given: Any, end: int) -> Command:
    if isinstance(given, str):
        inner = _decoded(given, 0) if given.lstrip().startswith("{") else None
        if isinstance(inner, dict):
            return Command(name, (), _texts(inner), end)
        return Command(name, (given.strip(),) if given.strip() else (), {}, end)
    if isinstance(given, dict):
        return Command(name, (), _texts(given), end)
    if isinstance(given, list):
        return Command(name, tuple(str(each) for each in given), {}, end)
    return Command(name, () if given is None else (str(given),), {}, end)


def _texts(value: dict[str, Any]) -> dict[str, str]:
    return {str(key).lower(): str(each) for key, each in value.items()}


def _decoded(text: str, start: int) -> Any:
    decoded = _raw_decoded(text, start)
    return decoded[0] if decoded else None


def _raw_decoded(text: str, start: int) -> tuple[Any, int] | None:
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None

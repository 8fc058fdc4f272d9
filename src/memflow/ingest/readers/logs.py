"""Logs of calls to a chat API: each has all that was said before, and perhaps the reply.

`{"request": {"messages": [...]}, "response": {"choices": [{"message": {...}}]}}`, and the lines of
batch files (`body` in place of `request`). A call that goes on from an earlier one belongs to its
session, and only what is new in it is yielded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memflow.ingest.readers.rows import TIME_KEYS

_REQUESTS = ("request", "body")
_RESPONSES = ("response", "completion")


@dataclass(frozen=True, slots=True)
class Call:
    """`messages` of a request and, if it was logged, of its reply."""

    messages: object
    about: Mapping[str, Any]


def call_of(value: Mapping[str, Any]) -> Call | None:
    """None for what is no logged call."""
    for key in _REQUESTS:
        request = value.get(key)
        if isinstance(request, Mapping) and request.get("messages") is not None:
            messages = request["messages"]
            if isinstance(messages, list):
                messages = [*messages, *_reply(value)]
            return Call(messages, {**_made(value), **request, **value})
    messages = value.get("messages")
    if isinstance(messages, list) and (reply := _reply(value)):
        return Call([*messages, *reply], {**_made(value), **value})
    return None


def _made(value: Mapping[str, Any]) -> dict[str, Any]:
    """The reply's time, under the last of the keys looked at: a log's own time comes first."""
    for holder in (*(value.get(key) for key in _RESPONSES), value):
        found = holder.get("body", holder) if isinstance(holder, Mapping) else None
        if isinstance(found, Mapping) and found.get("created") is not None:
            return {TIME_KEYS[-1]: found["created"]}
    return {}


def _reply(value: Mapping[str, Any]) -> list[Any]:
    for holder in (*(value.get(key) for key in _RESPONSES), value):
        found = holder.get("body", holder) if isinstance(holder, Mapping) else None
        choices = found.get("choices") if isinstance(found, Mapping) else None
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
            message = choices[0].get("message")
            return [message] if message is not None else []
    return []


class Threads:
    """Which session a call goes on with: the one whose messages so far its own begin with."""

    def __init__(self) -> None:
        self._tips: dict[bytes, str] = {}

    def place(self, messages: Sequence[Any]) -> tuple[str | None, int]:
        """The session, if there is one, and how many of the messages it has already."""
        digests = _chain(messages)
        for count in range(len(messages), 0, -1):
            if (session := self._tips.get(digests[count - 1])) is not None:
                return session, count
        return None, 0

    def add(self, messages: Sequence[Any], session: str) -> None:
        if messages:
            self._tips.setdefault(_chain(messages)[-1], session)


def _chain(messages: Sequence[Any]) -> list[bytes]:
    """For each message a digest of it and all before it, by role and content alone."""
    found: list[bytes] = []
    last = b""
    for message in messages:
        core = (
            {key: message.get(key) for key in ("role", "content", "tool_calls", "tool_call_id")}
            if isinstance(message, Mapping)
            else message
        )
        try:
            text = json.dumps(core, sort_keys=True)
        except RecursionError:
            text = "nested too deeply"
        last = hashlib.sha256(last + text.encode("utf-8", "replace")).digest()[:16]
        found.append(last)
    return found

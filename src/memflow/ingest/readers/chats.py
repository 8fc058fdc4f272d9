"""Chat files: JSON and JSON lines, of loose messages or of whole conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from memflow.errors import InputError
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.json_stream import decode, elements, fault
from memflow.ingest.readers.logs import Threads, call_of
from memflow.ingest.readers.messages import MESSAGE_LISTS, SESSION_KEYS, Frame, message_rows
from memflow.ingest.readers.rows import (
    TIME_KEYS,
    Broken,
    Origin,
    Rows,
    first_of,
    kind_of,
    label,
    read_time,
)
from memflow.types import Rejected

_NAME_KEYS = ("id", "title")

# A file that begins with this many unreadable lines is not what it was taken for.
_HOPELESS = 100


def read_messages_json(source: Source, origin: Origin) -> Rows:
    """A list of messages, of conversations, or one conversation as an object."""
    alone = source.beginning.lstrip().startswith("{")
    file = _ChatFile(origin, alone=alone)
    for number, value in enumerate(elements(source.name, source.blocks()), start=1):
        yield from file.rows(value, f"{source.name}, item {number}")


def read_messages_jsonl(source: Source, origin: Origin) -> Rows:
    """A message or a conversation a line; a line that cannot be read is Broken, the rest kept.

    Raises InputError when no line can be read, at the latest after a hundred.
    """
    file = _ChatFile(origin, alone=False)
    held: list[Broken] = []  # until a good line shows that the file is of this format
    hopeful = False
    for number, line in source.lines():
        where = f"{source.name}:{number}"
        value = _value(line, where)
        if value is None:
            continue
        if isinstance(value, Broken):
            held.append(value)
        else:
            hopeful = True
        if hopeful:
            yield from held
            held.clear()
            if not isinstance(value, Broken):
                yield from file.rows(value[0], where)
        elif len(held) >= _HOPELESS:
            break
    if held:
        first = held[0]
        every = f"none of {len(held)} lines can be read; the first: " if len(held) > 1 else ""
        raise InputError(first.where, f"{every}{first.reason}")


def _value(line: str | InputError, where: str) -> tuple[Any] | Broken | None:
    """The line's value in a tuple, since it may be null; None for a blank line."""
    if isinstance(line, InputError):
        return Broken(where, line.reason)
    if not line.strip():
        return None
    try:
        return (decode(line),)
    except ValueError as error:
        return Broken(where, fault(error))


class _ChatFile:
    """Tells messages from conversations and gives the latter their sessions.

    `alone`: the file is one object, so that its conversation needs no number.
    """

    def __init__(self, origin: Origin, *, alone: bool) -> None:
        self._origin = origin
        self._alone = alone
        self._names: Counter[str] = Counter()
        self._threads = Threads()
        self._conversations = 0

    def rows(self, value: object, where: str) -> Rows:
        if isinstance(value, list):
            yield from self._conversation({}, value, where)
            return
        if isinstance(value, Mapping):
            if (call := call_of(value)) is not None:
                yield from self._conversation(call.about, call.messages, where, logged=True)
                return
            key = next((key for key in MESSAGE_LISTS if value.get(key) is not None), None)
            if key is not None:
                yield from self._conversation(value, value[key], where)
                return
        origin = self._origin
        yield from message_rows(
            value, where, Frame(origin.session, origin.source, zone=origin.zone)
        )

    def _conversation(
        self, about: Mapping[str, Any], messages: object, where: str, *, logged: bool = False
    ) -> Rows:
        if not isinstance(messages, list):
            self._conversations += 1
            yield Broken(where, f"the messages are {kind_of(messages)}, expected a list")
            return
        if not messages:
            self._conversations += 1
            yield Rejected(where, "a conversation without messages")
            return
        known, count = self._threads.place(messages) if logged else (None, 0)
        if known is None:
            self._conversations += 1
        session = known or self._session(about)
        if logged:
            self._threads.add(messages, session)
        if count:
            yield Rejected(where, "the messages of an earlier call again")
        # Messages without a time of their own take the conversation's.
        time, note = read_time(first_of(about, TIME_KEYS), where, self._origin.zone)
        frame = Frame(
            session,
            label(about.get("source")) or self._origin.source,
            time,
            # Ids in one conversation may recur in the next.
            ids=f"{session}/",
            zone=self._origin.zone,
        )
        for number, message in enumerate(messages[count:], start=count + 1):
            yield from message_rows(message, f"{where}, message {number}", frame)
        if note is not None:
            yield note

    def _session(self, about: Mapping[str, Any]) -> str:
        if own := label(first_of(about, SESSION_KEYS)):
            return own
        name = label(first_of(about, _NAME_KEYS))
        if name is None:
            if self._alone and self._conversations == 1:
                return self._origin.session
            name = str(self._conversations)
        self._names[name] += 1
        again = f" ({self._names[name]})" if self._names[name] > 1 else ""
        return f"{self._origin.session}/{name}{again}"

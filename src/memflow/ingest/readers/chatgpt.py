"""ChatGPT's data export: `conversations.json` (or `conversations-000.json` …), alone or in its ZIP.

Written after the field lists that are published of it (mitkury/chatgpt-export-parser, docs) and
exports quoted in public: a conversation is a tree in `mapping`, whose shown branch ends at
`current_node`; other branches are what editing and regenerating left behind. Custom instructions
are messages of type `user_editable_context`, repeated hidden in every conversation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.messages import LEFT_OUT, ROLES, Frame
from memflow.ingest.readers.rows import (
    Broken,
    Note,
    Origin,
    Row,
    Rows,
    first_label,
    kind_of,
    label,
    read_time,
    shown,
)
from memflow.types import NewTurn, Rejected

_SPOKEN = {"text", "multimodal_text", "code"}
_THOUGHTS = {"thoughts", "reasoning_recap"}
_OUTPUTS = {
    "execution_output",
    "tether_browsing_display",
    "tether_quote",
    "system_error",
    "sonic_webpage",
}
_PICTURES = {"image_asset_pointer": "[image]"}
# Marks of citations, private characters around the name of what is cited.
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
_FENCED = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_ABOUT = ("about_user_message", "about_model_message")
_PROFILE = ("user_profile", "user_instructions")


@dataclass(slots=True)
class _Instructions:
    """What people tell ChatGPT about themselves, each text once with the time it first held."""

    since: dict[str, datetime | None] = field(default_factory=dict)

    def add(self, text: str, time: datetime | None) -> None:
        known = self.since.get(text)
        if text not in self.since or (time and (known is None or time < known)):
            self.since[text] = time

    def turns(self, origin: Origin) -> Iterator[NewTurn]:
        session = f"{origin.prefix}chatgpt/custom instructions"
        for text, time in sorted(
            self.since.items(), key=lambda item: (item[1] is None, str(item[1]), item[0])
        ):
            # The time is a part of the id: an export without the oldest chats tells a later one.
            digest = hashlib.sha256(repr((text, str(time))).encode("utf-8", "replace")).hexdigest()
            own = f"{session}/{digest[:16]}"
            yield NewTurn(text, session=session, time=time, id=own, source=origin.source)


def read_chatgpt(source: Source, origin: Origin) -> Rows:
    """Sessions are `chatgpt/<conversation id>`; the title is told by the source."""
    instructions = _Instructions()
    for number, value in enumerate(elements(source.name, source.blocks()), start=1):
        yield from _conversation(
            value, number, f"{source.name}, item {number}", origin, instructions
        )
    yield from instructions.turns(origin)


def _conversation(
    value: object, number: int, where: str, origin: Origin, instructions: _Instructions
) -> Iterator[Row]:
    if not isinstance(value, Mapping):
        yield Broken(where, f"expected a conversation object, got {kind_of(value)}")
        return
    mapping = value.get("mapping")
    if not isinstance(mapping, Mapping):
        yield Broken(where, f"'mapping' is {kind_of(mapping)}, expected an object")
        return
    own = first_label(value, ("conversation_id", "id")) or f"{origin.stem}-{number}"
    time, note = read_time(value.get("create_time"), where, origin.zone)
    session = f"{origin.prefix}chatgpt/{own}"
    frame = Frame(session, origin.titled(value.get("title")), time, ids=f"{session}/")
    path, guessed = _branch(mapping, label(value.get("current_node")))
    taken = set(path)
    rows = 0
    for key in path:
        at = f"{where}, message {shown(key)}"
        for row in _message(mapping[key], key, at, frame, instructions):
            if isinstance(row, NewTurn) and row.time is not None:
                frame = replace(frame, time=row.time)  # one without a time comes after the last
            rows += 1
            yield row
    for key, node in mapping.items():
        if key not in taken and isinstance(node, Mapping) and node.get("message") is not None:
            rows += 1
            reason = "a superseded branch: the message was edited or the reply made anew"
            yield Rejected(f"{where}, message {shown(key)}", reason)
    if not rows:
        yield Rejected(where, "a conversation without messages")
    if guessed and rows:
        yield Note(where, "no 'current_node': its latest branch was taken")
    if note is not None:
        yield note


def _branch(mapping: Mapping[str, Any], current: str | None) -> tuple[list[str], bool]:
    """The keys from the first message to the current one, and whether it had to be guessed."""
    guessed = current not in mapping
    if current is None or guessed:
        current = max(
            (key for key, node in mapping.items() if isinstance(node, Mapping)),
            key=lambda key: (_moment(mapping[key]), str(key)),
            default=None,
        )
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        path.append(current)
        node = mapping[current]
        current = node.get("parent") if isinstance(node, Mapping) else None
    return path[::-1], guessed


def _moment(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, Mapping) else None
    return float(time) if isinstance(time, int | float) and not isinstance(time, bool) else 0.0


def _message(
    node: object, key: str, where: str, frame: Frame, instructions: _Instructions
) -> Iterator[Row]:
    message = node.get("message") if isinstance(node, Mapping) else node
    if message is None:
        return  # the root of a tree holds none
    if not isinstance(message, Mapping):
        yield Broken(where, f"expected a message object, got {kind_of(message)}")
        return
    about = message.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    content = message.get("content")
    time, note = read_time(message.get("create_time"), where)
    if told := _told(content, about):
        for text in told:
            instructions.add(text, time or frame.time)
        return
    if isinstance(content, Mapping) and content.get("content_type") == "user_editable_context":
        yield Rejected(where, "custom instructions without words")
        return
    role = _role(message, about, where)
    if isinstance(role, Rejected):
        yield role
        return
    words = _text(content, where)
    if isinstance(words, Rejected):
        yield words
        return
    yield NewTurn(
        text=words,
        session=frame.session,
        role=role,
        time=time if time or note else frame.time,
        id=f"{frame.ids}{label(message.get('id')) or key}",
        source=frame.source,
    )
    if note is not None:
        yield note


def _told(content: object, about: Mapping[str, Any]) -> list[str]:
    """The user's custom instructions, each part verbatim."""
    data = about.get("user_context_message_data")
    found = [data.get(key) for key in _ABOUT] if isinstance(data, Mapping) else []
    is_context = isinstance(content, Mapping) and (
        content.get("content_type") == "user_editable_context"
    )
    if is_context and isinstance(content, Mapping) and not any(found):
        # Here a sentence for the model stands around them.
        for key in _PROFILE:
            text = content.get(key)
            fenced = _FENCED.search(text) if isinstance(text, str) else None
            found.append(fenced[1] if fenced else text)
    return [text.strip() for text in found if isinstance(text, str) and text.strip()]


def _role(message: Mapping[str, Any], about: Mapping[str, Any], where: str) -> str | Rejected:
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else None
    if not isinstance(role, str):
        return Broken(where, f"the author's 'role' is {kind_of(role)}, expected a text")
    if role in LEFT_OUT:
        return Rejected(where, LEFT_OUT[role])
    if role not in ROLES:
        return Broken(where, f"unknown role {shown(role)}")
    if about.get("is_visually_hidden_from_conversation"):
        return Rejected(where, "hidden in the chat: nobody saw it")
    if ROLES[role] == "assistant" and message.get("recipient") not in (None, "all"):
        return Rejected(where, "a call to a tool, not words")
    return ROLES[role]


def _text(content: object, where: str) -> str | Rejected:
    if not isinstance(content, Mapping):
        return Broken(where, f"'content' is {kind_of(content)}, expected an object")
    kind = content.get("content_type")
    if not isinstance(kind, str | None):
        return Broken(where, f"'content_type' is {kind_of(kind)}, expected a text")
    if kind in _THOUGHTS:
        return Rejected(where, "the model's reasoning, not its reply")
    if kind in _OUTPUTS:
        return Rejected(where, LEFT_OUT["tool"])
    if kind is not None and kind not in _SPOKEN:
        return Rejected(where, f"content of an unknown kind, {shown(kind)}")
    parts = content.get("parts")
    if parts is None and isinstance(content.get("text"), str):
        parts = [content["text"]]
    if not isinstance(parts, list):
        return Broken(where, f"'parts' is {kind_of(parts)}, expected a list")
    words: list[str] = []
    marks: list[str] = []
    for number, part in enumerate(parts, start=1):
        if isinstance(part, str):
            words.append(_CITATION.sub("", part))
        elif isinstance(part, Mapping):
            mark = _PICTURES.get(str(part.get("content_type")))
            marks += [mark] if mark else []
            spoken = part.get("text")  # of a recording
            words += [spoken] if isinstance(spoken, str) else []
        elif part is not None:
            return Broken(where, f"part {number} is {kind_of(part)}, expected a text or an object")
    text = "\n".join(word for word in words if word.strip())
    if not text:
        return Rejected(where, "an image without words" if marks else "no words in it")
    return "\n".join([text, *marks])

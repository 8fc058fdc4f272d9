"""One message, as chat APIs, exports and fine-tuning logs write it, into a turn.

Unknown keys are ignored. What is not said by a person or an assistant (system prompts, tool
output) is left out with a reason: it would be remembered as somebody's words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from memflow.ingest.readers.rows import (
    TIME_KEYS,
    Broken,
    Rows,
    first_of,
    kind_of,
    label,
    read_time,
    shown,
)
from memflow.types import NewTurn, Rejected, SessionKind

ROLES: Mapping[str, str] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
}
LEFT_OUT: Mapping[str, str] = {
    "system": "a system message is an instruction, not something said",
    "developer": "a developer message is an instruction, not something said",
    "tool": "tool output is not the user's words",
    "function": "tool output is not the user's words",
}
MESSAGE_LISTS = ("messages", "conversations", "turns")
SPEAKER_KEYS = ("speaker", "name")
CONTENT_KEYS = ("content", "text", "value")
SESSION_KEYS = ("session", "session_id", "conversation_id")
CALL_KEYS = ("tool_calls", "function_call")

_TEXT_PARTS = {"text", "input_text", "output_text", "refusal"}
# Shown in the text, since the words around them refer to them.
_PLACEHOLDERS = {
    "image_url": "[image]",
    "image": "[image]",
    "input_image": "[image]",
    "input_audio": "[audio]",
    "audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
    "video_url": "[video]",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What a message takes from where it stands. `ids` is put before its own id; `zone` is that
    of a time without one."""

    session: str
    source: str | None = None
    time: datetime | None = None
    speaker: str | None = None
    ids: str = ""
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class _Voice:
    role: str
    speaker: str | None
    kind: SessionKind = SessionKind.ASSISTANT


def message_rows(message: object, where: str, frame: Frame) -> Rows:
    """The turn, and a Note if its time was not understood; or why there is none."""
    if not isinstance(message, Mapping):
        yield Broken(where, f"expected a message object, got {kind_of(message)}")
        return
    voice = _voice(message, where, frame)
    if isinstance(voice, Rejected):
        yield voice
        return
    text = _text(message, where)
    if isinstance(text, Rejected):
        yield text
        return
    time, note = read_time(first_of(message, TIME_KEYS), where, frame.zone)
    own = label(message.get("id"))
    yield NewTurn(
        text=text,
        session=label(first_of(message, SESSION_KEYS)) or frame.session,
        role=voice.role,
        speaker=voice.speaker,
        # A time that was not understood is not replaced by another one.
        time=time if time or note else frame.time,
        id=f"{frame.ids}{own}" if own else None,
        source=label(message.get("source")) or frame.source,
        kind=voice.kind,
    )
    if note is not None:
        yield note


def _voice(message: Mapping[str, Any], where: str, frame: Frame) -> _Voice | Rejected:
    role, sender = message.get("role"), message.get("from")
    speaker = label(first_of(message, SPEAKER_KEYS)) or frame.speaker
    if role is None and isinstance(sender, str):
        # Either a role, as in {"from": "human"}, or the sender's name.
        if sender.strip().casefold() in ROLES.keys() | LEFT_OUT.keys():
            role = sender
        else:
            speaker = speaker or label(sender)
    if role is None:
        if speaker is None:
            return Broken(where, "no 'role' and no 'speaker': who said it?")
        return _Voice("user", speaker, SessionKind.PEER)
    if not isinstance(role, str):
        return Broken(where, f"'role' is {kind_of(role)}, expected a text")
    known = role.strip().casefold()
    if known in LEFT_OUT:
        return Rejected(where, LEFT_OUT[known])
    if known not in ROLES:
        return Broken(where, f"unknown role {shown(role)}; known are {', '.join(ROLES)}")
    return _Voice(ROLES[known], speaker)


def _text(message: Mapping[str, Any], where: str) -> str | Rejected:
    content = first_of(message, CONTENT_KEYS)
    if content is None:
        if any(message.get(key) for key in CALL_KEYS):
            return Rejected(where, "a tool call without words")
        if "content" in message:
            return Broken(where, "'content' is null")
        return Broken(where, "no 'content'")
    if isinstance(content, list):
        content = _joined(content, where)
        if isinstance(content, Rejected):
            return content
    if not isinstance(content, str):
        return Broken(where, f"'content' is {kind_of(content)}, expected a text or a list of parts")
    return content if content.strip() else Rejected(where, "no words in it")


def _joined(parts: Sequence[object], where: str) -> str | Broken:
    """Texts verbatim, a line between them; parts that hold no words of anybody are left out."""
    found: list[str] = []
    for number, part in enumerate(parts, start=1):
        if isinstance(part, str):
            found.append(part)
            continue
        if not isinstance(part, Mapping):
            return Broken(where, f"part {number} of 'content' is {kind_of(part)}")
        kind = part.get("type")
        if not isinstance(kind, str | None):
            return Broken(where, f"the 'type' of part {number} of 'content' is {kind_of(kind)}")
        if kind in _PLACEHOLDERS:
            found.append(_PLACEHOLDERS[kind])
        elif kind is None or kind in _TEXT_PARTS:
            text = first_of(part, ("text", "refusal"))
            if not isinstance(text, str):
                return Broken(where, f"part {number} of 'content' has no text")
            found.append(text)
    return "\n".join(found)

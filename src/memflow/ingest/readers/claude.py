"""Claude's data export: `conversations.json`, alone or in its ZIP.

Written after public descriptions and parsers of it (AgileWorksZA/claude_export,
TomzxCode/llm-conversations-viewer, withLinda/claude-conversation-exporter): `chat_messages` have a
`sender` and either `content` blocks or, in older exports, only `text`. Where blocks exist `text`
also holds the model's thoughts and stand-ins for blocks, so the blocks count. Messages name the
one before them in newer exports; what does not lead to the last one was edited away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memflow.ingest.readers.documents import parts
from memflow.ingest.readers.files import Source, split_lines
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.messages import LEFT_OUT, ROLES, Frame
from memflow.ingest.readers.rows import (
    Broken,
    Origin,
    Row,
    Rows,
    kind_of,
    label,
    read_time,
    shown,
)
from memflow.types import NewTurn, Rejected, SessionKind

_STAND_IN = re.compile(r"\n?```\nThis block is not supported on your current device yet\.\n```\n?")
_LINE = 1 << 20


def read_claude(source: Source, origin: Origin) -> Rows:
    """Sessions are `claude/<conversation id>`; the name is told by the source."""
    for number, value in enumerate(elements(source.name, source.blocks()), start=1):
        yield from _conversation(value, number, f"{source.name}, item {number}", origin)


def _conversation(value: object, number: int, where: str, origin: Origin) -> Iterator[Row]:
    if not isinstance(value, Mapping):
        yield Broken(where, f"expected a conversation object, got {kind_of(value)}")
        return
    messages = value.get("chat_messages")
    if not isinstance(messages, list):
        yield Broken(where, f"'chat_messages' is {kind_of(messages)}, expected a list")
        return
    if not messages:
        yield Rejected(where, "a conversation without messages")
        return
    session = f"{origin.prefix}claude/{label(value.get('uuid')) or f'{origin.stem}-{number}'}"
    time, note = read_time(value.get("created_at"), where, origin.zone)
    frame = Frame(
        session, origin.titled(value.get("name")), time, ids=f"{session}/", zone=origin.zone
    )
    kept = _kept(messages, label(value.get("current_leaf_message_uuid")))
    for position, message in enumerate(messages, start=1):
        at = f"{where}, message {position}"
        if position - 1 not in kept:
            yield Rejected(at, "a superseded branch: the message was edited or the reply made anew")
            continue
        yield from _message(message, at, frame)
    if note is not None:
        yield note


def _kept(messages: Sequence[Any], leaf: str | None) -> set[int]:
    """Positions of the branch that ends at `leaf`, else at the latest message. All of them, where
    a message does not tell what it follows."""
    every = set(range(len(messages)))
    places: dict[str, int] = {}
    for place, message in enumerate(messages):
        own = label(message.get("uuid")) if isinstance(message, Mapping) else None
        if own is None or label(message.get("parent_message_uuid")) is None:
            return every
        places[own] = place
    last = max(every, key=lambda place: (str(messages[place].get("created_at") or ""), place))
    at: int | None = places.get(leaf, last) if leaf else last
    kept: set[int] = set()
    while at is not None and at not in kept:
        kept.add(at)
        at = places.get(label(messages[at].get("parent_message_uuid")) or "")
    return kept


def _message(message: object, where: str, frame: Frame) -> Iterator[Row]:
    if not isinstance(message, Mapping):
        yield Broken(where, f"expected a message object, got {kind_of(message)}")
        return
    sender = message.get("sender")
    if not isinstance(sender, str):
        yield Broken(where, f"'sender' is {kind_of(sender)}, expected a text")
        return
    if sender in LEFT_OUT:
        yield Rejected(where, LEFT_OUT[sender])
        return
    if sender not in ROLES:
        yield Broken(where, f"unknown sender {shown(sender)}; known are human and assistant")
        return
    time, note = read_time(message.get("created_at"), where, frame.zone)
    time = time if time or note else frame.time
    own = label(message.get("uuid"))
    attached = list(_attached(message))
    text = _text(message, where)
    if isinstance(text, str):
        yield NewTurn(
            text=text,
            session=frame.session,
            role=ROLES[sender],
            time=time,
            id=f"{frame.ids}{own}" if own else None,
            source=frame.source,
        )
    elif not attached or isinstance(text, Broken):
        yield text
    if note is not None:
        yield note
    for number, (name, content) in enumerate(attached, start=1):
        pieces = parts(split_lines(iter([content]), _LINE), markdown=False)
        for piece, words in enumerate(pieces, start=1):
            yield NewTurn(
                text=words,
                session=frame.session,
                role="document",
                speaker=name,
                time=time,
                id=f"{frame.ids}{own}/attachment {number}, part {piece}" if own else None,
                source=frame.source,
                kind=SessionKind.DOCUMENT,
            )


def _text(message: Mapping[str, Any], where: str) -> str | Rejected:
    blocks = message.get("content")
    kinds: list[object] = []
    words: list[str] = []
    if isinstance(blocks, list):
        for number, block in enumerate(blocks, start=1):
            if not isinstance(block, Mapping):
                return Broken(where, f"block {number} of 'content' is {kind_of(block)}")
            kinds.append(block.get("type"))
            if block.get("type") in ("text", None):
                if not isinstance(block.get("text"), str):
                    return Broken(where, f"block {number} of 'content' has no text")
                words.append(block["text"])
    elif blocks is not None and not isinstance(blocks, str):
        return Broken(where, f"'content' is {kind_of(blocks)}, expected a list of blocks")
    if not kinds:
        whole = blocks if isinstance(blocks, str) else message.get("text")
        if whole is None and "text" not in message and "content" not in message:
            return Broken(where, "no 'text' and no 'content'")
        if not isinstance(whole, str | None):
            return Broken(where, f"'text' is {kind_of(whole)}, expected a text")
        words = [_STAND_IN.sub("\n", whole or "").strip("\n")]
    text = "\n".join(word for word in words if word.strip())
    if text:
        return "\n".join([text, *_files(message)])
    if "tool_use" in kinds or "tool_result" in kinds:
        return Rejected(where, "a tool call without words")
    return Rejected(where, "a file without words" if _files(message) else "no words in it")


def _files(message: Mapping[str, Any]) -> list[str]:
    """What was sent along without its content: named, since the words refer to it."""
    files = message.get("files")
    names = [
        label(file.get("file_name"))
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, Mapping)
    ]
    return [f"[file: {name}]" if name else "[file]" for name in names]


def _attached(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and contents of the documents that were sent along."""
    attachments = message.get("attachments")
    for one in attachments if isinstance(attachments, list) else []:
        content = one.get("extracted_content") if isinstance(one, Mapping) else None
        if isinstance(content, str) and content.strip():
            yield label(one.get("file_name")) or "pasted text", content

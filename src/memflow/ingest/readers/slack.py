"""Slack's workspace export, as a ZIP or a folder: `users.json`, `channels.json` and a folder for
each channel with a file for each day.

Written after Slack's help page "How to read Slack data exports" and a viewer of such exports
(hfaran/slack-export-viewer). Names of people and channels come from the lists; direct messages
stand in folders named for their id. `ts` is both the moment and, within a channel, the id.
A reply in a thread belongs to the day its thread began on, with what it replies to.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from memflow.errors import InputError
from memflow.ingest.readers.exports import Export
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.identity import day_of
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.rows import (
    Broken,
    Origin,
    Row,
    Rows,
    first_label,
    kind_of,
    label,
    read_time,
    shown,
)
from memflow.ingest.readers.slack_text import readable
from memflow.types import NewTurn, Rejected, SessionKind

PEOPLE = ("users.json", "org_users.json")
CHANNELS = ("channels.json", "groups.json", "dms.json", "mpims.json")
DAY_FILE = re.compile(r"(?P<channel>[^/]+)/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})\.json")

_SAID = {
    None,
    "",
    "me_message",
    "thread_broadcast",
    "reply_broadcast",
    "file_share",
    "file_comment",
}
_NAMES = ("display_name", "real_name", "display_name_normalized", "real_name_normalized")


@dataclass(slots=True)
class _Workspace:
    """Names by id; `folders` has for each folder's name the channel's id and the name to show."""

    people: dict[str, str] = field(default_factory=dict)
    bots: set[str] = field(default_factory=set)
    channels: dict[str, str] = field(default_factory=dict)
    folders: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add_person(self, person: Mapping[str, Any]) -> None:
        own = label(person.get("id"))
        if own is None:
            return
        name = first_label(person.get("profile"), _NAMES)
        self.people[own] = name or first_label(person, ("real_name", "name")) or own
        if person.get("is_bot") is True:
            self.bots.add(own)

    def add_channel(self, channel: Mapping[str, Any]) -> None:
        own, name = label(channel.get("id")), label(channel.get("name"))
        if own is None:
            return
        members = channel.get("members")
        if name is None and isinstance(members, list):
            name = ", ".join(self.people.get(str(one), str(one)) for one in members)
            self.folders[own] = (own, name)
        elif name is not None:
            self.channels[own] = name
            self.folders[name] = self.folders[own] = (own, f"#{name}")


def read_slack(export: Export, origin: Origin) -> Rows:
    """All channels. Sessions are `slack/<channel id>/<day>`, days those of UTC."""
    workspace = yield from _workspace(export)
    for path in export.paths:
        found = DAY_FILE.fullmatch(path)
        if found is None:
            if "/" in path or path not in (*PEOPLE, *CHANNELS):
                yield Rejected(export.shown(path), "no messages of a channel")
            continue
        folder = found["channel"]
        channel, title = workspace.folders.get(folder, (folder, folder))
        with export.source(path) as source:
            try:
                yield from _day(source, workspace, channel, origin, title)
            except InputError as error:
                yield Broken(error.where, error.reason)


def read_slack_day(source: Source, origin: Origin) -> Rows:
    """One day's file without the lists: people keep their ids unless a message names them."""
    parts = origin.name.replace("\\", "/").split("/")
    folder = parts[-2] if len(parts) > 1 else origin.stem
    yield from _day(source, _Workspace(), folder, origin, None)


def _workspace(export: Export) -> Generator[Row, None, _Workspace]:
    workspace = _Workspace()
    for names, add in ((PEOPLE, workspace.add_person), (CHANNELS, workspace.add_channel)):
        for path in names:
            rows = yield from export.load(path)
            if not isinstance(rows, list | None):
                yield Broken(export.shown(path), f"expected a list, got {kind_of(rows)}")
                continue
            for number, row in enumerate(rows or [], start=1):
                if isinstance(row, Mapping):
                    add(row)
                else:
                    where = f"{export.shown(path)}, item {number}"
                    yield Broken(where, f"expected an object, got {kind_of(row)}")
    return workspace


def _day(
    source: Source, workspace: _Workspace, channel: str, origin: Origin, title: str | None
) -> Iterator[Row]:
    key = f"{origin.prefix}slack/{channel}"
    named = origin.titled(title)
    for number, message in enumerate(elements(source.name, source.blocks()), start=1):
        yield from _message(message, f"{source.name}, message {number}", workspace, key, named)


def _message(
    message: object, where: str, workspace: _Workspace, key: str, source: str
) -> Iterator[Row]:
    if not isinstance(message, Mapping):
        yield Broken(where, f"expected a message object, got {kind_of(message)}")
        return
    if reason := _unsaid(message, workspace):
        yield Rejected(where, reason)
        return
    speaker = _speaker(message, workspace)
    if speaker is None:
        yield Broken(where, "no 'user': who said it?")
        return
    text = message.get("text")
    if not isinstance(text, str | None):
        yield Broken(where, f"'text' is {kind_of(text)}, expected a text")
        return
    words = readable(text or "", workspace.people, workspace.channels)
    files = _files(message)
    if not words.strip():
        yield Rejected(where, "media without words" if files else "no words in it")
        return
    own = label(message.get("ts"))
    time, note = read_time(own, where)
    began, _ = read_time(label(message.get("thread_ts")), where)
    yield NewTurn(
        text="\n".join([words, *files]),
        session=f"{key}/{day_of(began or time)}",
        speaker=speaker,
        time=time,
        id=f"{key}/{own}" if own else None,
        source=source,
        kind=SessionKind.PEER,
    )
    if note is not None:
        yield note


def _unsaid(message: Mapping[str, Any], workspace: _Workspace) -> str | None:
    """Why a message is nobody's words."""
    kind, subtype = message.get("type"), message.get("subtype")
    if kind not in (None, "message"):
        return f"an event of Slack, not something said ({shown(kind)})"
    if subtype == "tombstone":
        return "a deleted message"
    if subtype == "bot_message" or label(message.get("bot_id")):
        return "written by a bot"
    if not isinstance(subtype, str | None) or subtype not in _SAID:
        return f"a notice of Slack, not something said ({shown(subtype)})"
    user = label(message.get("user"))
    return "written by a bot" if user in workspace.bots or user == "USLACKBOT" else None


def _speaker(message: Mapping[str, Any], workspace: _Workspace) -> str | None:
    user = label(message.get("user"))
    if user in workspace.people:
        return workspace.people[user]
    return (
        first_label(message.get("user_profile"), _NAMES) or user or label(message.get("username"))
    )


def _files(message: Mapping[str, Any]) -> list[str]:
    files = message.get("files")
    names = [
        first_label(one, ("title", "name"))
        for one in (files if isinstance(files, list) else [])
        if isinstance(one, Mapping)
    ]
    return [f"[file: {name}]" if name else "[file]" for name in names]

"""JSON formats told by their keys, whatever the file is called.

The keys are those of the first object in the first 64 KB; each row names where its format is
described in full.
"""

from __future__ import annotations

import json
import re
from collections.abc import Set
from dataclasses import dataclass

from memflow.ingest.readers.formats import Format
from memflow.ingest.readers.messages import CONTENT_KEYS, MESSAGE_LISTS


@dataclass(frozen=True, slots=True)
class Shape:
    """`keys`: sets of which one has to be there in full. `marks`: texts of which one has to occur,
    if any are named. `looked_for` is said where no shape fits."""

    format: Format
    keys: tuple[frozenset[str], ...]
    reason: str
    looked_for: str
    marks: tuple[str, ...] = ()

    def fits(self, keys: Set[str], text: str) -> bool:
        if not any(one <= keys for one in self.keys):
            return False
        return not self.marks or any(mark in text for mark in self.marks)


def _keys(*alternatives: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(one.split()) for one in alternatives)


SHAPES = (
    Shape(
        Format.LONGMEMEVAL,
        _keys("haystack_sessions", "haystack_dates", "haystack_session_ids"),
        "its records have haystack sessions",
        "LongMemEval (haystack_sessions)",
    ),
    Shape(
        Format.LOCOMO,
        _keys("conversation sample_id"),
        "its samples have a conversation with questions",
        "LoCoMo (conversation, sample_id)",
    ),
    Shape(
        Format.LOCOMO,
        _keys("conversation"),
        "its samples have a conversation with questions",
        "",
        ('"session_1', '"speaker_a"'),
    ),
    # The questions come first in the official file, and fill more than what was read.
    Shape(
        Format.LOCOMO,
        _keys("qa"),
        "its samples have questions with evidence",
        "",
        ('"evidence"',),
    ),
    Shape(
        Format.CHATGPT,
        _keys("mapping"),
        "its conversations are trees of messages ('mapping')",
        "ChatGPT (mapping)",
    ),
    Shape(
        Format.CLAUDE,
        _keys("chat_messages"),
        "its conversations have 'chat_messages'",
        "Claude (chat_messages)",
    ),
    Shape(
        Format.TELEGRAM,
        _keys("type id messages"),
        "it is a chat with an id, a type and messages from Telegram",
        "Telegram (messages with from_id, or chats)",
        ('"from_id"', '"date_unixtime"', '"text_entities"', '"actor_id"'),
    ),
    Shape(
        Format.TELEGRAM,
        _keys("about personal_information", "about chats", "about contacts", "about left_chats"),
        "it is a full export of Telegram",
        "",
    ),
    Shape(
        Format.DISCORD,
        _keys("guild channel messages", "guild channel exportedAt", "guild channel dateRange"),
        "it has a guild, a channel and messages, as DiscordChatExporter writes them",
        "Discord (guild, channel)",
    ),
    Shape(
        Format.DISCORD_PACKAGE,
        _keys("ID Timestamp Contents"),
        "it is the messages.json of a Discord data package",
        "a Discord data package (ID, Timestamp, Contents)",
    ),
    Shape(
        Format.SLACK,
        _keys("ts type user", "ts type text", "ts subtype", "ts user text"),
        "its messages have Slack's 'ts'",
        "Slack (ts)",
    ),
)

# A name alone is no message: settings and packages have one, too.
MESSAGE_KEYS = frozenset({*MESSAGE_LISTS, *CONTENT_KEYS, "role"})
CALLS = frozenset({"request", "body"})
LOOKED_FOR = ", ".join(shape.looked_for for shape in SHAPES if shape.looked_for)

# Files beside the conversations of an export whose keys look like those of messages.
ASIDE: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"rating", "conversation_id"}), "ratings of replies, not what was said"),
    (frozenset({"uuid", "docs"}), "a description of projects, not what was said"),
    (frozenset({"team_id", "profile"}), "a list of people, not what was said"),
    (frozenset({"creator", "members", "created"}), "a list of channels, not what was said"),
)

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}:]', re.DOTALL)


def fitting(keys: Set[str], text: str) -> list[Shape]:
    """The shapes that fit, one of each format."""
    found: dict[Format, Shape] = {}
    for shape in SHAPES:
        if shape.format not in found and shape.fits(keys, text):
            found[shape.format] = shape
    return list(found.values())


def is_messages(text: str) -> bool:
    """Whether the first object is a message, a conversation, or a logged call of a chat API."""
    keys = first_keys(text)
    return bool(keys & MESSAGE_KEYS) or (bool(keys & CALLS) and '"messages"' in text)


def first_keys(text: str) -> set[str]:
    """The keys of the first object in a text that may end anywhere."""
    keys: set[str] = set()
    depth, home = 0, 0
    previous = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "[{":
            depth += 1
            home = home or (depth if token == "{" else 0)
        elif token in "]}":
            depth -= 1
            if depth < home:
                break
        elif token == ":" and depth == home and previous.startswith('"'):
            keys.add(_unquoted(previous))
        previous = token
    return keys


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token.strip('"')

"""The formats that can be read, and what tells a file's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Format(StrEnum):
    """The formats that can be read."""

    MESSAGES_JSON = "messages-json"
    MESSAGES_JSONL = "messages-jsonl"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    SLACK = "slack"
    WHATSAPP = "whatsapp"
    TELEGRAM = "telegram"
    DISCORD = "discord"
    DISCORD_PACKAGE = "discord-package"
    MBOX = "mbox"
    EML = "eml"
    MARKDOWN = "markdown"
    TEXT = "text"
    PDF = "pdf"
    DOCX = "docx"


@dataclass(frozen=True, slots=True)
class Detected:
    """`reason` completes "read as <format>: …".

    A `guess` rests on what a file is not: good enough for a file that was named, not for one that
    was met in a folder.
    """

    format: Format
    reason: str
    guess: bool = False

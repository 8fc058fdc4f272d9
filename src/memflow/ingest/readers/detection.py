"""Which format a file has, and why: by its first bytes, and by its name where these leave room."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from pathlib import PurePath

from memflow.errors import InputError
from memflow.ingest.readers.files import HEAD, encoding_of
from memflow.ingest.readers.messages import CONTENT_KEYS, MESSAGE_LISTS, SPEAKER_KEYS


class Format(StrEnum):
    """The formats that can be read."""

    MESSAGES_JSON = "messages-json"
    MESSAGES_JSONL = "messages-jsonl"
    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"
    MARKDOWN = "markdown"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Detected:
    """`reason` completes "read as <format>: …"."""

    format: Format
    reason: str


_AS_TEXT = "convert it to text or Markdown first"
_UNPACK = "unpack it and name the files in it"
_EXPORT = "export its content as JSON or text"
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF", _AS_TEXT),
    (b"PK\x03\x04", "a ZIP archive or an Office document", f"{_UNPACK}, or {_AS_TEXT}"),
    (b"SQLite format 3\0", "an SQLite database", "a MemFlow store is opened with --db"),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\0", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _AS_TEXT),
    (b"{\\rtf", "an RTF document", _AS_TEXT),
    (b"\x89PNG", "a PNG image", "only words are remembered: describe it"),
    (b"\xff\xd8\xff", "a JPEG image", "only words are remembered: describe it"),
    (b"GIF8", "a GIF image", "only words are remembered: describe it"),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"GGUF", "a model file", "models are named with --model"),
)
_MARKDOWN_NAMES = {".md", ".markdown", ".mdown", ".mkd"}
_TEXT_NAMES = {".txt", ".text", ".log"}
_LINES_NAMES = {".jsonl", ".ndjson"}

# Notes may begin with "[[link]]" or "[ ] task": only what goes on like JSON is taken for it.
_JSON_START = re.compile(r"\s*(?:\[\s*\]\s*\Z|(?:\[\s*){0,2}\{\s*(?:\"|\}))")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}:]', re.DOTALL)
_MARKDOWN = re.compile(r"\A---[ \t]*\r?\n|^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_HTML = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_MESSAGE_KEYS = frozenset({*MESSAGE_LISTS, *SPEAKER_KEYS, *CONTENT_KEYS, "role", "from"})


def detect(path: str | PathLike[str], head: bytes) -> Detected:
    """From the file's name and first bytes (64 KB are enough).

    Raises InputError for what cannot be read: empty, binary, JSON of an unknown shape.
    """
    name = str(path)
    refuse_unreadable(name, head)
    encoding, mark = encoding_of(head)
    text = head[mark:].decode(encoding, "ignore")
    suffix = PurePath(name).suffix.lower()
    if suffix in _MARKDOWN_NAMES:
        return Detected(Format.MARKDOWN, f"its name ends in {suffix}")
    if _JSON_START.match(text) or suffix in {".json", *_LINES_NAMES}:
        return _json(name, text, suffix, whole=len(head) < HEAD)
    if suffix in _TEXT_NAMES:
        return Detected(Format.TEXT, f"its name ends in {suffix}")
    if _HTML.match(text):
        raise InputError(name, "looks like HTML", mend=_AS_TEXT)
    if found := _MARKDOWN.search(text):
        return Detected(Format.MARKDOWN, f"it has the line '{found[0].strip()[:20]}'")
    return Detected(Format.TEXT, "it is neither JSON nor Markdown")


def refuse_unreadable(name: str, head: bytes) -> None:
    """Raises InputError for an empty or binary file, saying what it is and what to do."""
    encoding, mark = encoding_of(head)
    if not head[mark:].strip():
        raise InputError(name, "the file is empty")
    for magic, what, mend in _MAGIC:
        if head.startswith(magic):
            raise InputError(name, f"looks like {what}, which cannot be read", mend=mend)
    if encoding == "utf-8" and b"\0" in head:
        raise InputError(
            name,
            f"holds a zero byte at {head.index(0)}: binary, or UTF-16 without its mark",
            mend="save it as UTF-8 text",
        )


def _json(name: str, text: str, suffix: str, *, whole: bool) -> Detected:
    keys = first_keys(text)
    if keys & {"haystack_sessions", "haystack_dates", "haystack_session_ids"}:
        return Detected(Format.LONGMEMEVAL, "its records have haystack sessions")
    if _is_locomo(keys, text):
        return Detected(Format.LOCOMO, "its samples have a conversation with questions")
    lines = _is_lines(text, whole=whole)
    if not _JSON_START.match(text) and suffix not in _LINES_NAMES:
        raise InputError(
            name,
            f"is named {suffix} but does not begin like a JSON list or object of messages",
            mend="name its format with --format",
        )
    # One odd line, even the first, does not spoil a file of lines.
    heads = text.split("\n") if lines or suffix in _LINES_NAMES else [text]
    known = any(first_keys(head) & _MESSAGE_KEYS for head in heads)
    if keys and not known:
        tree = '; each conversation has to become {"messages": […]}' if "mapping" in keys else ""
        raise InputError(
            name,
            f"JSON of an unknown shape, with the keys {', '.join(sorted(keys)[:8])}",
            mend=f"a message needs 'role' (or 'speaker') and 'content'{tree}",
        )
    if lines:
        return Detected(Format.MESSAGES_JSONL, "its first line is a JSON value and more follow")
    if suffix in _LINES_NAMES:
        return Detected(Format.MESSAGES_JSONL, f"its name ends in {suffix}")
    return Detected(Format.MESSAGES_JSON, "it is JSON with messages")


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


def _is_locomo(keys: set[str], text: str) -> bool:
    if "conversation" in keys:
        return '"session_1' in text or '"speaker_a"' in text or "sample_id" in keys
    # The questions come first in the official file, and fill more than what was read.
    return "qa" in keys and '"evidence"' in text


def _is_lines(text: str, *, whole: bool) -> bool:
    first, feed, rest = text.lstrip().partition("\n")
    if not feed or (whole and not rest.strip()):
        return False
    try:
        return isinstance(json.loads(first), Mapping | list)
    except (ValueError, RecursionError):
        return False

"""Which format a file has, and why: by its first bytes, and by its name where these leave room."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import PurePath

from memflow.errors import InputError
from memflow.ingest.readers import mail_signs, whatsapp_lines
from memflow.ingest.readers.files import HEAD, encoding_of
from memflow.ingest.readers.formats import Detected, Format
from memflow.ingest.readers.shapes import (
    ASIDE,
    LOOKED_FOR,
    first_keys,
    fitting,
    is_messages,
)

_AS_TEXT = "convert it to text or Markdown first"
_UNPACK = "unpack it and name the files in it"
_EXPORT = "export its content as JSON or text"
_DESCRIBE = "only words are remembered: describe it"
_NAME_IT = "name its format with --format"
ZIP = b"PK\x03\x04"
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF-", "a PDF", "read it as what it is, with --format pdf"),
    (ZIP, "a ZIP archive or an Office document", f"{_UNPACK}, or {_AS_TEXT}"),
    (b"PK\x05\x06", "an empty ZIP archive", "export again"),
    (b"SQLite format 3\0", "an SQLite database", "a MemFlow store is opened with --db"),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ\0", "an xz archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted Office document", f"save it anew, or {_AS_TEXT}"),
    (b"{\\rtf", "an RTF document", _AS_TEXT),
    (b"\x89PNG", "a PNG image", _DESCRIBE),
    (b"\xff\xd8\xff", "a JPEG image", _DESCRIBE),
    (b"GIF8", "a GIF image", _DESCRIBE),
    (b"RIFF", "a sound, film or WebP image", _DESCRIBE),
    (b"OggS", "a sound", _DESCRIBE),
    (b"ID3", "a sound", _DESCRIBE),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"GGUF", "a model file", "models are named with --model"),
)
_MARKDOWN_NAMES = {".md", ".markdown", ".mdown", ".mkd"}
_TEXT_NAMES = {".txt", ".text", ".log"}
_LINES_NAMES = {".jsonl", ".ndjson"}
_MAIL_NAMES = {".eml", ".mbox", ".mbx"}

# Notes may begin with "[[link]]" or "[ ] task": only what goes on like JSON is taken for it.
_JSON_START = re.compile(r"\s*(?:\[\s*\]\s*\Z|(?:\[\s*){0,2}\{\s*(?:\"|\}))")
_MARKDOWN = re.compile(r"\A---[ \t]*\r?\n|^ {0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_HTML = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_PACKAGE_TABLE = re.compile(r'"?ID"?,"?Timestamp"?,"?Contents"?', re.IGNORECASE)


def detect(path: str | PathLike[str], head: bytes) -> Detected:
    """From the file's name and first bytes (64 KB are enough). Of a ZIP archive, which may be a
    document or an export, the members have to be seen: `walking.py`.

    Raises InputError for what cannot be read: empty, binary, JSON of an unknown shape, or of one
    that could be two formats. It names what was looked for.
    """
    name = str(path)
    if head.startswith(b"%PDF-"):
        return Detected(Format.PDF, "it begins with '%PDF-'")
    suffix = PurePath(name).suffix.lower()
    if mail := mail_signs.format_of(head, sure=suffix in _MAIL_NAMES):
        return mail
    refuse_unreadable(name, head)
    encoding, mark = encoding_of(head)
    text = head[mark:].decode(encoding, "ignore")
    if suffix in _MARKDOWN_NAMES:
        return Detected(Format.MARKDOWN, f"its name ends in {suffix}")
    if _JSON_START.match(text) or suffix in {".json", *_LINES_NAMES}:
        return _json(name, text, suffix, whole=len(head) < HEAD)
    if reason := whatsapp_lines.recognised(text, name):
        return Detected(Format.WHATSAPP, reason)
    if _PACKAGE_TABLE.match(text):
        return Detected(Format.DISCORD_PACKAGE, "its columns are those of a Discord data package")
    return _running_text(name, text, suffix)


def _running_text(name: str, text: str, suffix: str) -> Detected:
    if suffix in _MAIL_NAMES:
        raise InputError(
            name,
            f"is named {suffix} but does not begin like an e-mail",
            mend=f"looked for 'From ' lines and header fields; {_NAME_IT}",
        )
    if suffix in _TEXT_NAMES:
        return Detected(Format.TEXT, f"its name ends in {suffix}")
    if _HTML.match(text):
        raise InputError(name, "looks like HTML", mend=_AS_TEXT)
    if found := _MARKDOWN.search(text):
        return Detected(Format.MARKDOWN, f"it has the line '{found[0].strip()[:20]}'", guess=True)
    reason = "it is neither JSON nor Markdown, e-mail or a WhatsApp chat"
    return Detected(Format.TEXT, reason, guess=True)


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
    shapes = fitting(keys, text)
    if len(shapes) > 1:
        formats = " or ".join(shape.format for shape in shapes)
        raise InputError(name, f"could be {formats}", mend=_NAME_IT)
    if shapes:
        return Detected(shapes[0].format, shapes[0].reason)
    lines = _is_lines(text, whole=whole)
    if not _JSON_START.match(text) and suffix not in _LINES_NAMES:
        raise InputError(
            name,
            f"is named {suffix} but does not begin like a JSON list or object of messages",
            mend=_NAME_IT,
        )
    aside = next((what for signs, what in ASIDE if signs <= keys and "role" not in keys), None)
    # One odd line, even the first, does not spoil a file of lines.
    heads = text.split("\n") if lines or suffix in _LINES_NAMES else [text]
    if keys and (aside or not any(map(is_messages, heads))):
        shown = ", ".join(sorted(keys)[:8])
        raise InputError(
            name,
            aside or f"JSON of an unknown shape, with the keys {shown}",
            mend=f"a message needs 'role' (or 'speaker') and 'content'; also looked for: "
            f"{LOOKED_FOR}; {_NAME_IT}",
        )
    if lines:
        return Detected(Format.MESSAGES_JSONL, "its first line is a JSON value and more follow")
    if suffix in _LINES_NAMES:
        return Detected(Format.MESSAGES_JSONL, f"its name ends in {suffix}")
    return Detected(Format.MESSAGES_JSON, "it is JSON with messages")


def _is_lines(text: str, *, whole: bool) -> bool:
    first, feed, rest = text.lstrip().partition("\n")
    if not feed or (whole and not rest.strip()):
        return False
    try:
        return isinstance(json.loads(first), Mapping | list)
    except (ValueError, RecursionError):
        return False

"""Folders and ZIP archives: which of their files are read, in which order, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memflow.ingest.readers.containers import Container, Member
from memflow.ingest.readers.formats import Detected, Format
from memflow.ingest.readers.slack import CHANNELS, DAY_FILE, PEOPLE
from memflow.ingest.readers.word import BODY

# What files of a format are called, where a format is named for a whole folder.
NAMES: Mapping[Format, frozenset[str]] = {
    Format.MESSAGES_JSONL: frozenset({".jsonl", ".ndjson"}),
    Format.WHATSAPP: frozenset({".txt"}),
    Format.MBOX: frozenset({".mbox", ".mbx", ""}),
    Format.EML: frozenset({".eml"}),
    Format.MARKDOWN: frozenset({".md", ".markdown", ".mdown", ".mkd"}),
    Format.TEXT: frozenset({".txt", ".text", ".log"}),
    Format.PDF: frozenset({".pdf"}),
    Format.DOCX: frozenset({".docx"}),
    Format.DISCORD_PACKAGE: frozenset({".json", ".csv"}),
}
_JSON_NAMES = frozenset({".json"})
_WHOLE = frozenset({Format.SLACK, Format.DISCORD_PACKAGE})

_PACKAGE_FILE = re.compile(
    r"(?P<base>.*?)(?P<folder>[^/]+/)c?[0-9]{5,25}/messages\.(?:json|csv)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Everything below `base` ("" or ending in "/") is one export."""

    base: str
    found: Detected


def claims(members: list[Member], chosen: Format | None) -> list[Claim]:
    """The exports among the members that are read as a whole; none lies within another."""
    paths = {member.path for member in members}
    found: dict[str, Detected] = {}
    if chosen in (None, Format.SLACK):
        for base in _slack_bases(paths):
            reason = "it has a list of people or channels and a file a day for each channel"
            found[base] = Detected(Format.SLACK, reason)
    if chosen in (None, Format.DISCORD_PACKAGE):
        for path in sorted(paths):
            match = _PACKAGE_FILE.fullmatch(path)
            if match and f"{match['base']}{match['folder']}index.json" in paths:
                reason = "it has an index of channels and each channel's messages"
                found.setdefault(match["base"], Detected(Format.DISCORD_PACKAGE, reason))
    if not found and chosen in _WHOLE:
        return [Claim("", Detected(chosen, "as you named it"))]
    outermost = [
        base
        for base in found
        if not any(base != other and base.startswith(other) for other in found)
    ]
    return [Claim(base, found[base]) for base in sorted(outermost)]


def _slack_bases(paths: set[str]) -> Iterator[str]:
    """Folders with a list of people or channels, and beside it folders with days in them."""
    days = {
        f"{parent}/" if (parent := str(PurePosixPath(path).parent.parent)) != "." else ""
        for path in paths
        if DAY_FILE.fullmatch("/".join(path.split("/")[-2:]))
    }
    for base in sorted(days):
        if any(f"{base}{name}" in paths for name in (*PEOPLE, *CHANNELS)):
            yield base


def passed_over(member: Member, chosen: Format | None) -> str | None:
    """Why a file of a folder is not even opened."""
    if member.flaw is not None:
        return member.flaw
    if not member.size:
        return "the file is empty"
    if chosen is not None and member.suffix not in NAMES.get(chosen, _JSON_NAMES):
        return f"not named like a file of the format {chosen}"
    return None


def archive_kind(container: Container) -> Detected | None:
    """DOCX is a ZIP archive, too."""
    paths = {member.path for member in container.members()}
    if BODY in paths:
        return Detected(Format.DOCX, f"it is an archive with {BODY}")
    return None

"""Text and Markdown: a turn per section, or per group of paragraphs, verbatim.

A heading stays with the text below it. Front matter gives title and date and is not stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import chain

from memflow.errors import InputError
from memflow.ingest.readers.files import Source, split_lines
from memflow.ingest.readers.rows import Origin, Rows, read_time
from memflow.text import sentence_spans
from memflow.types import NewTurn, SessionKind

PART = 1_500  # characters of a turn at most

_PIECE = 16 * 1024  # characters of a line or paragraph taken at once
_FRONT_LINES = 200
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<title>\S.*?)[ \t]*#*\s*$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_DATE_KEYS = ("date", "created", "created_at", "date created")
_FIELD = re.compile(
    rf"(?P<key>title|{'|'.join(_DATE_KEYS)})\s*:\s*(?P<value>.*?)\s*$", re.IGNORECASE
)
# Daily notes and posts are named for their day.
_NAMED_FOR_A_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def read_text(source: Source, origin: Origin) -> Rows:
    """Plain text; its speaker is the file's stem."""
    lines = _lines(source)
    return _turns(parts(lines, markdown=False), origin, origin.title, None)


def read_markdown(source: Source, origin: Origin) -> Rows:
    """Markdown; its speaker is the title of the front matter, else a heading in the first line,
    else the file's stem. Its time is the front matter's `date` or `created`, else the date that
    the file's name begins with, if any."""
    front, lines = _front_matter(_lines(source))
    first = next((line for line in lines if line.strip()), "")
    heading = _HEADING.match(first)
    title = front.get("title") or (heading["title"] if heading else "") or origin.title
    body = parts(chain([first], lines), markdown=True)
    return _turns(body, origin, title, _date(front, origin.title))


def _turns(texts: Iterator[str], origin: Origin, title: str, dated: str | None) -> Rows:
    time, note = read_time(dated, origin.name, origin.zone)
    if note is not None:
        yield note
    empty = True
    for text in texts:
        empty = False
        yield NewTurn(
            text=text,
            session=origin.session,
            role="document",
            speaker=title,
            time=time,
            source=origin.source,
            kind=SessionKind.DOCUMENT,
        )
    if empty:
        raise InputError(origin.name, "no text in it")


def _lines(source: Source) -> Iterator[str]:
    # Line ends are layout: "\r\n" and "\n" give the same turns.
    for line in split_lines(source.blocks(), _PIECE):
        yield f"{line[:-2]}\n" if line.endswith("\r\n") else line


def _front_matter(lines: Iterator[str]) -> tuple[dict[str, str], Iterator[str]]:
    """Title and date, and the lines after; all lines when it is never closed."""
    first = next(lines, "")
    if first.rstrip() != "---":
        return {}, chain([first], lines)
    taken = [first]
    found: dict[str, str] = {}
    for line in lines:
        taken.append(line)
        if line.rstrip() in ("---", "..."):
            return found, lines
        if len(taken) > _FRONT_LINES:
            break
        if match := _FIELD.match(line):
            found[match["key"].lower()] = match["value"].strip("\"'")
    return {}, chain(taken, lines)


def _date(front: dict[str, str], name: str) -> str | None:
    if said := next((front[key] for key in _DATE_KEYS if front.get(key)), None):
        return said
    named = _NAMED_FOR_A_DAY.match(name)
    try:
        return date.fromisoformat(named[0]).isoformat() if named else None
    except ValueError:
        return None  # a number that only looks like a day


def parts(lines: Iterator[str], *, markdown: bool) -> Iterator[str]:
    """Stretches of the text of at most PART characters, without blank lines around them."""
    text = ""
    for block in _blocks(lines, markdown=markdown):
        headed = markdown and bool(_HEADING.match(block))
        full = len(text) + len(block.rstrip()) > PART
        # Text that does not end its line goes on in this block.
        if (full or headed) and text.endswith("\n") and not (markdown and _only_headings(text)):
            yield from _whole(text)
            text = ""
        text += block
        while len(text.rstrip()) > PART:
            cut = _cut(text)
            yield from _whole(text[:cut])
            text = text[cut:]
    yield from _whole(text)


def _whole(text: str) -> Iterator[str]:
    # Blank lines are dropped, but not the indentation of the first line.
    trimmed = re.sub(r"\A(?:[^\S\n]*\n)+", "", text).rstrip()
    if trimmed.strip():
        yield trimmed


def _blocks(lines: Iterator[str], *, markdown: bool) -> Iterator[str]:
    """Paragraphs with the blank lines after them; headings and fenced code whole."""
    held: list[str] = []
    size = 0
    fence = ""
    blank = False
    for line in lines:
        mark = _FENCE.match(line) if markdown else None
        headed = markdown and not fence and bool(_HEADING.match(line))
        ends = not fence and ((blank and bool(line.strip())) or headed)
        if held and (ends or size > _PIECE):
            yield "".join(held)
            held, size = [], 0
        held.append(line)
        size += len(line)
        if headed:
            yield line
            held, size = [], 0
        if mark:
            # Closed by at least as many of the same sign.
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        blank = not line.strip()
    if held:
        yield "".join(held)


def _only_headings(text: str) -> bool:
    return all(_HEADING.match(line) or not line.strip() for line in text.split("\n"))


def _cut(text: str) -> int:
    """Where to cut a text that is too long: after a paragraph, line, sentence or word."""
    window = text[:PART]
    for gap in ("\n\n", "\n"):
        if (at := window.rfind(gap)) > PART // 2:
            return at + len(gap)
    starts = [start for start, _ in sentence_spans(window)]
    if starts and starts[-1] > PART // 2:
        return starts[-1]
    at = window.rfind(" ")
    return at + 1 if at > PART // 2 else PART

"""The words of an e-mail: which part of it, and of that what the sender wrote this time.

Quoted lines are left out with the line that introduces them, and so is what follows a signature's
"-- " (RFC 3676) or an "Original Message" rule; the rest stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from html.parser import HTMLParser

_RULE = re.compile(
    r"\s*(?:-{2,}\s*(?:original message|mensagem original|mensaje original|forwarded message)"
    r"\s*-{2,}|_{20,})\s*",
    re.IGNORECASE,
)
_ONLY_QUOTED = re.compile(r"\s*>")
_WRAPPED = 40  # characters that a line has at least if the next goes on with it
_BLANK_LINES = re.compile(r"\n{3,}")
_BLOCKS = frozenset(
    "p div br tr li ul ol table h1 h2 h3 h4 h5 h6 hr section article header footer pre".split()
)
_SILENT = frozenset("script style head title blockquote template noscript".split())
_QUOTE_CLASSES = ("gmail_quote", "yahoo_quoted", "moz-cite-prefix", "gmail_attr")
_VOID = frozenset("br hr img input meta link area base col embed source track wbr".split())


def header(message: Message, name: str) -> str:
    """The field decoded, on one line; "" when it is absent. What cannot be decoded stays raw."""
    try:
        raw = message.get(name)
    except (ValueError, TypeError, AttributeError, IndexError):
        return ""
    if raw is None:
        return ""
    try:
        text = str(make_header(decode_header(str(raw))))
    except (MessageError, LookupError, ValueError, TypeError, AssertionError):
        text = str(raw)
    # Bytes that are no text came in as half surrogate pairs.
    return " ".join(text.encode("utf-8", "replace").decode().split())


def body_of(message: Message) -> tuple[str, bool]:
    """The text without quotes and signature, and whether characters of it were lost."""
    found: list[str] = []
    lost = False
    for part, html in _parts(message):
        text, damaged = _decoded(part)
        lost = lost or damaged
        found.append(trimmed(stripped(text) if html else text))
    return "\n\n".join(text for text in found if text), lost


def _parts(message: Message, depth: int = 0) -> Iterator[tuple[Message, bool]]:
    """The parts that are the letter itself, and whether they are HTML."""
    kind = message.get_content_type()
    if message.is_multipart():
        below = [part for part in message.get_payload() if isinstance(part, Message)]
        if depth > 20 or kind == "message/rfc822":
            return
        if kind == "multipart/alternative":
            below = _preferred(below)
        for part in below:
            yield from _parts(part, depth + 1)
    elif message.get_content_disposition() != "attachment" and not message.get_filename():
        if kind == "text/plain" or kind.startswith("multipart/"):  # parts that are not marked
            yield message, False
        elif kind == "text/html":
            yield message, True


def _preferred(parts: list[Message]) -> list[Message]:
    """The first that has plain text, else the first that has any."""
    for wanted in (False, True):
        for part in parts:
            if any(html is wanted for _, html in _parts(part)):
                return [part]
    return parts


def _decoded(part: Message) -> tuple[str, bool]:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        data = None
    if not isinstance(data, bytes):
        return str(part.get_payload()), False
    charset = str(part.get_content_charset() or "utf-8")
    for encoding in (charset, "utf-8"):
        try:
            return _lines_mended(data.decode(encoding)), False
        except (UnicodeDecodeError, LookupError, ValueError):
            continue
    # Windows' Latin letters fill nearly all bytes; what is left comes out as U+FFFD.
    text = data.decode("cp1252", "replace")
    return _lines_mended(text), True


def _lines_mended(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def trimmed(text: str) -> str:
    """Without quoted lines, what introduces them, and all from the signature on."""
    kept: list[str] = []
    for line in text.split("\n"):
        if line.rstrip("\r") in ("-- ", "--") and any(map(str.strip, kept)):
            break
        if _RULE.fullmatch(line):
            break
        if _ONLY_QUOTED.match(line):
            _drop_introduction(kept)
        else:
            kept.append(line.rstrip())
    return _BLANK_LINES.sub("\n\n", "\n".join(kept)).strip()


def _drop_introduction(kept: list[str]) -> None:
    """`On 3 May Ana wrote:` in any language: what ends in a colon before a quote and has a date or
    an address. Mail programs break it after some seventy characters."""
    last = len(kept) - 1
    while last >= 0 and not kept[last].strip():
        last -= 1
    if last < 0 or not kept[last].rstrip().endswith(":"):
        return
    dated = any(map(str.isdigit, kept[last].split("<")[0]))
    before = kept[last - 1] if last else ""
    if not dated and len(before) > _WRAPPED and any(map(str.isdigit, before)):
        del kept[last - 1 :]
    elif dated or "@" in kept[last]:
        del kept[last:]
    # Else it is the sender's own, as in "you said:".


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent:
            if tag not in _VOID and tag == self._silent[0]:
                self._silent.append(tag)
            return
        classes = dict(attrs).get("class") or ""
        quoted = any(name in classes for name in _QUOTE_CLASSES)
        if (tag in _SILENT or quoted) and tag not in _VOID:
            self._silent.append(tag)
        elif tag in _BLOCKS:
            self.found.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._silent:
            if tag == self._silent[0]:
                self._silent.pop()
        elif tag in _BLOCKS:
            self.found.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(re.sub(r"\s+", " ", data))


def stripped(html: str) -> str:
    """The words of HTML, blocks on lines of their own, without quoted replies."""
    parser = _Text()
    try:
        parser.feed(html)
        parser.close()
    except (AssertionError, ValueError):
        pass  # broken beyond the parser: what came before is kept
    lines = (" ".join(line.split()) for line in "".join(parser.found).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()

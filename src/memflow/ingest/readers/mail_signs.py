"""What an e-mail or a mailbox begins with."""

from __future__ import annotations

import re

from memflow.ingest.readers.formats import Detected, Format

_FIELD = re.compile(rb"[!-9;-~]{1,60}:")
# With a time: a sentence may begin with "From", too.
_FROM_LINE = re.compile(rb"From \S+.*[0-9]:[0-9]{2}.*\r?\n?")
# Fields that only e-mails have, and the ones that notes may begin with as well.
_TELLING = re.compile(
    rb"^(?:message-id|mime-version|received|return-path|delivered-to|dkim-signature):",
    re.IGNORECASE | re.MULTILINE,
)
_COMMON = re.compile(rb"^(?:from|to|date|subject):", re.IGNORECASE | re.MULTILINE)


def is_from_line(line: bytes) -> bool:
    """Whether a line can separate the messages of a mailbox."""
    return _FROM_LINE.fullmatch(line) is not None


def format_of(head: bytes, *, sure: bool) -> Detected | None:
    """`sure` when the name says that it is e-mail: then common fields are enough."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = head.partition(b"\n")
    if is_from_line(first + b"\n") and _FIELD.match(rest):
        return Detected(Format.MBOX, "it begins with a 'From ' line and header fields")
    if not _FIELD.match(head):
        return None
    fields = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    common = len({match[0].lower() for match in _COMMON.finditer(fields)})
    telling = _TELLING.search(fields) is not None
    if (telling and common) or (sure and common >= 2):
        return Detected(Format.EML, "it begins with the header of an e-mail")
    return None

"""The text of PDF files, page by page, by pypdf (the extra `files`).

Only text that is in the file is read: the pages of a scan are pictures, and are reported.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError, MissingExtra
from memflow.ingest.readers.documents import parts
from memflow.ingest.readers.files import Source, split_lines
from memflow.ingest.readers.rows import Broken, Origin, Rows
from memflow.text import clip
from memflow.types import NewTurn, Rejected, SessionKind

if TYPE_CHECKING:
    from pypdf import PdfReader

_LINE = 1 << 16
# pypdf tells a program's log about each oddity; what matters is reported as a row.
logging.getLogger("pypdf").addHandler(logging.NullHandler())


def read_pdf(source: Source, origin: Origin) -> Rows:
    """A turn per page or part of one; its source names the page.

    Raises MissingExtra without pypdf, InputError for an encrypted, broken or scanned file.
    """
    try:
        import pypdf
    except ImportError:
        raise MissingExtra("reading PDF", "files") from None
    with source.whole() as file:
        try:
            reader = pypdf.PdfReader(file)
            _open_lock(reader, source.name)
            pages = len(reader.pages)
            title = _title(reader) or origin.title
        except InputError:
            raise
        except Exception as error:  # what a broken file makes of the library is open-ended
            reason = f"not a readable PDF: {_said(error)}"
            raise InputError(source.name, reason, mend="export or download it again") from None
        empty = 0
        for number in range(1, pages + 1):
            where = f"{source.name}, page {number}"
            text = _page(reader, number)
            if isinstance(text, Exception):
                yield Broken(where, f"cannot be read: {_said(text)}")
            elif not text.strip():
                empty += 1
                yield Rejected(where, "a page without text, perhaps a scan")
            else:
                yield from _turns(text, origin, title, number)
    if empty == pages:
        raise InputError(
            source.name, "no text in it: perhaps a scan", mend="run text recognition (OCR) over it"
        )


def _open_lock(reader: PdfReader, name: str) -> None:
    """An empty password only forbids printing or copying; any other has to be known."""
    locked = reader.is_encrypted
    try:
        locked = locked and not reader.decrypt("")
    except Exception:  # an unknown method, or one whose library is not installed
        locked = True
    if locked:
        raise InputError(name, "is encrypted", mend="save a copy without a password")


def _title(reader: PdfReader) -> str:
    title: Any = reader.metadata.title if reader.metadata is not None else None
    return clip(" ".join(title.split()), 120) if isinstance(title, str) else ""


def _page(reader: PdfReader, number: int) -> str | Exception:
    try:
        text = reader.pages[number - 1].extract_text()
    except Exception as error:  # as above: one page does not spoil the others
        return error
    # Fonts without a table of signs give half surrogate pairs and zero bytes.
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def _turns(text: str, origin: Origin, title: str, number: int) -> Iterator[NewTurn]:
    for part in parts(split_lines(iter([text]), _LINE), markdown=False):
        yield NewTurn(
            text=part,
            session=origin.session,
            role="document",
            speaker=title,
            source=f"{origin.source}, page {number}",
            kind=SessionKind.DOCUMENT,
        )


def _said(error: Exception) -> str:
    return clip(str(error), 200) or type(error).__name__

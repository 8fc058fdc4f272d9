"""The text of Word files (DOCX), by python-docx (the extra `files`): paragraphs and tables in the
order of the document, cells of a row joined by " | "."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from memflow.errors import InputError, MissingExtra
from memflow.ingest.readers.documents import parts
from memflow.ingest.readers.files import Source
from memflow.ingest.readers.rows import Origin, Rows
from memflow.text import clip
from memflow.types import NewTurn, SessionKind

if TYPE_CHECKING:
    from docx.document import Document

BODY = "word/document.xml"
MAX_BODY = 256 * 1024 * 1024  # bytes of the unpacked body, which is read as a whole


def read_docx(source: Source, origin: Origin) -> Rows:
    """A turn per group of paragraphs. Raises MissingExtra without python-docx, InputError for a
    broken file or one without text."""
    try:
        import docx
    except ImportError:
        raise MissingExtra("reading DOCX", "files") from None
    with source.whole() as file:
        try:
            _check_size(source.name, file)
            document = docx.Document(file)
            title = " ".join((document.core_properties.title or "").split())
            lines = list(_lines(document))
        except InputError:
            raise
        except Exception as error:  # zip, XML and package errors, all of a broken file
            reason = f"not a readable DOCX: {clip(str(error), 200) or type(error).__name__}"
            raise InputError(source.name, reason, mend="save it anew, or as text") from None
    empty = True
    for part in parts(iter(lines), markdown=False):
        empty = False
        yield NewTurn(
            text=part,
            session=origin.session,
            role="document",
            speaker=clip(title, 120) or origin.title,
            source=origin.source,
            kind=SessionKind.DOCUMENT,
        )
    if empty:
        raise InputError(source.name, "no text in it")


def _check_size(name: str, file: BinaryIO) -> None:
    with zipfile.ZipFile(file) as archive:
        size = archive.getinfo(BODY).file_size
    file.seek(0)
    if size > MAX_BODY:
        raise InputError(name, f"its text is larger than {MAX_BODY >> 20} MB", mend="divide it")


def _lines(document: Document) -> Iterator[str]:
    """Paragraphs, each followed by a blank line; rows of a table on lines of their own."""
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                # A cell that spans columns comes once for each.
                cells = {id(cell._tc): cell for cell in row.cells}
                texts = [" ".join(cell.text.split()) for cell in cells.values()]
                if any(texts):
                    yield " | ".join(texts) + "\n"
            yield "\n"
        elif block.text.strip():
            yield from (f"{line}\n" for line in block.text.split("\n"))
            yield "\n"

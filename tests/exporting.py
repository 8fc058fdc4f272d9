"""Exports for tests: read, packed, grown, and documents made by hand."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from memflow.errors import InputError
from memflow.ingest.readers import Broken, Note, Row, read_file
from memflow.types import NewTurn, Rejected

EXPORTS = Path(__file__).parent / "fixtures" / "exports"


def rows_of(path: str | Path, **options: Any) -> list[Row]:
    return list(read_file(EXPORTS / path, **options))


def rows_of_bytes(data: bytes | str, **options: Any) -> list[Row]:
    """Through standard input, so that no name helps."""
    raw = data.encode() if isinstance(data, str) else data
    return list(read_file("-", stdin=io.BytesIO(raw), **options))


def turns(rows: Iterable[Row]) -> list[NewTurn]:
    return [row for row in rows if isinstance(row, NewTurn)]


def texts(rows: Iterable[Row]) -> list[str]:
    return [turn.text for turn in turns(rows)]


def reasons(rows: Iterable[Row]) -> Counter[str]:
    """Of rows left out on purpose."""
    return Counter(
        row.reason for row in rows if isinstance(row, Rejected) and not isinstance(row, Broken)
    )


def broken(rows: Iterable[Row]) -> list[Broken]:
    return [row for row in rows if isinstance(row, Broken)]


def notes(rows: Iterable[Row]) -> list[str]:
    return [row.text for row in rows if isinstance(row, Note)]


def as_far_as_it_goes(path: str | Path, **options: Any) -> tuple[list[Row], InputError | None]:
    """What came before an error, and the error."""
    rows: list[Row] = []
    try:
        rows.extend(read_file(path, **options))
    except InputError as error:
        return rows, error
    return rows, None


def contents(folder: str) -> dict[str, bytes]:
    """All files of a fixture's folder by their paths within."""
    base = EXPORTS / folder
    return {
        path.relative_to(base).as_posix(): path.read_bytes()
        for path in sorted(base.rglob("*"))
        if path.is_file()
    }


def zip_of(files: Mapping[str, bytes | str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def unpacked(files: Mapping[str, bytes | str], folder: Path) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


def pdf_of(*pages: str, title: str | None = None) -> bytes:
    """One line of text a page, in a font that every reader has; "" is a page without text."""
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    catalog, tree = add(b""), add(b"")
    font = add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    kids = []
    for text in pages:
        shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        stream = f"BT /F1 12 Tf 72 700 Td ({shown}) Tj ET".encode("latin-1") if text else b""
        content = add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(
            add(
                b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
                b" /Resources << /Font << /F1 %d 0 R >> >> >>" % (tree, content, font)
            )
        )
    info = add(f"<< /Title ({title}) >>".encode("latin-1")) if title else 0
    objects[catalog - 1] = b"<< /Type /Catalog /Pages %d 0 R >>" % tree
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[tree - 1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), listed)
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    trailer = b" /Info %d 0 R" % info if info else b""
    out += b"trailer\n<< /Size %d /Root 1 0 R%s >>\n" % (len(objects) + 1, trailer)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def docx_of(*paragraphs: str, table: Iterable[Iterable[str]] = (), title: str = "") -> bytes:
    import docx

    document = docx.Document()
    document.core_properties.title = title
    for text in paragraphs:
        document.add_paragraph(text)
    rows = [list(row) for row in table]
    if rows:
        grid = document.add_table(len(rows), len(rows[0]))
        for line, row in enumerate(rows):
            for column, text in enumerate(row):
                grid.cell(line, column).text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def only_refused(data: bytes, **options: Any) -> None:
    """Read or refused with an InputError, and nothing else raised."""
    with suppress(InputError):
        rows_of_bytes(data, **options)

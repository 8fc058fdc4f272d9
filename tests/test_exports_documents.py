"""Folders, archives and documents: what is read of them, in which order, and as what."""

from __future__ import annotations

import io
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memflow.errors import InputError, MissingExtra
from memflow.ingest.readers import Detected, Format, Watch, detect, read_file
from memflow.types import SessionKind
from tests.exporting import (
    EXPORTS,
    as_far_as_it_goes,
    broken,
    contents,
    docx_of,
    pdf_of,
    reasons,
    rows_of,
    rows_of_bytes,
    texts,
    turns,
    unpacked,
    zip_of,
)

# --------------------------------------------------------------------------- folders


def test_vault() -> None:
    rows = rows_of("vault")
    assert [(turn.session, turn.source, turn.speaker, turn.text) for turn in turns(rows)] == [
        ("vault/Boats", "Boats.md", "The boat", "Painted the hull with [[Tomé]]."),
        ("vault/Boats", "Boats.md", "The boat", "## Costs\n\nThe paint was 40 euros."),
        (
            "vault/Daily/2026-02-14",
            "Daily/2026-02-14.md",
            "2026-02-14",
            "Walked to the lighthouse with [[Yara|my sister]].",
        ),
        ("vault/list", "list.txt", "list", "rope\ntar"),
    ]
    boats, _, walk, rope = turns(rows)
    assert boats.time == datetime(2026, 1, 7, tzinfo=UTC)  # `created` of the front matter
    assert walk.time == datetime(2026, 2, 14, tzinfo=UTC)  # the name of a daily note
    assert rope.time is None
    assert reasons(rows) == {
        "looks like a PNG image, which cannot be read": 1,
        "JSON of an unknown shape, with the keys edges, nodes": 1,
        "not told apart: its name ends in .py": 1,
    }


def test_a_folder_says_what_each_file_is_read_as() -> None:
    began: list[tuple[str, Detected]] = []
    rows = read_file(EXPORTS / "vault", watch=Watch(began=lambda n, f: began.append((n, f))))
    list(rows)
    assert [(Path(name).name, found.format) for name, found in began] == [
        ("Boats.md", Format.MARKDOWN),
        ("2026-02-14.md", Format.MARKDOWN),
        ("list.txt", Format.TEXT),
    ]
    assert all(found.reason for _, found in began)


def test_the_order_of_a_folder_is_that_of_its_paths(tmp_path: Path) -> None:
    names = ["b/2.md", "a.md", "b/1.md", "B.md", "a/z.md", "ab.md"]
    unpacked({name: f"text of {name}" for name in names}, tmp_path)
    found = [turn.source for turn in turns(rows_of(tmp_path))]
    assert found == ["B.md", "a/z.md", "a.md", "ab.md", "b/1.md", "b/2.md"]


def test_a_session_name_stands_before_those_of_the_files() -> None:
    assert turns(rows_of("vault", session="notes"))[0].session == "notes/Boats"


def test_a_format_that_is_named_picks_its_files() -> None:
    rows = rows_of("vault", format="text")
    assert texts(rows) == ["rope\ntar"]
    assert reasons(rows)["not named like a file of the format text"] == 5


def test_hidden_files_are_ignored_and_links_to_folders_not_followed(tmp_path: Path) -> None:
    unpacked({".git/a.md": "x", "b/.c.md": "x", "d.md": "kept", "__MACOSX/d.md": "x"}, tmp_path)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    rows = rows_of(tmp_path)
    assert texts(rows) == ["kept"]
    assert list(reasons(rows)) == ["cannot be read: No such file or directory"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    (tmp_path / "b.md").write_text("kept")
    rows = rows_of(tmp_path)
    assert texts(rows) == ["kept"]
    assert reasons(rows) == {"not a regular file": 1}


def test_a_bad_file_does_not_stop_a_folder(tmp_path: Path) -> None:
    unpacked(
        {"a.md": b"caf\xe9 au lait", "b.jsonl": '{"role": "user", "content": "kept"}\n{x'}, tmp_path
    )
    rows = rows_of(tmp_path)
    assert texts(rows) == ["kept"]
    assert [row.reason.split(":")[0] for row in broken(rows)] == [
        "not valid UTF-8 at byte 3",
        "not valid JSON",
    ]


def test_a_folder_with_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n")
    rows, error = as_far_as_it_goes(tmp_path)
    assert reasons(rows) == {"looks like a PNG image, which cannot be read": 1}
    assert "nothing to read in the folder: none of 1 files" in str(error)


def test_a_folder_of_several_exports(tmp_path: Path) -> None:
    for folder in ("chatgpt", "slack", "discord-package", "vault"):
        unpacked(contents(folder), tmp_path / folder)
    (tmp_path / "claude.zip").write_bytes(zip_of(contents("claude")))
    began: list[Format] = []
    rows = list(read_file(tmp_path, watch=Watch(began=lambda _, found: began.append(found.format))))
    assert began[:2] == [Format.DISCORD_PACKAGE, Format.SLACK]
    assert {Format.CHATGPT, Format.CLAUDE, Format.MARKDOWN} <= set(began)
    parts = ("chatgpt", "slack", "discord-package", "claude", "vault")
    assert len(turns(rows)) == sum(len(turns(rows_of(part))) for part in parts)


def test_progress_is_told_in_bytes_and_ends_at_the_total(tmp_path: Path) -> None:
    done: list[tuple[int, int | None]] = []
    list(read_file(EXPORTS / "vault", watch=Watch(bytes=lambda *told: done.append(told))))
    size = sum(len(data) for name, data in contents("vault").items() if ".obsidian" not in name)
    assert done[-1] == (size, size)
    assert [count for count, _ in done] == sorted(count for count, _ in done)
    (tmp_path / "a.pdf").write_bytes(pdf_of("x"))
    for path in (EXPORTS / "calls.jsonl", EXPORTS / "whatsapp/_chat.txt", tmp_path / "a.pdf"):
        done.clear()
        list(read_file(path, watch=Watch(bytes=lambda *told: done.append(told))))
        assert done[-1] == (path.stat().st_size, path.stat().st_size)


# --------------------------------------------------------------------------- archives


def test_an_archive_through_standard_input() -> None:
    assert texts(rows_of_bytes(zip_of(contents("claude")))) == texts(
        rows_of("claude/conversations.json")
    )


def test_an_archive_within_an_archive_is_passed_over() -> None:
    inner = zip_of({"a.md": "x"})
    rows = rows_of_bytes(zip_of({"inner.zip": inner, "b.md": "kept"}))
    assert texts(rows) == ["kept"]
    assert reasons(rows) == {"an archive within an archive: unpack the outer one": 1}


def test_a_damaged_member_does_not_spoil_the_others() -> None:
    squares = " ".join(str(number * number) for number in range(2_000))
    data = bytearray(zip_of({"a.md": squares, "b.md": "kept"}))
    data[2_000:2_030] = bytes(30)
    rows = rows_of_bytes(bytes(data))
    assert texts(rows) == ["kept"]
    assert "damaged in the archive" in broken(rows)[0].reason


def test_a_truncated_archive_is_refused() -> None:
    with pytest.raises(InputError, match="damaged or incomplete ZIP"):
        rows_of_bytes(zip_of({"a.md": "x" * 999})[:-30])


def test_an_encrypted_member_is_passed_over() -> None:
    data = bytearray(zip_of({"a.md": "x", "b.md": "kept"}))
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    rows = rows_of_bytes(bytes(data))
    assert texts(rows) == ["kept"]
    assert reasons(rows) == {"is encrypted": 1}


# --------------------------------------------------------------------------- PDF and DOCX


def test_pdf_by_pages() -> None:
    data = pdf_of("The well is nine metres deep.", "", "It was dug in 1931.", title="The well")
    rows = rows_of_bytes(data)
    assert [(turn.text, turn.source) for turn in turns(rows)] == [
        ("The well is nine metres deep.", "stdin, page 1"),
        ("It was dug in 1931.", "stdin, page 3"),
    ]
    one = turns(rows)[0]
    assert (one.speaker, one.role, one.kind) == ("The well", "document", SessionKind.DOCUMENT)
    assert reasons(rows) == {"a page without text, perhaps a scan": 1}


def test_a_scan_is_an_error_that_says_so() -> None:
    with pytest.raises(InputError, match="no text in it: perhaps a scan") as caught:
        rows_of_bytes(pdf_of("", ""))
    assert "OCR" in (caught.value.mend or "")


def test_encrypted_pdf() -> None:
    import pypdf

    for user, owner in (("secret", "other"), ("", "other")):
        writer = pypdf.PdfWriter(io.BytesIO(pdf_of("The code is 4471.")))
        writer.encrypt(user, owner, algorithm="RC4-128")
        out = io.BytesIO()
        writer.write(out)
        if user:
            with pytest.raises(InputError, match="is encrypted"):
                rows_of_bytes(out.getvalue())
        else:  # only printing or copying is forbidden
            assert texts(rows_of_bytes(out.getvalue())) == ["The code is 4471."]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_truncated_pdf_is_read_or_refused(share: float, tmp_path: Path) -> None:
    data = pdf_of("The well is nine metres deep.")
    path = tmp_path / "x.pdf"
    path.write_bytes(data[: int(len(data) * share)])
    rows, error = as_far_as_it_goes(path)
    assert (texts(rows) == ["The well is nine metres deep."]) != (error is not None)


def test_docx_paragraphs_and_tables() -> None:
    data = docx_of(
        "The mill",
        "It grinds on Mondays.",
        table=[["day", "flour"], ["Mon", "20 kg"]],
        title="Mill",
    )
    (turn,) = turns(rows_of_bytes(data))
    assert turn.text == "The mill\n\nIt grinds on Mondays.\n\nday | flour\nMon | 20 kg"
    assert (turn.speaker, turn.role, turn.source) == ("Mill", "document", "stdin")


def test_documents_in_a_folder_and_in_an_archive(tmp_path: Path) -> None:
    files: dict[str, bytes | str]
    files = {"a.pdf": pdf_of("In a PDF."), "b/c.docx": docx_of("In a DOCX."), "d.md": "In a note."}
    unpacked(files, tmp_path)
    expected = ["In a PDF.", "In a DOCX.", "In a note."]
    assert texts(rows_of(tmp_path)) == expected
    assert texts(rows_of_bytes(zip_of(files))) == expected


@pytest.mark.parametrize("data", [docx_of(), docx_of(" ", "\t")], ids=["nothing", "blank"])
def test_docx_without_text(data: bytes) -> None:
    with pytest.raises(InputError, match="no text in it"):
        rows_of_bytes(data)


def test_broken_docx() -> None:
    with pytest.raises(InputError, match="not a readable DOCX"):
        rows_of_bytes(zip_of({"word/document.xml": "<w:document", "x": "y"}))


@pytest.mark.parametrize(
    ("module", "data", "what"),
    [("pypdf", pdf_of("x"), "reading PDF"), ("docx", docx_of("x"), "reading DOCX")],
)
def test_without_the_extra(
    module: str, data: bytes, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=f"{what} needs the extra 'files'") as caught:
        rows_of_bytes(data)
    assert caught.value.mend == "pip install 'memflow-slm[files]'"
    unpacked({"a.bin": data, "b.md": "kept"}, tmp_path)
    rows = rows_of(tmp_path)
    assert texts(rows) == ["kept"]  # in a folder the other files are read
    assert "memflow-slm[files]" in broken(rows)[0].reason


# --------------------------------------------------------------------------- detection


def test_ambiguous_and_unknown_files_say_what_was_looked_for() -> None:
    with pytest.raises(InputError, match="could be chatgpt or claude"):
        detect("x.json", b'{"mapping": {}, "chat_messages": []}')
    with pytest.raises(InputError, match="unknown shape, with the keys rows") as caught:
        detect("x.json", b'{"rows": []}')
    for name in ("ChatGPT", "Claude", "Telegram", "Discord", "Slack", "LoCoMo", "--format"):
        assert name in (caught.value.mend or "")
    for other in (b'{"name": "x", "version": "1"}', b'{"from": "a"}', b'{"body": "words"}'):
        with pytest.raises(InputError, match="unknown shape"):
            detect("package.json", other)
    with pytest.raises(InputError, match="does not begin like an e-mail") as caught:
        detect("x.mbox", b"just words")
    assert "'From ' lines" in (caught.value.mend or "")


def test_a_named_format_overrides_what_the_file_looks_like() -> None:
    path = EXPORTS / "whatsapp/_chat.txt"
    assert turns(rows_of(path))[0].speaker == "Avó Lena"
    assert turns(rows_of(path, format="text"))[0].kind is SessionKind.DOCUMENT
    with pytest.raises(InputError, match="as WhatsApp writes them") as caught:
        rows_of("vault/Boats.md", format="whatsapp")
    assert "looked for" in (caught.value.mend or "")

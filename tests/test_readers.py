"""Files into turns: every format, what is left out, and what bad input gives."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memflow.errors import InputError, UsageError
from memflow.ingest.readers import Broken, Format, Note, Row, detect, files, json_stream, read_file
from memflow.ingest.readers.documents import PART, parts
from memflow.types import NewTurn, Rejected, SessionKind

FIXTURES = Path(__file__).parent / "fixtures" / "readers"


def read(content: bytes | str, **options: Any) -> list[Row]:
    """Through standard input: no name helps the detection."""
    data = content.encode() if isinstance(content, str) else content
    return list(read_file("-", stdin=io.BytesIO(data), **options))


def turns(rows: list[Row]) -> list[NewTurn]:
    return [row for row in rows if isinstance(row, NewTurn)]


def texts(rows: list[Row]) -> list[str]:
    return [turn.text for turn in turns(rows)]


def fixture(name: str, **options: Any) -> list[Row]:
    return list(read_file(FIXTURES / name, **options))


# --------------------------------------------------------------------------- formats


def test_messages_json() -> None:
    rows = fixture("chat.json")
    moved, luck, front = turns(rows)
    assert moved == NewTurn(
        "We moved the bakery to Rua das Flores.",
        session="chat",
        role="user",
        time=datetime.fromisoformat("2026-02-01T09:00:00+01:00"),
        id="m1",
        source="chat.json",
    )
    assert (luck.role, luck.text) == ("assistant", "Good luck with the move!")
    assert luck.time == datetime.fromtimestamp(1769936520, UTC)
    assert (front.role, front.speaker, front.text) == ("user", "Rui", "Here is the front:\n[image]")
    reasons = [row.reason for row in rows if isinstance(row, Rejected)]
    assert [reason.split()[:3] for reason in reasons] == [
        ["a", "system", "message"],
        ["a", "tool", "call"],
        ["tool", "output", "is"],
    ]
    assert not any(isinstance(row, Broken) for row in rows)


def test_messages_jsonl() -> None:
    first, second, storm, fig = turns(fixture("chat.jsonl"))
    assert (first.session, first.time) == ("s1", datetime(2026, 2, 1, tzinfo=UTC))
    assert (second.session, second.role, second.time) == ("s1", "assistant", None)
    assert (storm.speaker, storm.kind, storm.session) == ("Ana", SessionKind.PEER, "chat")
    assert (fig.role, fig.source, fig.kind) == ("user", "phone", SessionKind.ASSISTANT)


def test_conversations_get_sessions_of_their_own() -> None:
    rows = turns(fixture("conversations.json"))
    assert [turn.session for turn in rows] == [
        "conversations/c1",
        "conversations/c1",
        "conversations/Garden",
        "conversations/Garden (2)",
        "conversations/4",
    ]
    # Ids count within a conversation, and would collide without its name.
    assert [turn.id for turn in rows][:4] == [
        "conversations/c1/1",
        "conversations/c1/2",
        "conversations/Garden/1",
        "conversations/Garden (2)/1",
    ]
    assert rows[0].time == datetime(2026, 1, 10, 10, tzinfo=UTC)
    assert rows[1].time == datetime(2026, 1, 10, 10, 5, tzinfo=UTC)
    assert turns(fixture("conversations.json", session="mine"))[0].session == "mine/c1"


def test_fine_tuning_lines() -> None:
    rows = turns(fixture("finetune.jsonl"))
    assert [turn.session for turn in rows] == ["finetune/1"] * 2 + ["finetune/2"] * 2
    assert [turn.role for turn in rows] == ["user", "assistant"] * 2


def test_one_conversation_object_is_the_session() -> None:
    rows = turns(read('{"messages": [{"role": "user", "content": "x"}]}', session="s"))
    assert [turn.session for turn in rows] == ["s"]


def test_locomo() -> None:
    rows = fixture("letters_locomo.json")
    found = turns(rows)
    assert len(rows) == len(found) == 7
    assert [turn.id for turn in found] == [
        "pair-1/D1:1",
        "pair-1/D1:2",
        "pair-1/D2:1",
        "pair-1/D2:2",
        "pair-1/D10:1",
        "pair-1/D10:2",
        "pair-2/D1:1",
    ]
    assert found[0].session == "pair-1/session_1"
    assert found[0].time == datetime(2021, 5, 1, 9, 30, tzinfo=UTC)
    assert found[5].text == "Look at this! [shares a photo: a photo of a brass clock]"
    assert found[5].time == datetime(2022, 3, 3, 0, 5, tzinfo=UTC)
    assert {turn.kind for turn in found} == {SessionKind.PEER}
    assert {turn.speaker for turn in found} == {"Nadia", "Otto", "Lea"}


def test_longmemeval_by_date_and_without_telling_ids() -> None:
    found = turns(fixture("haystacks_longmemeval.json"))
    assert [turn.text for turn in found[:3]] == [
        "Welcome back.",
        "Tell me about moss.",
        "The spare key hangs in the shed.",
    ]
    assert found[2].session == "haystacks_longmemeval/1/session_2"
    assert found[2].id == "haystacks_longmemeval/1/session_2:1"
    assert found[2].time == datetime(2023, 5, 21, 9, tzinfo=UTC)
    for turn in found:
        assert "answer" not in f"{turn.session}{turn.id}{turn.source}"
        assert "abs" not in f"{turn.session}{turn.id}"


def test_markdown_sections() -> None:
    found = turns(fixture("notes.md"))
    assert [turn.text.split("\n")[0] for turn in found] == ["# Allotment diary", "## Tools"]
    assert "# not a heading\n\nwater --all" in found[0].text
    assert found[1].text == "## Tools\n\n### Borrowed\n\nThe rake belongs to Tomé."
    for turn in found:
        assert turn.speaker == "Allotment diary"
        assert turn.role == "document"
        assert turn.kind is SessionKind.DOCUMENT
        assert turn.time == datetime(2026, 4, 12, tzinfo=UTC)
        assert (turn.session, turn.source) == ("notes", "notes.md")


def test_text() -> None:
    (turn,) = turns(fixture("story.txt"))
    assert turn.text.startswith("The ferry left at six.\n\nNobody")
    assert (turn.speaker, turn.session, turn.time) == ("story", "story", None)


def test_front_matter_that_never_ends_is_text() -> None:
    assert texts(read("---\ntitle: x\n\nwords", format="markdown")) == ["---\ntitle: x\n\nwords"]


def test_a_document_date_that_is_not_understood_is_noted() -> None:
    note, turn = read("---\ndate: someday\n---\nwords", format="markdown")
    assert isinstance(note, Note)
    assert isinstance(turn, NewTurn)
    assert turn.time is None


# --------------------------------------------------------------------------- detection


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("chat.json", Format.MESSAGES_JSON),
        ("chat.jsonl", Format.MESSAGES_JSONL),
        ("conversations.json", Format.MESSAGES_JSON),
        ("finetune.jsonl", Format.MESSAGES_JSONL),
        ("fillers.jsonl", Format.MESSAGES_JSONL),
        ("letters_locomo.json", Format.LOCOMO),
        ("haystacks_longmemeval.json", Format.LONGMEMEVAL),
        ("notes.md", Format.MARKDOWN),
        ("story.txt", Format.TEXT),
    ],
)
def test_formats_are_told_by_content_alone(name: str, expected: Format) -> None:
    head = (FIXTURES / name).read_bytes()[: files.HEAD]
    assert detect(name, head).format is expected
    found = detect("-", head)
    assert found.format is expected
    assert found.reason


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"[[wiki link]] and more", Format.TEXT),
        (b"[ ] a task\n[x] another", Format.TEXT),
        (b"{curly} words", Format.TEXT),
        (b"words\n\n# A heading\n", Format.MARKDOWN),
        (b"[]", Format.MESSAGES_JSON),
        (b'[[{"role": "user", "content": "a"}]]', Format.MESSAGES_JSON),
        (b'[{"role": "user", "content": "a"}]\n[{"role": "user"}]', Format.MESSAGES_JSONL),
        (b'{"qa": [{"question": "q", "evidence": ["D1:1"], "categ', Format.LOCOMO),
    ],
)
def test_detection_of_beginnings(head: bytes, expected: Format) -> None:
    assert detect("-", head).format is expected


def test_the_head_may_end_inside_a_string() -> None:
    head = ('[{"role": "user", "content": "' + "x" * files.HEAD).encode()[: files.HEAD]
    assert detect("-", head).format is Format.MESSAGES_JSON


# --------------------------------------------------------------------------- bad input

GOOD = '{"role": "user", "content": "good"}'


@dataclass(frozen=True)
class Bad:
    """`error`: part of the InputError's text; `rows`: part of each reason, in order; `kept`:
    the texts that come through all the same."""

    name: str
    content: str | bytes
    error: str | None = None
    rows: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    format: str = "auto"


def message(**fields: Any) -> str:
    return json.dumps([{"role": "user", "content": "good"}, {"role": "user"} | fields])


NO_TIME = "time not understood, kept without a time"
MALFORMED = [
    Bad("empty", b"", error="the file is empty"),
    Bad("blank", b" \n\t\n", error="the file is empty"),
    Bad("only a mark", b"\xef\xbb\xbf", error="the file is empty"),
    Bad("no messages", "[]", error="no messages in it"),
    Bad("null", "null", rows=("expected a message object, got null",), format="messages-json"),
    Bad("cut list", f"[{GOOD}, {GOOD}", error="ends inside a list", kept=("good", "good")),
    Bad("cut element", f'[{GOOD},\n{{"role": "us', error="-:2:10: not valid", kept=("good",)),
    Bad("comma missing", f"[{GOOD}\n {GOOD}]", error="-:2:2: not valid JSON: expected ','"),
    Bad("comma too many", f"[{GOOD},]", error="not valid JSON: expecting value", kept=("good",)),
    Bad("two lists", f"[{GOOD}] x", error="something follows", kept=("good",)),
    Bad("too deep", "[" * 200_000, error="nested too deeply", format="messages-json"),
    Bad("huge number", f"[{'9' * 6000}]", error="not valid JSON", format="messages-json"),
    Bad("cut object", '{"messages": [{"role": "user", "content": "x"}', error="not valid JSON"),
    Bad("bad line", f"{GOOD}\n{{oops}}\n{GOOD}", rows=("at column 2",), kept=("good", "good")),
    Bad("cut last line", f'{GOOD}\n{{"role": "us', rows=("not valid JSON",), kept=("good",)),
    Bad("a number a line", f"{GOOD}\n17", rows=("expected a message object, got a number",)),
    Bad("a deep line", f"{GOOD}\n{'[' * 100_000}", rows=("nested too deeply",), kept=("good",)),
    Bad("no line is JSON", "words\n" * 300, error="none of 100 lines", format="messages-jsonl"),
    Bad("one bad line", "{oops}", error="-:1: not valid JSON", format="messages-jsonl"),
    Bad("bad byte in a line", f"{GOOD}\n".encode() + b'{"role": "\xff"}\n', rows=("at byte 46",)),
    Bad("bad byte in JSON", b'[{"role": "user", "content": "caf\xe9"}]', error="at byte 33"),
    Bad("latin-1 text", b"caf\xe9 au lait", error="not valid UTF-8 at byte 3"),
    Bad("cut character", "Inês".encode()[:3], error="not valid UTF-8 at byte 2"),
    Bad("odd UTF-16", b"\xff\xfea\0b", error="not valid UTF-16-LE at byte 4", format="text"),
    Bad("UTF-16 without mark", "words".encode("utf-16-le"), error="zero byte at 1"),
    Bad("PDF", b"%PDF-1.7 ...", error="not a readable PDF"),
    Bad("PDF as text", b"%PDF-1.7 ...", error="looks like a PDF", format="text"),
    Bad("ZIP", b"PK\x03\x04....", error="a damaged or incomplete ZIP archive"),
    Bad("ZIP as JSON", b"PK\x03\x04....", error="ZIP archive", format="messages-json"),
    Bad("SQLite", b"SQLite format 3\0", error="SQLite database"),
    Bad("gzip", b"\x1f\x8b\x08....", error="gzip"),
    Bad("PNG", b"\x89PNG\r\n\x1a\n", error="PNG image"),
    Bad("HTML", "<!DOCTYPE html><p>x", error="looks like HTML"),
    Bad("JSON of something else", '{"rows": [1, 2]}', error="unknown shape, with the keys rows"),
    Bad("no content", message(), rows=("no 'content'",), kept=("good",)),
    Bad("null content", message(content=None), rows=("'content' is null",), kept=("good",)),
    Bad("content number", message(content=5), rows=("'content' is a number",), kept=("good",)),
    Bad("content object", message(content={"a": 1}), rows=("'content' is an object",)),
    Bad("blank content", message(content=" \n"), rows=("no words",), kept=("good",)),
    Bad("odd part", message(content=[3]), rows=("part 1 of 'content' is a number",)),
    Bad("part of no type", message(content=[{"type": [1], "text": "x"}]), rows=("is a list",)),
    Bad("part without text", message(content=[{"type": "text"}]), rows=("has no text",)),
    Bad("unknown role", message(role="narrator", content="x"), rows=("unknown role",)),
    Bad("role number", message(role=1, content="x"), rows=("'role' is a number",)),
    Bad("no role", message(role=None, content="x"), rows=("who said it?",), kept=("good",)),
    Bad("bad time", message(content="b", time="soon"), rows=(NO_TIME,), kept=("good", "b")),
    Bad("time list", message(content="b", time=[1]), rows=(NO_TIME,), kept=("good", "b")),
    Bad("time NaN", message(content="b", time=float("nan")), rows=(NO_TIME,), kept=("good", "b")),
    Bad("ambiguous date", message(content="b", date="5/8/2023"), rows=(NO_TIME,)),
    Bad("messages no list", '{"messages": "x"}', rows=("are a text, expected a list",)),
    Bad("no messages in one", '[{"messages": []}]', rows=("without messages",)),
    Bad("LoCoMo without turns", '[{"conversation": {"speaker_a": "A"}}]', rows=("sessions",)),
    Bad("LoCoMo odd turn", '[{"conversation": {"session_1": [1]}}]', rows=("a turn object",)),
    Bad(
        "LoCoMo without date",
        '[{"conversation": {"session_1": [{"speaker": "A", "text": "hi"}]}}]',
        kept=("hi",),
    ),
    Bad("LongMemEval odd", '[{"haystack_sessions": 3}]', rows=("'haystack_sessions' is a number",)),
    Bad(
        "LongMemEval dates do not match",
        '[{"haystack_sessions": [[{"role": "user", "content": "hi"}]], "haystack_dates": [],'
        ' "haystack_session_ids": ["a"]}]',
        rows=("1 sessions but 'haystack_dates' is 0",),
        kept=("hi",),
    ),
]


@pytest.mark.parametrize("bad", MALFORMED, ids=lambda bad: bad.name)
def test_bad_input(bad: Bad) -> None:
    data = bad.content.encode() if isinstance(bad.content, str) else bad.content
    rows: list[Row] = []
    error: InputError | None = None
    try:
        for row in read_file("-", stdin=io.BytesIO(data), format=bad.format):
            rows.append(row)
    except InputError as caught:
        error = caught
    assert (error is not None) == (bad.error is not None), (error, rows)
    if bad.error is not None:
        assert bad.error.replace("-:", "stdin:") in str(error)
    said = [reason for row in rows if (reason := _reason(row))]
    assert len(said) == len(bad.rows), rows
    for expected, reason in zip(bad.rows, said, strict=True):
        assert expected in reason
    if bad.kept:
        assert texts(rows) == list(bad.kept)


def _reason(row: Row) -> str | None:
    match row:
        case Rejected():
            return row.reason
        case Note():
            return row.text
        case _:
            return None


def test_there_are_enough_of_them() -> None:
    assert len(MALFORMED) >= 30


def test_places_are_named() -> None:
    rows = read(f"{GOOD}\n\n{{\n{GOOD}")
    assert [row.where for row in rows if isinstance(row, Broken)] == ["stdin:3"]
    rows = read('[{"messages": [{"role": "user", "content": "a"}, 5]}]')
    assert [row.where for row in rows if isinstance(row, Broken)] == ["stdin, item 1, message 2"]


def test_missing_file_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "holiday.json").write_text("[]")
    with pytest.raises(InputError, match="no such file") as caught:
        list(read_file(tmp_path / "holidays.json"))
    assert "holiday.json" in (caught.value.mend or "")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to read in the folder: no files"):
        list(read_file(tmp_path))


def test_a_name_with_a_zero() -> None:
    with pytest.raises(InputError):
        list(read_file("a\0b"))


def test_named_json_but_is_not(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("just words")
    with pytest.raises(InputError, match="does not begin like a JSON list"):
        list(read_file(path))
    assert texts(list(read_file(path, format="text"))) == ["just words"]


def test_unknown_format_suggests() -> None:
    with pytest.raises(UsageError) as caught:
        read_file("x", format="message-json")
    assert "did you mean 'messages-json'" in (caught.value.mend or "")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["chat.json", "chat.jsonl", "notes.md"])
def test_marked_encodings(encoding: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes((FIXTURES / name).read_text(encoding="utf-8").encode(encoding))
    assert list(map(_unnamed, read_file(path))) == list(map(_unnamed, fixture(name)))


def _unnamed(row: Row) -> object:
    return (row.reason,) if isinstance(row, Rejected) else row


def test_a_time_that_is_not_understood_is_not_replaced() -> None:
    said = [{"role": "user", "content": "a"}, {"role": "user", "content": "b", "time": "soon"}]
    rows = read(json.dumps({"date": "2026-01-10", "messages": said}))
    assert [turn.time for turn in turns(rows)] == [datetime(2026, 1, 10, tzinfo=UTC), None]


# --------------------------------------------------------------------------- limits


def test_a_megabyte_of_text_is_one_turn() -> None:
    text = "word " * 200_000
    assert texts(read(json.dumps([{"role": "user", "content": text}]))) == [text]
    assert texts(read(json.dumps({"role": "user", "content": text}) + "\n")) == [text]


def test_a_line_beyond_the_limit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 300_000)
    long = json.dumps({"role": "user", "content": "x" * 900_000})
    rows = read(f"{GOOD}\n{long}\n{GOOD}\n{long}", format="messages-jsonl")
    assert texts(rows) == ["good", "good"]
    broken = [row for row in rows if isinstance(row, Broken)]
    assert [row.where for row in broken] == ["stdin:2", "stdin:4"]
    assert "a line of more than" in broken[0].reason


def test_an_element_beyond_the_limit_ends_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_ELEMENT", 300_000)
    long = json.dumps({"role": "user", "content": "x" * 2_000_000})
    rows: list[Row] = []
    with pytest.raises(InputError, match="more than"):
        rows.extend(read_file("-", stdin=io.BytesIO(f"[{GOOD},{long},{GOOD}]".encode())))
    # `extend` keeps what came before the error.
    assert texts(rows) == ["good"]


def test_only_a_part_of_a_long_file_is_read_at_once() -> None:
    class Counting(io.BytesIO):
        taken = 0

        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            self.taken += len(data)
            return data

    stream = Counting(b"[" + b",".join([GOOD.encode()] * 100_000) + b"]")
    rows = read_file("-", stdin=stream)
    next(rows)
    assert stream.taken < 1_000_000
    assert len(list(rows)) == 99_999


def test_a_document_without_any_gap_is_cut() -> None:
    found = texts(read("x" * 100_000, format="text"))
    assert "".join(found) == "x" * 100_000
    assert max(map(len, found)) <= PART


# --------------------------------------------------------------------------- properties

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.text(min_size=1).filter(lambda text: bool(text.strip()))
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": WORDS},
        optional={"extra": JSON, "metadata": JSON},
    ),
    min_size=1,
    max_size=6,
)
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@RELAXED
@given(MESSAGES, st.sampled_from([None, 1, 4]), st.booleans())
def test_text_comes_back_verbatim(
    messages: list[dict[str, Any]], indent: int | None, ascii_only: bool
) -> None:
    whole = json.dumps(messages, indent=indent, ensure_ascii=ascii_only)
    lines = "\n".join(json.dumps(message, ensure_ascii=ascii_only) for message in messages)
    said = [message["content"] for message in messages]
    assert texts(read(whole, format="messages-json")) == said
    assert texts(read(lines, format="messages-jsonl")) == said
    assert texts(read(whole)) == said


@RELAXED
@given(st.lists(JSON, max_size=4), st.sampled_from(list(Format)))
def test_any_json_is_read_or_refused(values: list[Any], format: Format) -> None:
    for content in (json.dumps(values), "\n".join(map(json.dumps, values))):
        with suppress(InputError):  # refused, and nothing else raised
            assert read(content, format=format)


@RELAXED
@given(st.binary(max_size=300), st.sampled_from(["auto", *Format]))
def test_any_bytes_are_read_or_refused(data: bytes, format: str) -> None:
    with suppress(InputError):  # refused, and nothing else raised
        assert read(data, format=format)


CHATS = ("chat.json", "chat.jsonl", "conversations.json", "finetune.jsonl", "letters_locomo.json")


@RELAXED
@given(
    st.sampled_from([*CHATS, "haystacks_longmemeval.json", "fillers.jsonl"]),
    st.floats(0, 1),
)
def test_a_truncated_file_keeps_a_prefix(name: str, share: float) -> None:
    data = (FIXTURES / name).read_bytes()
    whole = turns(fixture(name))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data[: int(len(data) * share)])
        kept: list[Row] = []
        with suppress(InputError):
            for row in read_file(path):
                kept.append(row)
    assert turns(kept) == whole[: len(turns(kept))]


@RELAXED
@given(st.floats(0, 1), st.sampled_from(["notes.md", "story.txt"]))
def test_a_truncated_document_keeps_its_beginning(share: float, name: str) -> None:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)[6 if name == "notes.md" else 0 :]
    cut = "".join(lines)[: int(len(text) * share)]
    whole = "".join("".join(lines).split())
    found = "".join(parts(iter(cut.splitlines(keepends=True)), markdown=name == "notes.md"))
    assert whole.startswith("".join(found.split()))


PARAGRAPHS = st.lists(
    st.sampled_from(["# Head", "## Sub", "```", "a line", "word " * 60, "y" * 3000, "", "  deep"]),
    max_size=30,
)


@RELAXED
@given(PARAGRAPHS, st.booleans())
def test_documents_lose_no_word_and_keep_the_limit(lines: list[str], markdown: bool) -> None:
    text = "\n".join(lines)
    found = list(parts(iter(text.splitlines(keepends=True)), markdown=markdown))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(0 < len(part) <= PART for part in found)
    assert all(part in text for part in found)


def test_rows_are_used_by_the_facade() -> None:
    """Whoever drives a reader can tell the kinds apart by these three tests, in this order."""
    kinds: list[Callable[[Row], bool]] = [
        lambda row: isinstance(row, NewTurn),
        lambda row: isinstance(row, Rejected),
        lambda row: isinstance(row, Note),
    ]
    for row in read(message(content="b", time="soon")) + read("[1]", format="messages-json"):
        assert sum(kind(row) for kind in kinds) == 1

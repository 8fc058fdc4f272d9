"""The same export again, and one that has grown: only what is new is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from memflow.cli import main
from memflow.cli.intake import Intake
from memflow.cli.invocation import Invocation
from memflow.ingest.readers import read_file
from memflow.ingest.readers.identity import Digests
from memflow.memory import Memory, Space
from memflow.testing import HashEncoder
from memflow.types import AddResult, NewTurn
from tests.exporting import EXPORTS, contents, docx_of, pdf_of, turns, unpacked, zip_of

Files = dict[str, bytes]


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Space]:
    with Memory.open(tmp_path / "memories.db", sentence_encoder=HashEncoder()) as memory:
        yield memory.space("eva")


def in_json(files: Files, name: str, change: Callable[[Any], None]) -> Files:
    value = json.loads(files[name])
    change(value)
    return files | {name: json.dumps(value).encode()}


def chatgpt(files: Files) -> Files:
    """The last reply, another conversation at the front, and a new title."""

    def change(value: Any) -> None:
        train = value[1]
        train["title"] = "To Hendaye by night"
        train["mapping"]["p"]["children"] = ["n"]
        message = json.loads(json.dumps(train["mapping"]["q"]["message"]))
        message |= {"id": "n", "content": {"content_type": "text", "parts": ["Which platform?"]}}
        train["mapping"]["n"] = {"id": "n", "message": message, "parent": "p", "children": []}
        train["current_node"] = "n"
        value.insert(0, json.loads(json.dumps(train)) | {"conversation_id": "c9", "id": "c9"})

    return in_json(files, "conversations.json", change)


def claude(files: Files) -> Files:
    def change(value: Any) -> None:
        value[1]["name"] = "Herbs"
        value[1]["chat_messages"].append(
            {"uuid": "o3", "text": "And thyme?", "sender": "human", "created_at": "2024-03-02"}
        )

    return in_json(files, "conversations.json", change)


def slack(files: Files) -> Files:
    day = [{"type": "message", "user": "U01", "text": "Firing at noon", "ts": "1772697600.000100"}]
    reply = {"type": "message", "user": "U02", "text": "Yes", "ts": "1772697700.000100"}
    day.append(reply | {"thread_ts": "1772524800.000100"})
    renamed = in_json(files, "channels.json", lambda value: value[0].update(name="everyone"))
    moved = {name.replace("general/", "everyone/"): data for name, data in renamed.items()}
    return moved | {"everyone/2026-03-05.json": json.dumps(day).encode()}


def telegram(files: Files) -> Files:
    def change(value: Any) -> None:
        chat = value["chats"]["list"][0]
        chat["name"] = "Choir of the town"
        chat["messages"].append(chat["messages"][1] | {"id": 10, "text": "Bring water."})
        value["contacts"]["list"] = []

    return in_json(files, "result.json", change)


def discord(files: Files) -> Files:
    def change(value: Any) -> None:
        value["channel"]["name"] = "meet-ups"
        value["messages"].append(value["messages"][1] | {"id": "900", "content": "Who drives?"})

    return in_json(files, "channel.json", change)


def package(files: Files) -> Files:
    name = "messages/c700100200300400500/messages.json"
    said = {
        "ID": 905,
        "Timestamp": "2025-11-02 08:00:00",
        "Contents": "Sold it.",
        "Attachments": "",
    }
    return in_json(files, name, lambda value: value.insert(0, said))


def whatsapp(files: Files) -> Files:
    """Three more, one of them the third "ok" of the same minute."""
    chat = files["chat.txt"].decode()
    ok = "3/13/26, 12:06\u202fAM - Eli: ok\n"
    chat = chat.replace(ok * 2, ok * 3) + "3/14/26, 8:00\u202fAM - Eli: Thanks\nfor all\n"
    return {"WhatsApp Chat with Noor (1).txt": f"{chat}3/14/26, 8:00\u202fAM - Noor: ok\n".encode()}


def mail(files: Files) -> Files:
    more = files["box.mbox"].replace(b"third@", b"fifth@").split(b"\n\nFrom ")[2]
    return {"box.mbox": files["box.mbox"] + b"From " + more + b"\n"}


def vault(files: Files) -> Files:
    return files | {
        "Boats.md": files["Boats.md"] + b"\n## Sails\n\nThe sail is red.\n",
        "new.md": b"A new note.\n",
    }


def calls(files: Files) -> Files:
    more = {"request": {"messages": [{"role": "user", "content": "Is it late?"}]}}
    return {"calls.jsonl": files["calls.jsonl"] + json.dumps(more).encode() + b"\n"}


def papers(files: Files) -> Files:
    pages = pdf_of("The well is nine metres deep.", "It was dug in 1931.")
    return files | {"a.pdf": pages, "c.docx": docx_of("The mill grinds on Mondays.")}


def one(name: str, path: str) -> Files:
    return {name: (EXPORTS / path).read_bytes()}


@dataclass(frozen=True)
class Case:
    name: str
    files: Files
    grow: Callable[[Files], Files]
    new: int


CASES = [
    Case("chatgpt", contents("chatgpt"), chatgpt, 4),
    Case("claude", contents("claude"), claude, 1),
    Case("slack", contents("slack"), slack, 2),
    Case("telegram", one("result.json", "telegram_full.json"), telegram, 1),
    Case("discord", one("channel.json", "discord_channel.json"), discord, 1),
    Case("discord package", contents("discord-package"), package, 1),
    Case("whatsapp", one("chat.txt", "whatsapp/WhatsApp Chat with Noor.txt"), whatsapp, 3),
    Case("mail", one("box.mbox", "letters.mbox"), mail, 1),
    Case("vault", contents("vault"), vault, 2),
    Case("calls", one("calls.jsonl", "calls.jsonl"), calls, 1),
    Case("papers", {"a.pdf": pdf_of("The well is nine metres deep.")}, papers, 2),
]


def written(case: Case, files: Files, folder: Path) -> Path:
    """One file by itself under its own name, several as a folder called alike."""
    unpacked(files, folder / "export")
    if len(files) == 1 and case.name not in ("vault", "papers"):
        return folder / "export" / next(iter(files))
    return folder / "export"


def skipped_as_known(result: AddResult) -> int:
    return sum(row.reason == "already stored" for row in result.skipped)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_grown_export_adds_what_is_new(case: Case, space: Space, tmp_path: Path) -> None:
    files = case.files
    if case.name == "whatsapp":
        files = {"WhatsApp Chat with Noor.txt": files["chat.txt"]}
    first = space.add_file(written(case, files, tmp_path / "1"))
    again = space.add_file(written(case, files, tmp_path / "2"))
    grown = space.add_file(written(case, case.grow(case.files), tmp_path / "3"))
    assert first.stored
    assert not again.stored
    assert skipped_as_known(again) == len(first.stored)
    assert len(grown.stored) == case.new, grown
    assert skipped_as_known(grown) == len(first.stored)
    assert not first.failed + again.failed + grown.failed


@pytest.mark.parametrize("name", ["chatgpt", "claude", "slack", "discord-package"])
def test_folder_and_zip_are_the_same_export(name: str, space: Space, tmp_path: Path) -> None:
    archive = tmp_path / "2026-03-01 export.zip"
    archive.write_bytes(zip_of(contents(name)))
    first = space.add_file(EXPORTS / name)
    again = space.add_file(archive)
    assert first.stored
    assert (len(again.stored), again.failed) == (0, ())


def test_an_edited_message_is_reported_and_the_old_words_stay(space: Space, tmp_path: Path) -> None:
    files = one("channel.json", "discord_channel.json")
    space.add_file(unpacked(files, tmp_path / "1") / "channel.json")
    edited = in_json(
        files, "channel.json", lambda value: value["messages"][2].update(content="No, at mine.")
    )
    result = space.add_file(unpacked(edited, tmp_path / "2") / "channel.json")
    assert not result.stored
    assert [row.reason for row in result.failed] == [
        "id 'discord/700100200300400500/803' already holds other text"
    ]


@given(st.lists(st.sampled_from(["ok", "yes", "ok ", "no"]), max_size=12), st.integers(0, 12))
def test_digests_of_a_prefix_are_a_prefix(said: list[str], cut: int) -> None:
    def ids(texts: list[str]) -> list[str]:
        digests = Digests()
        return [digests.next("day", text) for text in texts]

    whole = ids(said)
    assert ids(said[:cut]) == whole[:cut]
    assert len(set(whole)) == len(whole)


# --------------------------------------------------------------------------- the command


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, list(args), obj=Invocation(sentence_encoder=HashEncoder()))


def add(tmp_path: Path, *args: str) -> dict[str, Any]:
    result = invoke("add", *args, "--json", "--db", str(tmp_path / "m.db"))
    [line] = result.stdout.splitlines()
    record: dict[str, Any] = json.loads(line)
    return record | {"exit": result.exit_code, "told": result.stderr}


def test_add_a_folder_tells_every_file(tmp_path: Path) -> None:
    record = add(tmp_path, str(EXPORTS / "vault"))
    assert (record["exit"], record["stored"], record["failed"]) == (0, 4, [])
    assert [(Path(f["file"]).name, f["format"], f["turns"]) for f in record["files"]] == [
        ("Boats.md", "markdown", 2),
        ("2026-02-14.md", "markdown", 1),
        ("list.txt", "text", 1),
    ]
    assert all(file["reason"] for file in record["files"])
    assert "Boats.md: read as markdown: its name ends in .md" in record["told"]
    again = add(tmp_path, str(EXPORTS / "vault"))
    assert (again["exit"], again["stored"]) == (0, 0)


def test_add_names_the_rest_of_many_files_by_format(tmp_path: Path) -> None:
    folder = unpacked({f"{n:02}.md": f"note {n}" for n in range(14)}, tmp_path / "notes")
    record = add(tmp_path, str(folder))
    assert len(record["files"]) == 14
    assert record["told"].count("read as markdown") == 10
    assert "… and 4 files more: 4 as markdown" in record["told"]


def test_add_takes_a_zone_and_refuses_a_wrong_one(tmp_path: Path) -> None:
    chat = str(EXPORTS / "whatsapp/_chat.txt")
    record = add(tmp_path, chat, "--timezone", "Europe/Lisbon")
    assert record["stored"] == 4
    assert not record["notes"]
    wrong = invoke("add", chat, "--timezone", "Lisboa", "--db", str(tmp_path / "m.db"))
    assert wrong.exit_code == 2
    assert "unknown time zone 'Lisboa'" in wrong.stderr


def test_add_in_blocks_stores_the_same_as_at_once(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memflow.cli.intake.BLOCK_TURNS", 2)
    for name in ("telegram_full.json", "whatsapp/_chat.txt", "calls.jsonl", "vault"):
        intake = Intake(space)
        result = intake.take(read_file(EXPORTS / name, watch=None), name)
        assert len(result.stored) == len(turns(read_file(EXPORTS / name))) == intake.turns
        assert not result.failed
        again = Intake(space).take(read_file(EXPORTS / name), name)
        assert not again.stored


def test_turns_without_ids_are_counted_in_one_call(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memflow.cli.intake.BLOCK_TURNS", 1)
    said = [NewTurn("ok", "s"), NewTurn("yes", "s", id="y"), NewTurn("ok", "s")]
    assert len(Intake(space).take(iter(said), "x").stored) == 3


def test_what_came_before_a_break_is_stored(tmp_path: Path) -> None:
    whole = (EXPORTS / "telegram_full.json").read_bytes()
    path = tmp_path / "result.json"
    path.write_bytes(whole[: whole.index(b"The score")])
    record = add(tmp_path, str(path))
    assert (record["exit"], record["stored"]) == (0, 2)
    [row] = record["failed"]
    assert "not valid JSON" in row["reason"]
    assert "result.json:" in row["where"]


def test_a_file_of_which_nothing_can_be_read_fails(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"rows": []}')
    record = add(tmp_path, str(tmp_path / "x.json"), str(EXPORTS / "calls.jsonl"))
    assert record["exit"] == 1
    assert record["stored"] == 6

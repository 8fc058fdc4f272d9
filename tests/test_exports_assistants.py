"""Conversations with assistants: ChatGPT, Claude, logs of API calls."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memflow.ingest.readers import Row
from memflow.types import SessionKind
from tests.exporting import (
    EXPORTS,
    broken,
    contents,
    notes,
    reasons,
    rows_of,
    rows_of_bytes,
    texts,
    turns,
    zip_of,
)

SUPERSEDED = "a superseded branch: the message was edited or the reply made anew"


def load(name: str) -> Any:
    return json.loads((EXPORTS / name).read_text(encoding="utf-8"))


def read(value: object, **options: Any) -> list[Row]:
    return rows_of_bytes(json.dumps(value), **options)


# --------------------------------------------------------------------------- ChatGPT


def test_chatgpt_takes_the_branch_that_is_shown() -> None:
    rows = rows_of("chatgpt/conversations.json")
    garden = "chatgpt/68e00000-aaaa-8001-b000-000000000001"
    found = [turn for turn in turns(rows) if turn.session == garden]
    assert [(turn.role, turn.text) for turn in found] == [
        ("user", "How deep a pot do tomatoes need?"),
        ("assistant", "At least thirty centimetres."),
        ("user", "Is this leaf ill?\n[image]"),
        ("assistant", "Early blight, I think."),
        ("user", "And what do I spray?"),
    ]
    assert found[0].time == datetime.fromtimestamp(1760000001.25, UTC)
    assert found[0].id == f"{garden}/u1"
    assert found[0].source == "conversations.json: Tomatoes on the balcony"
    assert {turn.kind for turn in found} == {SessionKind.ASSISTANT}


def test_chatgpt_counts_what_is_left_out() -> None:
    assert reasons(rows_of("chatgpt/conversations.json")) == {
        "a system message is an instruction, not something said": 1,
        "a call to a tool, not words": 1,
        "tool output is not the user's words": 1,
        "the model's reasoning, not its reply": 1,
        "no words in it": 1,
        SUPERSEDED: 1,
    }


def test_chatgpt_message_without_a_time_comes_after_the_one_before() -> None:
    by_text = {turn.text: turn.time for turn in turns(rows_of("chatgpt/conversations.json"))}
    assert by_text["Is this leaf ill?\n[image]"] == by_text["At least thirty centimetres."]


def test_chatgpt_custom_instructions_are_the_users_words_once() -> None:
    found = [
        turn
        for turn in turns(rows_of("chatgpt/conversations.json"))
        if turn.session == "chatgpt/custom instructions"
    ]
    assert [(turn.role, turn.text) for turn in found] == [
        ("user", "I keep bees in Évora."),
        ("user", "Answer in metres, never in feet."),
    ]
    # Since the oldest conversation that has them, wherever in the file that stands.
    assert found[0].time == datetime.fromtimestamp(1760000000.25 - 86400, UTC)
    backwards = turns(read(load("chatgpt/conversations.json")[::-1]))
    assert {turn.id for turn in found} <= {turn.id for turn in backwards}


def test_chatgpt_instructions_told_only_in_the_content() -> None:
    conversation = load("chatgpt/conversations.json")[0]
    del conversation["mapping"]["ctx"]["message"]["metadata"]["user_context_message_data"]
    assert {"I keep bees in Évora.", "Answer in metres, never in feet."} <= set(
        texts(read([conversation]))
    )


def test_chatgpt_without_a_current_node_takes_the_latest_branch() -> None:
    conversation = load("chatgpt/conversations.json")[0]
    del conversation["current_node"]
    rows = read([conversation])
    assert texts(rows)[:2] == ["How deep a pot do tomatoes need?", "At least thirty centimetres."]
    assert notes(rows) == ["no 'current_node': its latest branch was taken"]


def test_chatgpt_a_tree_that_bites_its_tail_ends() -> None:
    conversation = load("chatgpt/conversations.json")[1]
    conversation["mapping"]["r"]["parent"] = "p"
    rows = read([conversation])
    assert texts(rows)[:2] == ["My train to Hendaye leaves at 21:40.", "Have a good night."]


def test_chatgpt_one_bad_conversation_leaves_the_others() -> None:
    whole = load("chatgpt/conversations.json")
    rows = read([whole[1], 7, {"mapping": 3}, whole[0]])
    assert len(turns(rows)) == len(turns(read([whole[1], whole[0]])))
    assert [row.reason for row in broken(rows)] == [
        "expected a conversation object, got a number",
        "'mapping' is a number, expected an object",
    ]
    assert broken(rows)[0].where == "stdin, item 2"


def test_chatgpt_zip_as_downloaded(tmp_path: Path) -> None:
    path = tmp_path / "0a1b-2026-02-01-export.zip"
    path.write_bytes(zip_of(contents("chatgpt")))
    rows = rows_of(path)
    alone = turns(rows_of("chatgpt/conversations.json"))
    assert [(turn.id, turn.text, turn.time) for turn in turns(rows)] == [
        (turn.id, turn.text, turn.time) for turn in alone
    ]
    left = reasons(rows)
    assert left["looks like HTML"] == 1
    assert left["ratings of replies, not what was said"] == 1
    assert not broken(rows)


def test_chatgpt_in_numbered_files(tmp_path: Path) -> None:
    first, second = load("chatgpt/conversations.json")
    path = tmp_path / "export.zip"
    path.write_bytes(
        zip_of(
            {
                "conversations-000.json": json.dumps([first]),
                "conversations-001.json": json.dumps([second]),
            }
        )
    )
    spoken = {turn.id for turn in turns(rows_of(path)) if "instructions" not in turn.session}
    whole = turns(rows_of("chatgpt/conversations.json"))
    assert spoken == {turn.id for turn in whole if "instructions" not in turn.session}


# --------------------------------------------------------------------------- Claude


def test_claude_blocks_attachments_and_branches() -> None:
    rows = rows_of("claude/conversations.json")
    found = [turn for turn in turns(rows) if turn.session == "claude/c1"]
    assert [(turn.role, turn.text) for turn in found] == [
        ("user", "Read the contract, please.\n[file: boat.jpg]"),
        ("document", "The mooring at Olhão costs 90 euros a month.\n\nIt ends in June."),
        ("assistant", "It ends in June."),
        ("user", "Who owns the mooring?"),
    ]
    attached = found[1]
    assert (attached.speaker, attached.kind) == ("contract.txt", SessionKind.DOCUMENT)
    assert attached.id == "claude/c1/m1/attachment 1, part 1"
    assert found[0].time == datetime(2026, 1, 5, 8, 0, 1, 123456, UTC)
    assert found[0].source == "conversations.json: The boat's papers"
    assert reasons(rows) == {
        SUPERSEDED: 2,
        "a tool call without words": 1,
        "a conversation without messages": 1,
    }


def test_claude_of_before_the_blocks() -> None:
    found = [t for t in turns(rows_of("claude/conversations.json")) if t.session == "claude/c2"]
    assert [turn.text for turn in found] == ["Does rosemary like shade?", "Rosemary wants sun."]


def test_claude_keeps_all_where_messages_do_not_tell_what_they_follow() -> None:
    boat = load("claude/conversations.json")[0]
    for message in boat["chat_messages"]:
        del message["parent_message_uuid"]
    assert SUPERSEDED not in reasons(read([boat]))


def test_claude_leaf_that_is_named_decides() -> None:
    boat = load("claude/conversations.json")[0]
    boat["current_leaf_message_uuid"] = "m4"
    assert "It does not say." in texts(read([boat]))


def test_claude_zip(tmp_path: Path) -> None:
    path = tmp_path / "data-2026-03-01-batch-0000.zip"
    path.write_bytes(zip_of(contents("claude")))
    rows = rows_of(path)
    ids = [turn.id for turn in turns(rows)]
    assert ids == [turn.id for turn in turns(rows_of("claude/conversations.json"))]
    assert not broken(rows)


# --------------------------------------------------------------------------- logs


def test_calls_that_go_on_are_one_session_and_each_turn_comes_once() -> None:
    rows = rows_of("calls.jsonl")
    assert [(turn.session, turn.text) for turn in turns(rows)] == [
        ("calls/1", "My sister is called Yara."),
        ("calls/1", "A fine name."),
        ("calls/1", "She turns 30 in May.\n[image]"),
        ("calls/2", "Is it raining?"),
        ("calls/2", "I cannot see outside."),
        ("calls/3", "Sort these names."),
    ]
    assert turns(rows)[2].time == datetime(2026, 1, 2, 10, 5, tzinfo=UTC)
    left = reasons(rows)
    assert left["the messages of an earlier call again"] == 1
    assert left["a tool call without words"] == 1


def test_a_call_without_a_logged_reply_is_gone_on_with() -> None:
    def line(*messages: str) -> str:
        return json.dumps(
            {"request": {"messages": [{"role": "user", "content": m} for m in messages]}}
        )

    rows = rows_of_bytes("\n".join([line("a"), line("a", "b"), line("x"), line("a", "b", "c")]))
    assert Counter((turn.session, turn.text) for turn in turns(rows)) == Counter(
        [("stdin/1", "a"), ("stdin/1", "b"), ("stdin/2", "x"), ("stdin/1", "c")]
    )


@pytest.mark.parametrize("reply", [{}, {"choices": []}, {"choices": [{}]}, [], "x", None])
def test_odd_replies_are_no_replies(reply: object) -> None:
    line = {"request": {"messages": [{"role": "user", "content": "hi"}]}, "response": reply}
    assert texts(rows_of_bytes(json.dumps(line) + "\n")) == ["hi"]


def test_conversations_of_a_training_set_stay_apart() -> None:
    line = json.dumps({"messages": [{"role": "user", "content": "hi"}]})
    found = turns(rows_of_bytes(f"{line}\n{line}\n"))
    assert [turn.session for turn in found] == ["stdin/1", "stdin/2"]

"""The command line as a user meets it: results, exit codes, pure JSON, and mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memflow.calls import Purpose
from memflow.cli import main
from memflow.cli.add import FORMATS
from memflow.cli.demo import load_questions
from memflow.cli.invocation import Invocation
from memflow.ingest.readers import Format
from memflow.testing import FixedClock, HashEncoder, ScriptedModel

Run = Callable[..., Result]

HISTORY = [
    {
        "role": "user",
        "content": "I moved to Porto with my cat Biscuit.",
        "time": "2026-03-01T10:00:00+01:00",
        "session": "s1",
        "id": "t1",
    },
    {
        "role": "assistant",
        "content": "Porto is lovely. Does Biscuit like the river?",
        "time": "2026-03-01T10:01:00+01:00",
        "session": "s1",
        "id": "t2",
    },
    {
        "role": "user",
        "content": "My dentist is called Dr. Amaral, on Rua das Flores.",
        "time": "2026-03-09T18:30:00+01:00",
        "session": "s2",
        "id": "t3",
    },
]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty working folder, an empty model cache, none of the user's settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("MEMFLOW_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MEMFLOW_CACHE", str(tmp_path / "cache"))


def invoke(*args: str, input: str | None = None, **parts: Any) -> Result:
    parts.setdefault("sentence_encoder", HashEncoder())
    parts.setdefault("clock", FixedClock(datetime(2026, 4, 1, 12, 0, tzinfo=UTC)))
    return CliRunner().invoke(main, list(args), obj=Invocation(**parts), input=input)


def as_json(result: Result) -> Any:
    """The one JSON object on stdout."""
    [line] = result.stdout.splitlines()
    return json.loads(line)


def as_lines(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def history(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in HISTORY), encoding="utf-8")
    return path


@pytest.fixture
def filled(history: Path) -> Path:
    result = invoke("add", str(history))
    assert result.exit_code == 0, result.output
    return history.parent / "memories.db"


# --------------------------------------------------------------------------- add


def test_add_counts_what_is_stored_and_what_was_there(history: Path) -> None:
    first = as_json(invoke("add", str(history), "--json"))
    again = as_json(invoke("add", str(history), "--json"))

    counts = {"stored": 3, "skipped": [], "failed": [], "sessions": 2, "notes": []}
    assert {key: first[key] for key in counts} == counts
    assert [(file["format"], file["turns"]) for file in first["files"]] == [("messages-jsonl", 3)]
    assert again["stored"] == 0
    assert len(again["skipped"]) == 3
    assert set(again["skipped"][0]) == {"where", "reason"}


def test_a_bad_file_does_not_stop_the_others(history: Path) -> None:
    result = invoke("add", "absent.json", str(history), "--json")

    record = as_json(result)
    assert result.exit_code == 1
    assert record["stored"] == 3
    assert record["failed"][0]["where"].startswith("absent.json")


def test_add_groups_the_reasons_for_a_reader(history: Path) -> None:
    invoke("add", str(history))

    result = invoke("add", str(history))

    assert "stored 0 turns" in result.stdout
    assert "3 ×" in result.stdout


def test_add_says_what_it_took_the_file_for(history: Path) -> None:
    result = invoke("add", str(history), "--json")

    assert "read as messages-jsonl" in result.stderr
    assert as_json(result)["stored"] == 3


def test_add_knows_the_readers_formats() -> None:
    assert set(FORMATS) == {"auto", *Format}


def test_add_reads_standard_input() -> None:
    result = invoke("add", "-", "--json", input=json.dumps(HISTORY[0]) + "\n")

    assert result.exit_code == 0, result.output
    assert as_json(result)["stored"] == 1


def test_broken_rows_are_reported_and_good_ones_kept(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(
        json.dumps(HISTORY[0]) + '\n{"role": "user", \n' + json.dumps(HISTORY[2]) + "\n"
    )

    result = invoke("add", str(path), "--json")

    record = as_json(result)
    assert result.exit_code == 0
    assert record["stored"] == 2
    assert len(record["skipped"]) + len(record["failed"]) == 1


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    result = invoke("add", str(tmp_path))

    assert result.exit_code == 1
    assert "error:" in result.stderr


def test_unknown_format_names_the_known() -> None:
    result = invoke("add", "x.txt", "--format", "parquet")

    assert result.exit_code == 2
    assert "markdown" in result.stderr


# --------------------------------------------------------------------------- ask and its kin


def test_ask_without_a_model(filled: Path) -> None:
    record = as_json(invoke("ask", "Where did I move to?", "--no-model", "--json"))

    assert set(record) >= {
        *("answer", "abstained", "reason", "intent", "route_layer", "evidence", "model_calls"),
        *("tokens", "packed_tokens", "escalated", "trace_id"),
    }
    assert "Porto" in record["answer"]
    assert record["model_calls"] == 0
    assert set(record["tokens"]) == {"route", "answer", "check", "retry", "total"}
    assert set(record["evidence"][0]) >= {"turn_id", "session", "time", "speaker", "text"}


def test_ask_with_a_model_shows_answer_cost_and_sources(filled: Path) -> None:
    model = ScriptedModel({Purpose.ANSWER: "Dr. Amaral", Purpose.CHECK: "yes", Purpose.ROUTE: ""})

    result = invoke("ask", "What is my dentist called?", chat_model=model)

    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "Dr. Amaral"
    assert "model call" in result.stdout
    assert "2026-03-09 18:30  user: My dentist" in result.stdout
    assert "memflow explain" in result.stderr


def test_ask_shows_the_context_when_asked_to(filled: Path) -> None:
    result = invoke("ask", "What is my dentist called?", "--no-model", "--show-context", "--json")

    assert "Amaral" in as_json(result)["context"]


def test_ask_with_no_model_to_be_had_tells_the_ways_out(filled: Path) -> None:
    result = invoke("ask", "Where do I live?")

    assert result.exit_code == 1
    assert "memflow models pull qwen2.5-coder-1.5b" in result.stderr
    assert "--no-model" in result.stderr


def test_a_named_model_that_is_absent_tells_how_to_fetch_it(filled: Path) -> None:
    result = invoke("ask", "Where do I live?", "--model", "smollm2-135m", "--json")

    assert result.exit_code == 1
    assert as_json(result)["mend"] == "memflow models pull smollm2-135m"


def test_an_unknown_model_is_a_wrong_call(filled: Path) -> None:
    result = invoke("ask", "Where do I live?", "--model", "qwen2.5-coder-1.5")

    assert result.exit_code == 2
    assert "did you mean qwen2.5-coder-1.5b" in result.stderr


@pytest.mark.parametrize("command", ["ask", "context", "route", "search"])
def test_an_empty_question_is_a_wrong_call(filled: Path, command: str) -> None:
    result = invoke(command, "  ", "--json")

    assert result.exit_code == 2
    assert "empty" in as_json(result)["error"]


def test_now_without_a_zone_is_this_machines(filled: Path) -> None:
    result = invoke("ask", "Where did I move to?", "--no-model", "--now", "2026-05-01", "--json")

    assert result.exit_code == 0, result.output


def test_now_that_is_no_time(filled: Path) -> None:
    result = invoke("ask", "Where?", "--no-model", "--now", "yesterday")

    assert result.exit_code == 2
    assert "2026-03-01" in result.stderr


def test_context(filled: Path) -> None:
    record = as_json(invoke("context", "What is my dentist called?", "--json"))
    human = invoke("context", "What is my dentist called?")

    assert "Amaral" in record["text"]
    assert set(record["items"][0]) >= {"turn_id", "slot", "text"}
    assert record["packed_tokens"] > 0
    assert "Amaral" in human.stdout
    assert "tokens" in human.stderr


def test_route_one_question_needs_no_memory() -> None:
    result = invoke("route", "When did I move to Porto?", "--no-model", "--json")

    record = as_json(result)
    assert set(record) >= {"question", "intent", "layer"}
    assert not Path("memories.db").exists()


def test_route_a_file(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "Where do I live?"}\n\n{"question": "What do you know of me?"}\n')

    rows = as_lines(invoke("route", "--file", str(path), "--no-model", "--json"))
    human = invoke("route", "--file", str(path), "--no-model")

    assert [row["question"] for row in rows] == ["Where do I live?", "What do you know of me?"]
    assert "Where do I live?" in human.stdout


@pytest.mark.parametrize("line", ["not json", '{"q": 1}', "[]", ""])
def test_route_names_the_line_that_is_wrong(tmp_path: Path, line: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(line)

    result = invoke("route", "--file", str(path), "--no-model", "--json")

    assert result.exit_code == 1
    assert "q.jsonl" in as_json(result)["error"]


def test_route_takes_one_of_question_and_file() -> None:
    assert invoke("route").exit_code == 2
    assert invoke("route", "Where?", "--file", "x.jsonl").exit_code == 2


def test_search(filled: Path) -> None:
    record = as_json(invoke("search", "dentist Amaral", "-k", "2", "--json"))
    human = invoke("search", "dentist Amaral")

    assert record["hits"][0]["turn_id"] == "t3"
    assert set(record["hits"][0]) >= {"turn_id", "score", "bm25_rank", "dense_rank", "text"}
    assert "bm25 1" in human.stdout
    assert invoke("search", "x", "-k", "0").exit_code == 2


def test_explain_tells_the_stages(filled: Path) -> None:
    asked = as_json(invoke("ask", "What is my dentist called?", "--no-model", "--json"))

    record = as_json(invoke("explain", asked["trace_id"], "--json"))
    human = invoke("explain", asked["trace_id"])

    assert record["id"] == asked["trace_id"]
    assert "attempts" in record["stages"]
    for stage in ("route", "retrieve", "pack", "answer"):
        assert stage in human.stdout


def test_an_absent_trace_is_a_wrong_call(filled: Path) -> None:
    result = invoke("explain", "nope", "--json")

    assert result.exit_code == 2
    assert "nope" in as_json(result)["error"]


# --------------------------------------------------------------------------- looking


def test_list_get_stats_profile(filled: Path) -> None:
    turns = as_lines(invoke("list", "--json"))
    one = as_json(invoke("get", "t3", "--json"))
    stats = as_json(invoke("stats", "--json"))

    assert [turn["turn_id"] for turn in turns] == ["t1", "t2", "t3"]
    assert one["text"] == HISTORY[2]["content"]
    assert one["time"] == HISTORY[2]["time"]
    assert stats["turns"] == 3
    assert "# s2" in invoke("list").stdout
    assert "Rua das Flores" in invoke("get", "t3").stdout
    assert "sessions" in invoke("stats").stdout
    assert [turn["turn_id"] for turn in as_lines(invoke("list", "--session", "s2", "--json"))] == [
        "t3"
    ]


def test_profile_and_the_past_of_a_fact(filled: Path) -> None:
    facts = as_lines(invoke("profile", "--json"))
    assert facts, "moving to Porto is a fact"

    past = as_lines(invoke("history", facts[0]["key"], "--json"))

    assert past[0]["value"] == facts[0]["value"]
    assert facts[0]["value"] in invoke("profile").stdout
    assert facts[0]["value"] in invoke("history", facts[0]["key"]).stdout
    assert invoke("history", "shoe-size").exit_code == 2


def test_an_absent_turn_is_a_wrong_call(filled: Path) -> None:
    assert invoke("get", "t99").exit_code == 2


def test_a_mistyped_path_is_no_empty_memory() -> None:
    result = invoke("stats", "--db", "typo.db")

    assert result.exit_code == 2
    assert "no memory at typo.db" in result.stderr
    assert not Path("typo.db").exists()


def test_a_file_that_is_no_memory_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear diary")

    result = invoke("stats", "--db", str(path), "--json")

    assert result.exit_code == 1
    assert path.read_text() == "Dear diary"


def test_an_empty_space_says_which_there_are(filled: Path) -> None:
    result = invoke("list", "--space", "bob")

    assert result.exit_code == 0
    assert "there is default" in result.stderr


# --------------------------------------------------------------------------- forget


@pytest.mark.parametrize(
    ("option", "left"),
    [
        (["--turn", "t1"], ["t2", "t3"]),
        (["--session", "s1"], ["t3"]),
        (["--before", "2026-03-05"], ["t3"]),
        (["--matching", "BISCUIT"], ["t3"]),
        (["--all"], []),
    ],
)
def test_forget_really_deletes(filled: Path, option: list[str], left: list[str]) -> None:
    record = as_json(invoke("forget", *option, "--yes", "--json"))

    assert sum(record["deleted"].values()) > 0
    assert [turn["turn_id"] for turn in as_lines(invoke("list", "--json"))] == left


@pytest.mark.parametrize(
    "options", [[], ["--all", "--turn", "t1"], ["--matching", " "], ["--turn", "t99"]]
)
def test_forget_deletes_nothing_by_mistake(filled: Path, options: list[str]) -> None:
    assert invoke("forget", *options).exit_code == 2
    assert len(as_lines(invoke("list", "--json"))) == 3


def test_forget_asks_on_a_terminal(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memflow.cli.look.is_interactive", lambda: True)

    refused = invoke("forget", "--all", input="n\n")
    agreed = invoke("forget", "--matching", "dentist", input="y\n")

    assert refused.exit_code == 130
    assert "nothing was changed" in refused.stderr
    assert "deleted: 1 turn" in agreed.stdout


# --------------------------------------------------------------------------- chat and demo


def test_chat_notes_what_it_is_told_and_answers_what_it_is_asked() -> None:
    said = (
        "My bike lock code is 4711.\n/sources\nWhat is my bike lock code?\n/sources\n/help\n/quit\n"
    )

    result = invoke("chat", "--no-model", input=said)

    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[0] == "noted"
    assert "4711" in result.stdout.splitlines()[1]
    turns = as_lines(invoke("list", "--json"))
    assert turns[0]["text"] == "My bike lock code is 4711."
    assert turns[0]["time"] == "2026-04-01T12:00:00+00:00"


def test_chat_ends_with_its_input() -> None:
    result = invoke("chat", "--no-model", "--json", input="My cat is called Biscuit.")

    assert result.exit_code == 0, result.output
    assert as_json(result) == {"noted": "My cat is called Biscuit."}


def test_demo_scores_what_a_model_says() -> None:
    def script(call: Any) -> str:
        return "My blood group is A negative." if call.purpose is Purpose.ANSWER else ""

    record = as_json(invoke("demo", "--json", chat_model=ScriptedModel(script)))

    _, questions = load_questions()
    assert (
        len(record["questions"]) == len(questions) == record["answerable"] + record["unanswerable"]
    )
    assert record["answered_right"] <= record["answerable"]
    assert not Path("memories.db").exists()


def test_demo_without_a_model_shows_its_score(tmp_path: Path) -> None:
    result = invoke("demo", "--no-model", "--db", str(tmp_path / "demo.db"), "--keep")

    assert result.exit_code == 0, result.output
    assert "answered right: " in result.stdout
    assert (tmp_path / "demo.db").exists()


# --------------------------------------------------------------------------- models and doctor


def test_models(tmp_path: Path) -> None:
    rows = as_lines(invoke("models", "list", "--json"))
    assert not any(row["present"] for row in rows)
    assert "qwen2.5-coder-1.5b" in invoke("models", "list").stdout

    absent = invoke("models", "path", "smollm2-135m")
    unknown = invoke("models", "path", "smollm3")
    assert (absent.exit_code, unknown.exit_code) == (1, 2)
    assert "memflow models pull smollm2-135m" in absent.stderr

    file = tmp_path / "my.gguf"
    file.write_bytes(b"GGUF")
    assert as_json(invoke("models", "path", str(file), "--json"))["path"] == str(file)
    assert invoke("models", "pull", str(file)).stdout.strip() == str(file)
    assert invoke("models", "pull", "no-such-model").exit_code == 2


def test_doctor_survives_a_broken_part(tmp_path: Path) -> None:
    (tmp_path / "memories.db").write_text("no database")

    result = invoke("doctor")
    record = as_json(invoke("doctor", "--json"))

    assert result.exit_code == 0
    assert "✗" in result.stdout
    assert record["ok"] is False
    assert {finding["part"] for finding in record["findings"]} >= {"python", "encoder", "models"}


def test_doctor_opens_the_memory(filled: Path) -> None:
    assert "3 turns in 1 space" in invoke("doctor").stdout


# --------------------------------------------------------------------------- eval


def test_eval_routing(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"question": "When did I move to Porto?", "intent": "temporal-reasoning"}\n'
        '{"question": "Where do I live?", "intent": "state-tracking"}\n'
    )

    record = as_json(invoke("eval", "routing", str(path), "--no-model", "--json"))
    human = invoke("eval", "routing", str(path), "--no-model")

    assert set(record) >= {
        *("n", "accuracy", "macro_f1", "per_intent", "confusion", "model_call_share"),
        "prompt_tokens_mean",
    }
    assert record["n"] == 2
    assert "accuracy" in human.stdout


def test_eval_routing_counts_the_models_calls(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"question": "Hmm, the thing, you know", "intent": "profile-injection"}\n')
    model = ScriptedModel(lambda call: call.choices[0] if call.choices else "profile-injection")

    record = as_json(invoke("eval", "routing", str(path), "--json", chat_model=model))

    assert record["model_call_share"] == len(model.calls)
    assert (record["prompt_tokens_mean"] > 0) is bool(model.calls)


def test_eval_routing_of_a_bad_set(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('{"question": "Where?", "intent": "telepathy"}\n')

    assert invoke("eval", "routing", str(path), "--no-model").exit_code == 1
    assert invoke("eval", "routing", "absent.jsonl", "--no-model").exit_code == 1


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a dog called Rex."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "My new job is in Leeds."},
            ],
        },
        "qa": [
            {
                "question": "What is Ann's dog called?",
                "answer": "Rex",
                "evidence": ["D1:1"],
                "category": 4,
            }
        ],
    }
]


def test_eval_locomo_without_a_model(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO))
    args = ("eval", "locomo", str(path), "--retrieval-only", "--packed-budget", "500")

    record = as_json(invoke(*args, "--out", "runs", "--json"))
    human = invoke(*args, "--out", "runs", "--resume")

    figures = record["systems"]["memflow"]
    assert set(figures) >= {"n", "by_type", "packed_tokens_mean", "evidence_any", "evidence_all"}
    assert figures["evidence_all"] == 1.0
    assert "100.0%" in human.stdout
    assert len(Path("runs/retrieval.jsonl").read_text().splitlines()) == 1


def test_eval_locomo_needs_its_file_and_a_folder_to_resume() -> None:
    absent = invoke("eval", "locomo", "x.json", "--retrieval-only", "--json")

    assert absent.exit_code == 1
    assert invoke("eval", "locomo", "x.json", "--retrieval-only", "--resume").exit_code == 2


# --------------------------------------------------------------------------- around all commands


def test_options_stand_before_or_after(filled: Path) -> None:
    before = as_json(invoke("--json", "--db", str(filled), "--space", "default", "stats"))
    after = as_json(invoke("stats", "--json", "--db", str(filled), "--space", "default"))
    between = as_json(invoke("models", "--json", "path", str(filled)))

    assert before == after
    assert between["path"] == str(filled)


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (["serach", "x"], "search"),
        (["models", "lst"], "list"),
        (["stats", "--spce", "x"], "--space"),
    ],
)
def test_what_is_mistyped_is_suggested(args: list[str], near: str) -> None:
    result = invoke(*args)

    assert result.exit_code == 2
    assert near in result.stderr
    assert as_json(invoke(*args, "--json"))["error"]


def test_an_unexpected_error_is_one_line(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("of all\nthings")

    monkeypatch.setattr("memflow.memory.Space.stats", broken)
    quiet = invoke("stats")
    monkeypatch.setenv("MEMFLOW_DEBUG", "1")
    loud = invoke("stats")

    assert quiet.exit_code == loud.exit_code == 1
    assert quiet.stderr.splitlines()[0] == "error: unexpected ZeroDivisionError: of all things"
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


def test_text_is_shown_as_it_is_and_never_obeyed(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    text = "שלום [bold]עולם[/bold] :smile: \x1b[31mred\x07 café 北京"
    path.write_text(json.dumps({"role": "user", "content": text, "id": "t1"}) + "\n")
    assert invoke("add", str(path)).exit_code == 0

    human = invoke("get", "t1").stdout

    assert "שלום [bold]עולם[/bold] :smile:" in human
    assert "café 北京" in human
    assert "\x1b" not in human
    assert "\x07" not in human
    assert as_json(invoke("get", "t1", "--json"))["text"] == text


def test_settings_that_are_wrong_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMFLOW_MODLE", "x")

    result = invoke("stats")

    assert result.exit_code == 2
    assert "did you mean 'model'" in result.stderr


# --------------------------------------------------------------------------- as a real process


def process(*args: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "memflow", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"MEMFLOW_ENCODER": "none"},
        **options,
    )


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys; from memflow.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print(sorted({'numpy', 'onnxruntime', 'rich', 'httpx'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.splitlines()[-1] == "[]"
    version = process("--version")
    assert version.communicate()[0].startswith("memflow ")
    assert version.returncode == 0


def test_exit_codes_and_streams_of_a_process(history: Path) -> None:
    added = process("add", str(history), "absent.txt", "--json")
    out, err = added.communicate()
    assert added.returncode == 1
    assert json.loads(out)["stored"] == 3
    wrong = process("frobnicate", "--json")
    out, err = wrong.communicate()
    assert wrong.returncode == 2
    assert set(json.loads(out)) == {"error", "mend"}
    assert "error:" in err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    rows = "".join(
        json.dumps({"role": "user", "content": f"Line {n} " + "x" * 400}) + "\n" for n in range(600)
    )
    (tmp_path / "many.jsonl").write_text(rows)
    adding = process("add", "many.jsonl")
    adding.communicate()
    assert adding.returncode == 0

    listing = process("list")
    assert listing.stdout is not None
    listing.stdout.readline()
    listing.stdout.close()

    assert listing.stderr is not None
    assert "Traceback" not in listing.stderr.read()
    listing.stderr.close()
    assert listing.wait() == 141


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_says_what_is_kept() -> None:
    # A child started while the signal is ignored (as by a shell's background job) ignores it too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        talk = process("chat", "--no-model", stdin=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGINT, before)
    assert talk.stdin is not None
    assert talk.stdout is not None
    talk.stdin.write("My cat is called Biscuit.\n")
    talk.stdin.flush()
    assert talk.stdout.readline() == "noted\n"

    time.sleep(0.1)
    talk.send_signal(signal.SIGINT)
    _, err = talk.communicate(timeout=20)

    assert talk.returncode == 130
    assert "kept" in err
    assert "Traceback" not in err

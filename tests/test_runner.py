"""Runs of evaluation: what a line holds, and what becomes of a run that is stopped anyhow."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.cli import main
from memflow.cli.invocation import Invocation
from memflow.errors import ModelUnavailable, UsageError, WindowExceeded
from memflow.evals.driving import ModelGone
from memflow.evals.journal import Journal
from memflow.evals.results import Folder
from memflow.evals.summary import read_run, summarise
from memflow.evals.systems import SYSTEMS
from memflow.evals.systems.base import Asker, Flow, Reply, ready
from memflow.evals.verdicts import Judge, judge_answers
from memflow.settings import Settings
from memflow.testing import HashEncoder, ScriptedModel
from memflow.types import Message
from memflow.wiring import Assembly
from tests.evaluating import answers, echo, locomo_file, measure, model, small_set, words


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("MEMFLOW_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MEMFLOW_CACHE", str(tmp_path / "cache"))


def invoke(*args: str, chat_model: Any = None) -> Result:
    invocation = Invocation(chat_model=chat_model, sentence_encoder=HashEncoder())
    return CliRunner().invoke(main, args, obj=invocation)


def as_json(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    [line] = result.stdout.splitlines()
    record: dict[str, Any] = json.loads(line)
    return record


# --------------------------------------------------------------------------- lines


def test_every_question_of_every_system_has_one_line(tmp_path: Path) -> None:
    rows = measure(tmp_path / "run", names=("memflow", "rag", "direct-short"))

    assert len(rows) == 3 * 8
    assert len({(row["id"], row["system"]) for row in rows}) == 24
    dog = {row["system"]: row for row in rows if row["id"] == "h0:q0"}
    for row in dog.values():
        assert row["answer"] == "Rex"
        assert row["gold"] == "Rex"
        assert row["covered"] == {"h0/1": True}
        assert row["packed_tokens"] > 0
        assert sum(row["tokens"].values()) == row["prompt_tokens"] + row["completion_tokens"]
        assert row["model_calls"] == len(row["calls"])
    assert dog["memflow"]["intent"]
    assert dog["rag"]["model_calls"] == 1


def test_a_haystack_is_ingested_once_for_all_systems(tmp_path: Path) -> None:
    seen: list[int] = []

    def noting(assembly: Assembly, space: str) -> Flow[Asker]:
        seen.append(id(assembly))
        return (yield from echo(assembly, space))

    measure(tmp_path / "run", systems={"a": noting, "b": noting})

    assert seen[0] == seen[1]
    assert seen[2] == seen[3]


def test_questions_go_out_in_batches_of_the_models_width(tmp_path: Path) -> None:
    sizes: list[int] = []

    class Batching(ScriptedModel):
        def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
            sizes.append(len(calls))
            return super().complete(calls)

    together = measure(
        tmp_path / "run", systems={"echo": echo}, with_model=Batching(words, batch=3)
    )

    assert max(sizes) == 3
    assert together == measure(tmp_path / "alone", systems={"echo": echo})


def test_categories_and_limit_choose_the_same_questions_for_all(tmp_path: Path) -> None:
    rows = measure(
        tmp_path / "run", systems={"a": echo, "b": echo}, categories=("1", "4"), limit=3, seed=5
    )

    asked = {name: {row["id"] for row in rows if row["system"] == name} for name in ("a", "b")}
    assert asked["a"] == asked["b"]
    assert len(asked["a"]) == 3
    assert {row["category"] for row in rows} <= {"1 multi-hop", "4 single-hop"}
    with pytest.raises(UsageError, match="category '7'"):
        measure(tmp_path / "other", systems={"a": echo}, categories=("7",))


# --------------------------------------------------------------------------- failures


def _failing(error: Exception) -> Callable[[Assembly, str], Flow[Asker]]:
    def build(_: Assembly, __: str) -> Flow[Asker]:
        def ask(question: str, _: object) -> Flow[Reply]:
            yield ModelCall(Purpose.ANSWER, (Message("user", question),), 4)
            raise error

        return (yield from ready(ask))

    return build


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (WindowExceeded("too long"), "WindowExceeded: too long"),
        (ZeroDivisionError("oh"), "unexpected ZeroDivisionError: oh"),
    ],
)
def test_a_failure_is_a_line_that_is_wrong(tmp_path: Path, error: Exception, said: str) -> None:
    rows = measure(tmp_path / "run", systems={"bad": _failing(error), "good": echo})

    bad = [row for row in rows if row["system"] == "bad"]
    assert {row["error"] for row in bad} == {said}
    assert all(row["answer"] == "" and row["prompt_tokens"] > 0 for row in bad)
    assert {row["error"] for row in rows if row["system"] == "good"} == {None}

    folder = Folder(tmp_path / "run")
    judge_answers(folder, Judge())
    verdicts = folder.read_verdicts(folder.verdicts("overlap"))
    assert {v.correct for v in verdicts if v.system == "bad"} == {False}
    assert {v.by for v in verdicts if v.system == "bad"} == {"failed"}


def test_a_memory_that_cannot_be_built_fails_its_questions(tmp_path: Path) -> None:
    def build(_: Assembly, __: str) -> Flow[Asker]:
        yield ModelCall(Purpose.EXTRACT, (Message("user", "compress"),), 4)
        raise WindowExceeded("too much")

    rows = measure(tmp_path / "run", systems={"bad": build})

    assert len(rows) == 8
    assert all("BuildFailed" in row["error"] and "too much" in row["error"] for row in rows)


class _Leaving(ScriptedModel):
    """Gone after so many calls."""

    def __init__(self, calls: int) -> None:
        super().__init__(words)
        self._left = calls

    def complete(self, calls: Sequence[ModelCall]) -> list[ModelReply]:
        self._left -= 1
        if self._left < 0:
            raise ModelUnavailable("nobody listens")
        return super().complete(calls)


def test_a_model_that_goes_away_ends_the_run_and_spoils_nothing(tmp_path: Path) -> None:
    whole = measure(tmp_path / "whole", names=("memflow", "rag"))

    with pytest.raises(ModelGone, match="nobody listens"):
        measure(tmp_path / "run", names=("memflow", "rag"), with_model=_Leaving(9))
    kept = answers(tmp_path / "run")

    assert 0 < len(kept) < len(whole)
    assert all(row in whole for row in kept)
    assert measure(tmp_path / "run", names=("memflow", "rag")) == whole


def test_a_tokenizer_goes_with_its_model(tmp_path: Path) -> None:
    """A system that counts before it asks would take the whole set for its own failures."""

    class Silent(_Leaving):
        @property
        def counter(self) -> Any:
            return self

        def count(self, text: str) -> int:
            if self._left < 1:
                raise ModelUnavailable("nobody counts")
            return len(text.split())

        def count_messages(self, messages: Sequence[Message]) -> int:
            return sum(self.count(message.content) for message in messages)

    with pytest.raises(ModelGone, match="nobody counts"):
        measure(tmp_path / "run", names=("rag",), with_model=Silent(2))
    assert {row["error"] for row in answers(tmp_path / "run")} == {None}


def test_an_answer_in_spite_of_a_failed_call_is_counted_as_such(tmp_path: Path) -> None:
    def fails(call: ModelCall) -> str | WindowExceeded:
        return WindowExceeded("full") if call.purpose is Purpose.ANSWER else words(call)

    rows = measure(tmp_path / "run", names=("memflow",), with_model=ScriptedModel(fails))
    figures = summarise(read_run(tmp_path / "run"))["systems"]["memflow"]

    assert {row["error"] for row in rows} == {None}
    assert figures["call_errors"] == len(rows)
    assert figures["failed"] == 0


# --------------------------------------------------------------------------- stopped and resumed


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    first = measure(tmp_path / "run", systems={"echo": echo})
    again = model()

    assert measure(tmp_path / "run", systems={"echo": echo}, with_model=again) == first
    assert again.calls == []


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(share=st.floats(0, 1))
def test_a_run_cut_off_at_any_byte_ends_the_same(
    tmp_path_factory: pytest.TempPathFactory, share: float
) -> None:
    folder = tmp_path_factory.mktemp("run")
    whole = measure(folder, systems={"a": echo, "b": echo})
    path = folder / "answers.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[: round(share * len(content))])

    assert measure(folder, systems={"a": echo, "b": echo}) == whole
    assert path.read_bytes().endswith(b"\n")


_RUN = """
import sys, time
from pathlib import Path
from memflow.testing import ScriptedModel
from tests.evaluating import measure, words

class Slow(ScriptedModel):
    def complete(self, calls):
        time.sleep(0.01)
        return super().complete(calls)

measure(Path(sys.argv[1]), names=("memflow", "rag"), with_model=Slow(words))
"""


def test_a_run_killed_again_and_again_ends_the_same(tmp_path: Path) -> None:
    whole = measure(tmp_path / "whole", names=("memflow", "rag"))
    folder = tmp_path / "run"
    dice = random.Random(7)
    kills = 0
    for _ in range(6):
        before = _size(folder)
        process = _started(folder)
        wanted = before + dice.randrange(1, 4_000)
        while process.poll() is None and _size(folder) < wanted:
            time.sleep(0.002)
        if process.poll() is None:
            process.kill()
            kills += 1
        process.wait()
    last = _started(folder)
    assert last.wait(120) == 0

    assert kills >= 2
    assert answers(folder) == whole


def _started(folder: Path) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[1]
    path = os.pathsep.join((str(root / "src"), str(root)))
    code = textwrap.dedent(_RUN)
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], env=os.environ | {"PYTHONPATH": path}
    )


def _size(folder: Path) -> int:
    path = folder / "answers.jsonl"
    return path.stat().st_size if path.exists() else 0


def test_a_memory_built_once_is_not_built_again(tmp_path: Path) -> None:
    def building(assembly: Assembly, space: str) -> Flow[Asker]:
        note = yield ModelCall(Purpose.EXTRACT, (Message("user", f"sum up {space}"),), 8)
        assert note.text == "Leeds"
        return (yield from echo(assembly, space))

    run = tmp_path / "run"
    whole = measure(run, systems={"builder": building})
    content = (run / "answers.jsonl").read_text().splitlines(keepends=True)
    (run / "answers.jsonl").write_text("".join(content[:2]))
    again = model()

    assert measure(run, systems={"builder": building}, with_model=again) == whole
    assert {call.purpose for call in again.calls} == {Purpose.ANSWER}
    assert all(row["model_calls"] == 1 for row in whole)


def test_a_resume_with_another_configuration_says_what_differs(tmp_path: Path) -> None:
    measure(tmp_path / "run", systems={"echo": echo}, limit=4)

    with pytest.raises(UsageError, match=r"limit was 4, now 3") as differing:
        measure(tmp_path / "run", systems={"echo": echo}, limit=3)
    assert "questions was 4, now 3" in str(differing.value)
    with pytest.raises(UsageError, match="settings"):
        measure(tmp_path / "run", systems={"echo": echo}, limit=4, settings=Settings(tool_rounds=1))
    other = ScriptedModel(words, name="another")
    with pytest.raises(UsageError, match="model"):
        measure(tmp_path / "run", systems={"echo": echo}, limit=4, with_model=other)
    with pytest.raises(UsageError, match="fingerprint"):
        measure(tmp_path / "run", systems={"echo": echo}, dataset=_reworded(), limit=4)


def _reworded() -> Any:
    from dataclasses import replace

    whole = small_set()
    first, *rest = whole.haystacks
    turns = (replace(first.turns[0], text="I adopted a cat."), *first.turns[1:])
    return replace(whole, haystacks=(replace(first, turns=turns), *rest))


def test_another_system_joins_a_run(tmp_path: Path) -> None:
    measure(tmp_path / "run", systems={"a": echo})
    rows = measure(tmp_path / "run", systems={"b": echo})

    assert {row["system"] for row in rows} == {"a", "b"}
    assert Folder(tmp_path / "run").required_header()["systems"] == ["a", "b"]


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "run" / "answers.jsonl"),
        pytest.raises(UsageError, match="another process"),
    ):
        measure(tmp_path / "run", systems={"a": echo})


# --------------------------------------------------------------------------- verdicts


def test_another_judge_needs_no_new_answers(tmp_path: Path) -> None:
    measure(tmp_path / "run", systems={"echo": echo})
    folder = Folder(tmp_path / "run")
    asked = model()

    judge_answers(folder, Judge())
    judge_answers(folder, Judge("someone", asked))
    judge_answers(folder, Judge("someone", asked))

    assert {call.purpose for call in asked.calls} == {Purpose.JUDGE}
    for name in ("overlap", "someone"):
        verdicts = folder.read_verdicts(folder.verdicts(name))
        assert len(verdicts) == 8
        assert {verdict.id for verdict in verdicts if verdict.by == "exact"} >= {"h0:q0", "h1:q0"}


def test_a_changed_answer_is_judged_anew(tmp_path: Path) -> None:
    measure(tmp_path / "run", systems={"echo": echo})
    folder = Folder(tmp_path / "run")
    judge_answers(folder, Judge())
    rows = folder.answers.read_text().splitlines()
    changed = json.loads(rows[0]) | {"answer": "the parrot"}
    folder.answers.write_text("\n".join([json.dumps(changed), *rows[1:]]) + "\n")

    judge_answers(folder, Judge())

    verdicts = folder.read_verdicts(folder.verdicts("overlap"))
    assert len(verdicts) == 9
    assert verdicts[-1].id == changed["id"]
    assert not verdicts[-1].correct


# --------------------------------------------------------------------------- the command line

_FIELDS = {
    *("n", "accuracy", "accuracy_ci", "by_type", "packed_tokens_mean", "pipeline_tokens_mean"),
    *("model_calls_mean", "model_calls_max", "abstained", "escalated", "evidence_any"),
    *("evidence_all", "wall_s", "tokens", "prompt_tokens_mean", "metrics", "failed", "stages"),
}


def test_eval_prints_the_figures_of_every_system(tmp_path: Path) -> None:
    args = ("eval", "locomo", str(locomo_file(tmp_path)), "--systems", "memflow,rag")
    chat_model = model()
    record = as_json(invoke(*args, "--out", "run", "--json", chat_model=chat_model))
    human = invoke(*args, "--out", "run", "--resume", chat_model=chat_model)

    assert set(record["systems"]) == {"memflow", "rag"}
    for figures in record["systems"].values():
        assert set(figures) >= _FIELDS
        assert figures["n"] == 4
        assert set(figures["by_type"]) == {"1 multi-hop", "4 single-hop", "5 adversarial"}
        assert set(figures["tokens"]) == {"route", "answer", "check", "retry"}
    assert record["judge"]["name"] == "scripted"
    assert record["judge"]["same_as_model"] is True
    assert record["categories"] == ["1 multi-hop", "4 single-hop", "5 adversarial"]
    assert human.exit_code == 0
    assert "judged by scripted, the model that answered" in human.stdout
    assert "memflow against rag" in human.stdout


def test_without_a_judge_there_is_no_accuracy(tmp_path: Path) -> None:
    args = ("eval", "locomo", str(locomo_file(tmp_path)), "--judge", "none")
    record = as_json(invoke(*args, "--json", chat_model=model()))
    human = invoke(*args, chat_model=model())

    assert record["judge"] is None
    assert "accuracy" not in record["systems"]["memflow"]
    assert "not judged" in human.stdout


def test_overlap_asks_no_model(tmp_path: Path) -> None:
    chat_model = model()
    args = ("eval", "locomo", str(locomo_file(tmp_path)), "--judge", "overlap", "--json")
    record = as_json(invoke(*args, chat_model=chat_model))

    assert record["judge"]["name"] == "overlap"
    assert Purpose.JUDGE not in {call.purpose for call in chat_model.calls}
    assert 0 < record["systems"]["memflow"]["accuracy"] < 1


def test_judge_answers_once_more(tmp_path: Path) -> None:
    path = str(locomo_file(tmp_path))
    invoke("eval", "locomo", path, "--out", "run", "--judge", "overlap", chat_model=model())
    record = as_json(invoke("eval", "judge-answers", "run", "--json", chat_model=model()))

    assert record["judge"]["name"] == "scripted"
    assert {path.name for path in Folder(Path("run")).judges()} == {
        "verdicts-overlap.jsonl",
        "verdicts-scripted.jsonl",
    }
    assert invoke("eval", "judge-answers", "elsewhere", chat_model=model()).exit_code == 2


def test_an_unknown_system_brings_the_nearest_to_mind(tmp_path: Path) -> None:
    path = str(locomo_file(tmp_path))
    result = invoke("eval", "locomo", path, "--systems", "memflow,rga", chat_model=model())

    assert result.exit_code == 2
    assert "unknown system 'rga'" in result.stderr
    assert "did you mean 'rag'?" in result.stderr
    assert all(name in result.stderr for name in SYSTEMS)


def test_without_a_model_the_error_says_how_to_get_one(tmp_path: Path) -> None:
    path = str(locomo_file(tmp_path))
    none = invoke("eval", "locomo", path)
    absent = invoke("eval", "locomo", path, "--model", "qwen2.5-coder-0.5b", "--json")

    assert none.exit_code == 1
    assert "memflow models pull" in none.stderr
    assert absent.exit_code == 1
    assert "memflow models pull qwen2.5-coder-0.5b" in json.loads(absent.stdout)["mend"]


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    args = ("eval", "locomo", str(locomo_file(tmp_path)), "--out", "run")
    invoke(*args, chat_model=model())
    second = invoke(*args, chat_model=model())

    assert second.exit_code == 2
    assert "--resume" in second.stderr
    assert invoke("eval", "locomo", args[2], "--resume", chat_model=model()).exit_code == 2


def test_ctrl_c_says_where_it_can_go_on(tmp_path: Path) -> None:
    def stopping(call: ModelCall) -> str:
        if "Ben" in call.messages[-1].content and call.purpose is Purpose.ANSWER:
            raise KeyboardInterrupt
        return words(call)

    args = ("eval", "locomo", str(locomo_file(tmp_path)), "--systems", "rag", "--out", "run")
    result = invoke(*args, chat_model=ScriptedModel(stopping))

    assert result.exit_code == 130
    assert "stopped: what is done is in run; --resume goes on from there" in result.stderr
    finished = as_json(invoke(*args, "--resume", "--json", chat_model=model()))
    assert finished["systems"]["rag"]["n"] == 4

"""The benchmark loaders: own fixtures in the official formats, with their traps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memflow.errors import InputError, UsageError
from memflow.evals.cases import Case, Dataset, Haystack, Remark
from memflow.evals.datasets import AMONG_FILLERS, DATASETS, load, load_among_fillers
from memflow.evals.datasets.locomo import CATEGORIES
from memflow.evals.datasets.longbench_tasks import TASKS
from memflow.evals.datasets.official import officials
from memflow.ingest.readers.documents import PART
from memflow.types import SessionKind

FIXTURES = Path(__file__).parent / "fixtures" / "readers"
SETS = Path(__file__).parent / "fixtures" / "datasets"
LONGBENCH = SETS / "longbench"
REALMEM = SETS / "realmem"
MULTICHALLENGE = SETS / "multichallenge.jsonl"
LOCOMO = FIXTURES / "letters_locomo.json"
LONGMEMEVAL = FIXTURES / "haystacks_longmemeval.json"
POOL = FIXTURES / "fillers.jsonl"


def case(dataset: Dataset, id: str) -> Case:
    return next(each for each in dataset.cases if each.id == id)


def remark(dataset: Dataset, beginning: str) -> Remark:
    return next(note for note in dataset.notes if note.what.startswith(beginning))


def times(haystack: Haystack) -> list[datetime]:
    return [turn.time for turn in haystack.turns if turn.time is not None]


def changed(path: Path, tmp_path: Path, change: Callable[[Any], object]) -> Path:
    """A copy with the change; of JSON lines their list is what is changed."""
    text = path.read_text(encoding="utf-8")
    lines = path.suffix == ".jsonl"
    data = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    change(data)
    copy = tmp_path / path.name
    written = "".join(json.dumps(row) + "\n" for row in data) if lines else json.dumps(data)
    copy.write_text(written, encoding="utf-8")
    return copy


def whats(dataset: Dataset) -> set[str]:
    return {note.what for note in dataset.notes}


# --------------------------------------------------------------------------- LoCoMo


def test_locomo() -> None:
    dataset = load("locomo", [LOCOMO])
    assert dataset.name == "locomo"
    assert [(each.id, len(each.turns)) for each in dataset.haystacks] == [
        ("pair-1", 6),
        ("pair-2", 1),
    ]
    assert dataset.by_category() == {
        "5 adversarial": 2,
        "1 multi-hop": 1,
        "3 open-domain": 1,
        "4 single-hop": 2,
        "2 temporal": 1,
    }
    assert {turn.kind for each in dataset.haystacks for turn in each.turns} == {SessionKind.PEER}
    assert len(CATEGORIES) == 5


def test_locomo_evidence_as_it_is_written() -> None:
    dataset = load("locomo", [LOCOMO])
    assert case(dataset, "pair-1:qa0").gold_turns == ("pair-1/D1:1",)
    assert case(dataset, "pair-1:qa1").gold_turns == ("pair-1/D2:1", "pair-1/D10:2")
    assert case(dataset, "pair-1:qa2").gold_turns == ("pair-1/D1:2", "pair-1/D2:2")
    assert case(dataset, "pair-1:qa3").gold_turns == ()
    dropped = remark(dataset, "evidence that names no turn")
    assert (dropped.count, dropped.examples[0]) == (3, "pair-1:qa2 D")
    assert remark(dataset, "questions without gold turns").count == 1
    assert remark(dataset, "dates without a session").count == 1


def test_locomo_answers() -> None:
    dataset = load("locomo", [LOCOMO])
    assert case(dataset, "pair-1:qa1").gold == "2021"
    without, both = case(dataset, "pair-1:qa4"), case(dataset, "pair-1:qa5")
    assert (without.gold, without.tempting, without.answerable) == (None, "clocks", False)
    assert (both.gold, both.tempting, both.answerable) == ("No", "Yes", False)
    assert case(dataset, "pair-1:qa0").now == datetime(2022, 3, 3, 0, 5, tzinfo=UTC)
    assert remark(dataset, "answers that are numbers").count == 1
    assert remark(dataset, "adversarial questions without an answer").count == 1
    assert remark(dataset, "a part of the set: 2 of 10 samples")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[0]["qa"][0].pop("answer"), "'answer' is null"),
        (lambda data: data[0]["qa"][0].update(question=None), "'question' is null"),
        (lambda data: data[0]["qa"][0].update(question=" "), "'question' is blank"),
        (lambda data: data[0]["qa"][0].update(category=6), "unknown category 6"),
        (lambda data: data[1].update(sample_id="pair-1"), "'pair-1:qa0' stands twice"),
        (
            lambda data: data[0]["conversation"]["session_1"][1].update(dia_id="D1:1"),
            "turn 'pair-1/D1:1' stands twice",
        ),
        (lambda data: data[0]["qa"].append("x"), "expected an object, got a text"),
        (lambda data: data[0].pop("qa"), "'qa' is null"),
        (lambda data: data[0].pop("conversation"), "no 'conversation'"),
        (lambda data: data[1]["conversation"].clear(), "no turns"),
        (lambda data: data[1]["conversation"]["session_1"][0].pop("text"), "no 'text'"),
        (lambda data: data.clear(), "no LoCoMo records"),
    ],
)
def test_a_damaged_locomo_is_not_measured_on(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason):
        load("locomo", [changed(LOCOMO, tmp_path, change)])


def test_ten_samples_that_are_not_the_official_ones_are_remarked(tmp_path: Path) -> None:
    def ten(data: list[Any]) -> None:
        data.extend({**data[1], "sample_id": f"more-{number}"} for number in range(8))

    dataset = load("locomo", [changed(LOCOMO, tmp_path, ten)])
    assert remark(dataset, "not the official").count == 1
    assert not any(what.startswith("a part") for what in whats(dataset))


def test_the_official_file_is_known_by_its_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = hashlib.sha256(LOCOMO.read_bytes()).hexdigest()
    known = tuple(replace(each, sha256=digest) for each in officials() if each.set == "locomo")
    monkeypatch.setattr("memflow.evals.datasets.official.officials", lambda: known)
    assert "the official file, by its sum" in whats(load("locomo", [LOCOMO]))


# --------------------------------------------------------------------------- LongMemEval


def test_longmemeval() -> None:
    dataset = load("longmemeval", [LONGMEMEVAL])
    assert dataset.name == "longmemeval-oracle"
    update = case(dataset, "0a1b2c3d")
    assert update.category == "knowledge-update"
    assert update.now == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    haystack = dataset.haystack(update.group)
    assert times(haystack) == sorted(times(haystack))
    by_id = {turn.id: turn.text for turn in haystack.turns}
    assert [by_id[id] for id in update.gold_turns] == [
        "The spare key hangs in the shed.",
        "I moved the spare key under the blue pot.",
    ]
    assert remark(dataset, "a part of the set: 3 of 500")
    assert remark(dataset, "not the official file")
    assert remark(dataset, "sessions out of the order of their dates").examples == ("0a1b2c3d",)
    assert remark(dataset, "answers that are numbers").examples == ("gpt4_e061b84g",)
    assert remark(dataset, "abstention questions").examples == ("5e6f7a8b_abs",)


def test_longmemeval_what_is_odd_is_kept_and_said(tmp_path: Path) -> None:
    def odd(data: list[Any]) -> None:
        data[0]["question_date"] = "2023/05/28 (Sun) 09:00"
        data[1].update(question_date="2023/05/26 (Fri) 09:00", answer="three")
        data[1]["question_type"] = "single-session-preference"
        data[2]["haystack_session_ids"] = ["ultrachat_1"] * 2
        for key in ("haystack_sessions", "haystack_dates"):
            data[2][key] *= 2

    plain, dataset = (
        load("longmemeval", [path]) for path in (LONGMEMEVAL, changed(LONGMEMEVAL, tmp_path, odd))
    )
    assert remark(dataset, "a session later on the day").examples == ("0a1b2c3d",)
    assert remark(dataset, "a session after the day").examples == ("gpt4_e061b84g",)
    assert remark(dataset, "the gold is a rubric").examples == ("gpt4_e061b84g",)
    assert remark(dataset, "a session stands twice").examples == ("5e6f7a8b_abs",)
    for id in ("0a1b2c3d", "gpt4_e061b84g"):
        assert dataset.haystack(id) == plain.haystack(id)


def test_longmemeval_incomplete_marks_and_abstention() -> None:
    dataset = load("longmemeval", [LONGMEMEVAL])
    unmarked = case(dataset, "gpt4_e061b84g")
    assert (unmarked.gold, unmarked.gold_turns, unmarked.answerable) == ("3", (), True)
    assert remark(dataset, "an evidence session has no marked turn").examples == (unmarked.id,)
    abstention = case(dataset, "5e6f7a8b_abs")
    assert (abstention.answerable, abstention.gold_turns) == (False, ())
    assert abstention.category == "single-session-user"


def test_longmemeval_hides_what_tells_the_evidence() -> None:
    dataset = load("longmemeval", [LONGMEMEVAL])
    for haystack in dataset.haystacks:
        for turn in haystack.turns:
            assert not {"answer", "abs", "ultrachat"} & set(f"{turn.session}_{turn.id}".split("_"))
    ids = [turn.id for haystack in dataset.haystacks for turn in haystack.turns]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("mark", "value", "name"),
    [
        ("_evidence_sessions_missing", 1, "longmemeval-oracle-marked-turns"),
        ("_question_date_inferred", True, "longmemeval-s-capped"),
        ("_official_answer_session_ids", [], "longmemeval-oracle"),
    ],
)
def test_parts_of_the_set_have_their_names(
    mark: str, value: object, name: str, tmp_path: Path
) -> None:
    dataset = load(
        "longmemeval", [changed(LONGMEMEVAL, tmp_path, lambda data: data[0].update({mark: value}))]
    )
    assert dataset.name == name
    assert bool(case(dataset, "0a1b2c3d").gold_turns) == (mark != "_evidence_sessions_missing")


def test_many_sessions_make_it_s(tmp_path: Path) -> None:
    def long(data: list[Any]) -> None:
        for record in data:
            for key in ("haystack_sessions", "haystack_dates", "haystack_session_ids"):
                record[key] = record[key][:1] * 48

    assert load("longmemeval", [changed(LONGMEMEVAL, tmp_path, long)]).name == "longmemeval-s"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[0].pop("answer"), "'answer' is null"),
        (lambda data: data[0].update(answer=True), "'answer' is a boolean"),
        (lambda data: data[0].update(question_type="abstention"), "unknown question type"),
        (lambda data: data[1].update(question_id="0a1b2c3d"), "'0a1b2c3d' stands twice"),
        (lambda data: data[0].update(question_date="soon"), "time not understood"),
        (lambda data: data[0]["haystack_dates"].pop(), "'haystack_dates' is 2"),
        (lambda data: data[0]["haystack_dates"].__setitem__(0, "soon"), "time not understood"),
        (lambda data: data[0]["haystack_sessions"].__setitem__(0, 1), "expected a list of turns"),
        (lambda data: data[0]["haystack_sessions"][0][0].pop("content"), "no 'content'"),
        (lambda data: data[0].pop("haystack_sessions"), "no 'haystack_sessions'"),
        (lambda data: data.clear(), "no LongMemEval records"),
    ],
)
def test_a_damaged_longmemeval_is_not_measured_on(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason):
        load("longmemeval", [changed(LONGMEMEVAL, tmp_path, change)])


def test_files_are_never_joined_on_a_question() -> None:
    with pytest.raises(InputError, match="stands in two files"):
        load("longmemeval", [LONGMEMEVAL, LONGMEMEVAL])


# --------------------------------------------------------------------------- among fillers


def test_among_fillers_is_named_so() -> None:
    dataset = load_among_fillers([LONGMEMEVAL], POOL, sessions=5, seed=1)
    assert dataset.name == AMONG_FILLERS == "longmemeval-among-fillers"
    assert remark(dataset, "longmemeval-oracle with 5 fillers a question, seed 1")
    assert remark(dataset, "haystacks made here").what.endswith("not LongMemEval-S")
    assert load("longmemeval", [LONGMEMEVAL], fillers=POOL, n_fillers=5, seed=1) == dataset


def test_fillers_are_for_longmemeval_alone() -> None:
    with pytest.raises(UsageError, match="fillers are for 'longmemeval', not 'locomo'"):
        load("locomo", [LOCOMO], fillers=POOL)
    with pytest.raises(UsageError, match="-1 fillers"):
        load("longmemeval", [LONGMEMEVAL], fillers=POOL, n_fillers=-1)


def test_a_filler_that_stands_twice_is_refused(tmp_path: Path) -> None:
    pool = changed(POOL, tmp_path, lambda data: data.append(data[0]))
    with pytest.raises(InputError, match="stands twice"):
        load("longmemeval", [LONGMEMEVAL], fillers=pool, n_fillers=2)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(0, 6))
def test_fillers_surround_the_evidence(seed: int, count: int) -> None:
    plain = load("longmemeval", [LONGMEMEVAL])
    dataset = load_among_fillers([LONGMEMEVAL], POOL, sessions=count, seed=seed)
    assert dataset == load_among_fillers([LONGMEMEVAL], POOL, sessions=count, seed=seed)
    for old, new in zip(plain.cases, dataset.cases, strict=True):
        before, after = plain.haystack(old.group), dataset.haystack(new.group)
        assert times(after) == sorted(times(after))
        assert len({turn.session for turn in after.turns}) == count + len(
            {turn.session for turn in before.turns}
        )
        # The same words are gold, with the same dates; ids are renumbered.
        assert _said(before, old.gold_turns) == _said(after, new.gold_turns)
        assert new.now is not None
        assert max(times(after)) <= new.now
        if not new.answerable:
            near = {"Explain chess to me.", "Explain tides to me."}
            assert not near & {turn.text for turn in after.turns}


def _said(haystack: Haystack, ids: tuple[str, ...]) -> list[tuple[str, datetime | None]]:
    return [(turn.text, turn.time) for turn in haystack.turns if turn.id in ids]


def test_a_part_has_the_same_haystacks_as_the_whole(tmp_path: Path) -> None:
    whole = load_among_fillers([LONGMEMEVAL], POOL, sessions=4)
    part = changed(LONGMEMEVAL, tmp_path, lambda data: data.pop(0))
    alone = load_among_fillers([part], POOL, sessions=4)
    for each in alone.haystacks:
        assert [(turn.text, turn.time) for turn in each.turns] == [
            (turn.text, turn.time) for turn in whole.haystack(each.id).turns
        ]


def test_a_pool_too_small_says_so() -> None:
    with pytest.raises(InputError, match="9 are wanted"):
        load_among_fillers([LONGMEMEVAL], POOL, sessions=9)


# --------------------------------------------------------------------------- LongBench


def item(number: int) -> str:
    return f"{number:048x}"


def test_longbench_takes_the_tasks_of_a_folder() -> None:
    dataset = load("longbench", [LONGBENCH])
    assert (dataset.name, dataset.kind) == ("longbench", "longbench")
    assert dataset.by_category() == {"hotpotqa": 2, "multi_news": 1, "qasper": 3, "qmsum": 1}
    assert {each.group for each in dataset.cases} == {each.id for each in dataset.haystacks}
    assert remark(dataset, "a file of no English task").examples == ("trec",)
    assert remark(dataset, "tasks not loaded").count == 5
    assert remark(dataset, "a part of the task: 2 of 200 items").examples == ("hotpotqa",)
    assert remark(dataset, "called like an official file").count == 2
    assert remark(dataset, "not the official file").count == 2
    one = load("longbench", [LONGBENCH / "hotpotqa.jsonl"])
    assert one.cases == tuple(each for each in dataset.cases if each.category == "hotpotqa")


def test_longbench_passages_are_sessions() -> None:
    dataset = load("longbench", [LONGBENCH / "hotpotqa.jsonl"])
    turns = dataset.haystack(item(1)).turns
    assert [(turn.id, turn.speaker) for turn in turns] == [
        (f"{item(1)}/passage_1:1", "Brass Bridge"),
        (f"{item(1)}/passage_2:1", "Ollmouth"),
    ]
    # A passage number out of turn is the text's own.
    assert "Passage 9:" in turns[0].text
    assert {(turn.kind, turn.role, turn.time) for turn in turns} == {
        (SessionKind.DOCUMENT, "document", None)
    }


def test_longbench_answers() -> None:
    dataset = load("longbench", [LONGBENCH])
    bridge = case(dataset, item(1))
    assert (bridge.gold, bridge.alternatives) == ("the Wend", ("Wend",))
    assert bridge.gold_turns == ()
    none, some = case(dataset, item(5)), case(dataset, item(6))
    assert (none.answerable, none.gold) == (False, "Unanswerable")
    assert (some.answerable, some.alternatives) == (True, ("unanswerable",))
    assert remark(dataset, "unanswerable, as all annotators say").examples == (none.id,)
    assert remark(dataset, "unanswerable, as some annotators say").examples == (some.id,)


def test_longbench_summaries_have_a_question() -> None:
    dataset = load("longbench", [LONGBENCH])
    assert case(dataset, item(3)).question == TASKS["multi_news"].question
    assert case(dataset, item(7)).question == "What did the group say about the lid?"
    for task in TASKS.values():
        assert task.instruction
        assert task.summary or not task.question


def test_longbench_texts_are_mended_where_they_were_broken() -> None:
    dataset = load("longbench", [LONGBENCH])
    news = dataset.haystack(item(3)).turns
    assert [turn.text for turn in news] == [
        "The ferry stopped on Monday.\n\nNobody knows why.",
        "On Tuesday the ferry ran again.\nThe crew was cheered.",
    ]
    assert news[0].speaker == "article 1"
    assert remark(dataset, "texts with NEWLINE_CHAR").count == 1
    meeting = dataset.haystack(item(7)).turns
    assert "{vocalsound}" in meeting[0].text
    assert remark(dataset, "texts with marks for sounds").count == 1


def test_longbench_long_texts_are_cut_as_documents_are() -> None:
    turns = load("longbench", [LONGBENCH]).haystack(item(4)).turns
    assert len(turns) > 2
    assert all(len(turn.text) <= PART for turn in turns)
    assert len({turn.session for turn in turns}) == 1


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(alphabet="ab .\n", min_size=1, max_size=400), min_size=1, max_size=6))
def test_longbench_no_word_is_lost(passages: list[str]) -> None:
    text = "".join(f"Passage {n}:\n{each}x\n\n" for n, each in enumerate(passages, start=1))
    row = json.loads((LONGBENCH / "multi_news.jsonl").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "multi_news.jsonl"
        file.write_text(json.dumps(row | {"context": text}), encoding="utf-8")
        (haystack,) = load("longbench", [file]).haystacks
    said = " ".join(turn.text for turn in haystack.turns)
    assert said.split() == " ".join(f"{each}x" for each in passages).split()
    assert len({turn.session for turn in haystack.turns}) == len(passages)


def test_longbench_kinds_of_files_have_their_names(tmp_path: Path) -> None:
    mini = changed(
        LONGBENCH / "hotpotqa.jsonl",
        tmp_path,
        lambda data: [row.update(_id=f"m{n}", official_index=n) for n, row in enumerate(data)],
    )
    dataset = load("longbench", [mini])
    assert dataset.name == "longbench-mini"
    assert remark(dataset, "items under an id that is not LongBench's own").count == 2
    both = load("longbench", [LONGBENCH / "hotpotqa.jsonl", mini])
    assert both.name == "longbench + longbench-mini"
    assert remark(both, "an item stands twice").count == 2
    extended = tmp_path / "hotpotqa_e.jsonl"
    extended.write_bytes((LONGBENCH / "hotpotqa.jsonl").read_bytes())
    assert load("longbench", [extended]).name == "longbench-e"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[0].update(dataset="trec"), "task 'trec'"),
        (lambda data: data[0].update(language="zh"), "language 'zh'"),
        (lambda data: data[0].update(input=""), "'input' is blank"),
        (lambda data: data[0].update(context="\n"), "'context' is blank"),
        (lambda data: data[0].update(answers=[]), "'answers' is not a list"),
        (lambda data: data[0].update(answers="x"), "'answers' is a text"),
        (lambda data: data[0].update(answers=[1]), "'answers' is not a list"),
        (lambda data: data[1].update(_id=data[0]["_id"]), "stands twice"),
        (lambda data: data[0].pop("_id"), "'_id' is null"),
        (lambda data: data[1].pop("context"), "item 2|record 2: not a LongBench record"),
    ],
)
def test_a_damaged_longbench_is_not_measured_on(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason):
        load("longbench", [changed(LONGBENCH / "hotpotqa.jsonl", tmp_path, change)])


def test_a_folder_without_tasks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no LongBench files"):
        load("longbench", [tmp_path])
    (tmp_path / "trec.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="no file of a LongBench task"):
        load("longbench", [tmp_path])


# --------------------------------------------------------------------------- RealMem

ADA = REALMEM / "Ada_Quill_dialogues_256k.json"


def test_realmem() -> None:
    dataset = load("realmem", [REALMEM])
    assert (dataset.name, dataset.kind) == ("realmem", "realmem")
    assert dataset.cases == load("realmem", [ADA]).cases
    assert [each.id for each in dataset.cases] == [f"Ada_Quill/Q-000{n}" for n in (1, 2, 3)]
    first = dataset.cases[0]
    assert first.question == "How many koi fit my pond?"
    assert first.gold == "Two metres of water carry three koi."
    assert first.category == "Dynamic Incremental"
    assert first.now == datetime(2026, 1, 9, tzinfo=UTC)
    assert remark(dataset, "a part of the set: 1 of 10 people")
    assert remark(dataset, "turns without 'is_query'").count == 1
    assert remark(dataset, "turn left out: no words in it").count == 1
    assert remark(dataset, "not the official file")


def test_realmem_a_query_is_asked_after_what_was_said_before_it() -> None:
    dataset = load("realmem", [ADA])
    first, second, third = (dataset.haystack(each.group).turns for each in dataset.cases)
    # The session of 7 January stands below that of the 9th in the file.
    assert [turn.text for turn in first] == [
        "My pond is two metres wide.",
        "A fine size for koi.",
        "Explain brass to me.",
        "Brass is an alloy.",
    ]
    assert remark(dataset, "a session dated before").count == 1
    assert [turn.text for turn in second[len(first) :]] == [
        "How many koi fit my pond?",
        "Two metres of water carry three koi.",
        "Then three it is, option 1.",
        "Noted: three koi.",
    ]
    assert third[: len(second)] == second
    for each in dataset.cases:
        texts = [turn.text for turn in dataset.haystack(each.group).turns]
        assert each.gold not in texts
        assert each.question not in texts


def test_realmem_gold_turns_are_all_or_none() -> None:
    dataset = load("realmem", [ADA])
    first, second, third = dataset.cases
    texts = {turn.id: turn.text for turn in dataset.haystack(first.group).turns}
    assert [texts[id] for id in first.gold_turns] == [
        "My pond is two metres wide.",
        "A fine size for koi.",
    ]
    assert (second.gold_turns, third.gold_turns) == ((), ())
    assert remark(dataset, "a memory of the query itself").examples == (second.id,)
    assert remark(dataset, "a memory's turn is not told").examples == (third.id,)


def test_realmem_hides_what_tells_projects_and_fillers() -> None:
    for haystack in load("realmem", [ADA]).haystacks:
        for turn in haystack.turns:
            assert turn.session.startswith("Ada_Quill/session_")
            assert not any(
                told in f"{turn.session} {turn.id} {turn.source}"
                for told in ("Garden", "Enhanced", "aa11", "cc33")
            )


def dialogue(data: Any, number: int) -> Any:
    return data["dialogues"][number]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.pop("dialogues"), "no 'dialogues'"),
        (lambda data: dialogue(data, 0).update(current_time="soon"), "session 1: time not"),
        (lambda data: dialogue(data, 0).pop("session_uuid"), "'session_uuid' is null"),
        (lambda data: dialogue(data, 2).update(session_uuid="aa11"), "'aa11' stands twice"),
        (lambda data: dialogue(data, 0).pop("dialogue_turns"), "'dialogue_turns' is null"),
        (lambda data: dialogue(data, 0)["dialogue_turns"].append("x"), "turn 3: expected an obj"),
        (lambda data: dialogue(data, 0)["dialogue_turns"][0].pop("content"), "'content' is null"),
        (lambda data: dialogue(data, 0)["dialogue_turns"][0].update(speaker="X"), "unknown spe"),
        (lambda data: dialogue(data, 1)["dialogue_turns"].pop(1), "a query without a reference"),
        (lambda data: dialogue(data, 1)["dialogue_turns"][1].update(is_query=True), "not the user"),
        (lambda data: dialogue(data, 1)["dialogue_turns"][0].update(query_id=None), "'query_id'"),
        (lambda data: dialogue(data, 1)["dialogue_turns"][4].update(query_id="Q-0001"), "twice"),
    ],
)
def test_a_damaged_realmem_is_not_measured_on(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason):
        load("realmem", [changed(ADA, tmp_path, change)])


# --------------------------------------------------------------------------- MultiChallenge


def test_multichallenge() -> None:
    dataset = load("multichallenge", [MULTICHALLENGE])
    assert (dataset.name, dataset.kind) == ("multichallenge", "multichallenge")
    cake, shop = dataset.cases
    assert (cake.question, cake.gold, cake.category) == (
        "Suggest a cake.",
        None,
        "INFERENCE_MEMORY",
    )
    assert cake.criterion == "Is the cake free of nuts?"
    assert [(turn.role, turn.text) for turn in dataset.haystack(cake.group).turns] == [
        ("user", "I never eat nuts."),
        ("assistant", "Understood."),
    ]
    assert len(dataset.haystack(shop.group).turns) == 4
    assert remark(dataset, "a part of the set: 2 of 273")


def test_multichallenge_yes_to_the_criterion_is_always_passed() -> None:
    dataset = load("multichallenge", [MULTICHALLENGE])
    criterion = dataset.cases[1].criterion or ""
    assert criterion.startswith("The answer to this question about the reply is no: Does the reply")
    assert remark(dataset, "passed where the answer to the criterion is no").count == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[0].pop("CONVERSATION"), "no 'CONVERSATION'"),
        (lambda data: data[0]["CONVERSATION"].pop(), "does not end with a user's turn"),
        (lambda data: data[0]["CONVERSATION"].clear(), "does not end with a user's turn"),
        (lambda data: data[0].update(AXIS="OTHER"), "unknown axis 'OTHER'"),
        (lambda data: data[0].update(PASS_CRITERIA="MAYBE"), "'PASS_CRITERIA' is 'MAYBE'"),
        (lambda data: data[0].update(TARGET_QUESTION=""), "'TARGET_QUESTION' is blank"),
        (lambda data: data[0]["CONVERSATION"][0].update(role="judge"), "unknown role"),
        (lambda data: data[1].update(QUESTION_ID=data[0]["QUESTION_ID"]), "stands twice"),
    ],
)
def test_a_damaged_multichallenge_is_not_measured_on(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason):
        load("multichallenge", [changed(MULTICHALLENGE, tmp_path, change)])


# --------------------------------------------------------------------------- the registry


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_is_whole(name: str) -> None:
    """Kinds are the sets' names, and every gold turn is in its case's haystack."""
    path = {
        "locomo": LOCOMO,
        "longmemeval": LONGMEMEVAL,
        "longbench": LONGBENCH,
        "realmem": REALMEM,
        "multichallenge": MULTICHALLENGE,
    }[name]
    dataset = load(name, [path])
    assert dataset.kind == name
    for each in dataset.cases:
        assert each.question.strip()
        assert set(each.gold_turns) <= {turn.id for turn in dataset.haystack(each.group).turns}
        assert each.gold is not None or each.criterion is not None or not each.answerable


def test_a_file_of_another_set_is_refused() -> None:
    for name in DATASETS:
        for other in (POOL, LOCOMO, LONGMEMEVAL, ADA, MULTICHALLENGE, LONGBENCH / "qasper.jsonl"):
            if (
                other
                not in {
                    "locomo": (LOCOMO,),
                    "longmemeval": (LONGMEMEVAL,),
                    "longbench": (LONGBENCH / "qasper.jsonl",),
                    "realmem": (ADA,),
                    "multichallenge": (MULTICHALLENGE,),
                }[name]
            ):
                with pytest.raises(InputError, match=r"not a .* record"):
                    load(name, [other])


def test_the_registry() -> None:
    with pytest.raises(UsageError) as caught:
        load("locom", [LOCOMO])
    assert "did you mean 'locomo'" in (caught.value.mend or "")
    with pytest.raises(UsageError, match="at least one file"):
        load("locomo", [])
    with pytest.raises(InputError, match="no such file"):
        load("locomo", [FIXTURES / "none.json"])
    with pytest.raises(InputError, match="no 'haystack_sessions'"):
        load("longmemeval", [LOCOMO])


def test_only_some_cases() -> None:
    dataset = load("locomo", [LOCOMO])
    part = dataset.only(dataset.cases[-1:])
    assert [each.id for each in part.haystacks] == ["pair-2"]
    assert part.notes == dataset.notes

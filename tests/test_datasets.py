"""The benchmark loaders: own fixtures in the official formats, with their traps."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memflow.errors import InputError, UsageError
from memflow.evals.cases import Case, Dataset, Haystack, Remark
from memflow.evals.datasets import AMONG_FILLERS, load, load_among_fillers
from memflow.evals.datasets.locomo import CATEGORIES
from memflow.types import SessionKind

FIXTURES = Path(__file__).parent / "fixtures" / "readers"
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
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    copy = tmp_path / path.name
    copy.write_text(json.dumps(data), encoding="utf-8")
    return copy


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


def test_locomo_answers() -> None:
    dataset = load("locomo", [LOCOMO])
    assert case(dataset, "pair-1:qa1").gold == "2021"
    without, both = case(dataset, "pair-1:qa4"), case(dataset, "pair-1:qa5")
    assert (without.gold, without.tempting, without.answerable) == (None, "clocks", False)
    assert (both.gold, both.tempting, both.answerable) == ("No", "Yes", False)
    assert case(dataset, "pair-1:qa0").now == datetime(2022, 3, 3, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[0]["qa"][0].pop("answer"), "'answer' is null"),
        (lambda data: data[0]["qa"][0].update(question=None), "'question' is null"),
        (lambda data: data[0]["qa"][0].update(category=6), "unknown category 6"),
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


# --------------------------------------------------------------------------- the registry


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

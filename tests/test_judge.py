"""The judge: what rules settle, how replies are read, and what stands in for a model that fails."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.calls import Finish, ModelCall, ModelReply, Purpose
from memflow.errors import ModelTimeout
from memflow.evals.cases import Case
from memflow.evals.judge import JudgedBy, Judgement, JudgeOptions, judge
from memflow.evals.judging.kinds import Kind, instructions, kind_of, prompt_sha256
from memflow.evals.judging.reading import read_verdict
from memflow.pipeline import drivers
from memflow.testing import ScriptedModel

CASE = Case("q1", "h1", "Where does Iris keep the spare key?", "under the flower pot", "single")
UNANSWERABLE = replace(CASE, answerable=False, gold=None, tempting="in the garage")


def ask(
    case: Case, answer: str, said: str | ModelReply | ModelTimeout = "", *, abstained: bool = False
) -> tuple[Judgement, list[ModelCall]]:
    model = ScriptedModel({Purpose.JUDGE: said})
    found = drivers.run(judge(case, answer, abstained=abstained), model)
    return found, model.calls


def weighed(yes: float, no: float) -> ModelReply:
    best = "yes" if yes > no else "no"
    return ModelReply(best, Finish.STOP, 90, 1, 1.0, {"yes": yes, "no": no})


# --------------------------------------------------------------------------- replies


@pytest.mark.parametrize(
    "reply",
    [
        "yes",
        "Yes.",
        "CORRECT",
        "**Correct**",
        '{"correct": true}',
        '```json\n{"correct": true}\n```',
        '{"reason": "same place", "verdict": "CORRECT"}',
        '{"label": 1}',
        "label: CORRECT",
        "Correct: yes",
        "The answer is not incorrect.",
        "Both name the pot, so the answer is right.",
        "The reference says a pot. The reply says a planter. Therefore: yes",
        '{"correct": true',
    ],
)
def test_right_is_read(reply: str) -> None:
    assert read_verdict(reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "no",
        "No.",
        "INCORRECT",
        "Incorrect: it names another place",
        "not correct",
        "The answer is not really correct.",
        "The answer isn't right.",
        "It cannot be considered correct",
        '{"correct": false}',
        '{"correct": "no"}',
        '{"verdict": "INCORRECT"}',
        'Sure! {"correct": false} I hope this helps',
        "Verdict: **incorrect**",
        "Correct: no",
        "Correct: false",
        "No, that is wrong",
        '{"is_correct": "False", ',
    ],
)
def test_wrong_is_read(reply: str) -> None:
    assert read_verdict(reply) is False


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "...",
        "I think so",
        "yes, but it is wrong",
        "partially correct, but not correct",
        '{"correct": "not really"}',
        '{"correct": fal',
        '{"correct": null}',
        '{"score": 7}',
        "correct or incorrect?",
    ],
)
def test_what_says_neither_or_both_is_not_read(reply: str) -> None:
    assert read_verdict(reply) is None


PLAIN = st.lists(st.sampled_from("the answer is this, and clearly: so".split())).map(" ".join)


@given(PLAIN, PLAIN)
def test_incorrect_never_reads_as_correct(before: str, after: str) -> None:
    for word in ("INCORRECT", "not correct", "isn't correct"):
        assert read_verdict(f"{before} {word} {after}") is False


@given(st.text(max_size=200))
def test_any_reply_is_read_or_not_but_never_fails(reply: str) -> None:
    assert read_verdict(reply) in (True, False, None)


# --------------------------------------------------------------------------- rules


@pytest.mark.parametrize("answer", ["", "  \n", "...", "—"])
def test_an_empty_answer_is_never_right(answer: str) -> None:
    for case in (CASE, UNANSWERABLE, replace(CASE, gold="", category="x")):
        found, calls = ask(case, answer, "yes")
        assert not found.correct
        assert found.by is JudgedBy.EMPTY
        assert not calls


@pytest.mark.parametrize("answer", ["", "I could not find that.", "under the flower pot"])
def test_abstaining_is_right_where_nothing_can_be_known(answer: str) -> None:
    for case in (CASE, UNANSWERABLE):
        found, calls = ask(case, answer, abstained=True)
        assert found.correct is not case.answerable
        assert found.by is JudgedBy.ABSTAINED
        assert not calls


def test_an_unflagged_refusal_declines_too() -> None:
    found, calls = ask(UNANSWERABLE, "That is not mentioned in our conversations.")
    assert found.correct
    assert not calls


def test_the_tempting_answer_is_wrong_without_a_call() -> None:
    found, calls = ask(UNANSWERABLE, "She keeps it in the garage.", "yes")
    assert found == Judgement(False, JudgedBy.TEMPTED, None, found.detail)
    assert not calls


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("under the flower pot", "Under the flower pot!"),
        ("5", "five"),
        ("Yes", "Yes, she told us twice."),
        ("3rd", "3"),
    ],
)
def test_the_gold_word_for_word_needs_no_call(gold: str, answer: str) -> None:
    found, calls = ask(replace(CASE, gold=gold), answer, "no")
    assert found.correct
    assert found.by is JudgedBy.EXACT
    assert not calls


def test_any_of_several_golds_will_do() -> None:
    case = replace(CASE, alternatives=("beneath the planter",))
    found, _ = ask(case, "beneath the planter")
    assert found.correct


# --------------------------------------------------------------------------- the model


def test_the_model_decides_the_rest_in_one_call() -> None:
    for said, right in (("yes", True), ("no", False), ("INCORRECT", False)):
        found, [call] = ask(CASE, "She hides it beneath a planter.", said)
        assert (found.correct, found.by) == (right, JudgedBy.MODEL)
        assert call.purpose is Purpose.JUDGE
        assert call.choices == ("yes", "no")


def test_weighed_words_give_a_score() -> None:
    found, _ = ask(CASE, "She hides it beneath a planter.", weighed(-0.1, -2.3))
    assert found.correct
    assert found.score == pytest.approx(2.2)


def test_the_prompt_holds_what_is_compared_last_and_nothing_hidden() -> None:
    case = replace(CASE, tempting="in the shed", group="secret-group")
    _, [call] = ask(case, "She hides it beneath a planter.", "no")
    last = call.messages[-1].content
    for text in (case.question, "under the flower pot", "beneath a planter"):
        assert text in last
    assert "secret-group" not in last
    assert "shed" not in last
    _, [other] = ask(replace(CASE, question="Who?"), "It was somebody else.", "no")
    assert other.messages[:-1] == call.messages[:-1]


def test_long_answers_keep_their_beginning_and_end() -> None:
    answer = "First of all. " + "And so on. " * 2_000 + "In the end it is the pot."
    model = ScriptedModel({Purpose.JUDGE: "no"}, window=100_000)
    drivers.run(judge(CASE, answer, options=JudgeOptions(characters=200)), model)
    last = model.calls[0].messages[-1].content
    assert "First of all." in last
    assert "it is the pot." in last
    assert len(last) < 900


# --------------------------------------------------------------------------- the fallback


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        ("the old lighthouse in Peniche", "We met at the lighthouse of Peniche", True),
        ("the old lighthouse in Peniche", "We met in Lisbon", False),
        ("12 red tulips", "She bought 12 tulips", True),
        ("12 red tulips", "She bought 20 red tulips", False),
        ("five loaves of bread", "They baked 5 loaves", True),
    ],
)
@pytest.mark.parametrize("said", ["hard to say", ModelTimeout("too slow")])
def test_overlap_stands_in_and_is_flagged(
    gold: str, answer: str, right: bool, said: str | ModelTimeout
) -> None:
    found, _ = ask(replace(CASE, gold=gold), answer, said)
    assert found.correct is right
    assert found.by is JudgedBy.OVERLAP
    assert found.fallback


def test_a_reason_why_not_is_no_gold_to_overlap_with() -> None:
    case = replace(UNANSWERABLE, gold="They spoke of a flower pot, never of a garage.")
    found, _ = ask(case, "They spoke of a flower pot and a garage", "hm")
    assert not found.correct
    assert found.fallback


# --------------------------------------------------------------------------- kinds


def test_kinds_come_from_what_the_case_has() -> None:
    assert kind_of(CASE) is Kind.PLAIN
    assert kind_of(replace(CASE, category="temporal-reasoning")) is Kind.TEMPORAL
    assert kind_of(replace(CASE, category="2 temporal")) is Kind.TEMPORAL
    assert kind_of(replace(CASE, category="knowledge-update")) is Kind.UPDATE
    assert kind_of(replace(CASE, category="single-session-preference")) is Kind.RUBRIC
    assert kind_of(replace(CASE, category="temporal-reasoning", answerable=False)) is (
        Kind.UNANSWERABLE
    )
    assert kind_of(replace(CASE, criterion="Is it short?")) is Kind.CRITERION


def test_every_kind_has_its_instruction() -> None:
    assert set(instructions()) == set(Kind)
    assert len(prompt_sha256()) == 64


def test_a_criterion_is_asked_of_the_reply_alone() -> None:
    case = replace(CASE, criterion="Does the reply avoid lists?", gold=None)
    found, [call] = ask(case, "It is under the pot.", "yes")
    assert found.correct
    assert "Does the reply avoid lists?" in call.messages[-1].content
    assert "Reference" not in call.messages[-1].content


@given(
    gold=st.text(max_size=30),
    answer=st.text(max_size=30),
    said=st.text(max_size=20),
    answerable=st.booleans(),
    abstained=st.booleans(),
)
def test_every_answer_gets_a_judgement_that_can_be_written_down(
    gold: str, answer: str, said: str, answerable: bool, abstained: bool
) -> None:
    case = replace(CASE, gold=gold, answerable=answerable)
    found, calls = ask(case, answer, said, abstained=abstained)
    assert len(calls) <= 1
    json.dumps({"correct": found.correct, "by": found.by, "score": found.score})
    if abstained:
        assert found.correct is not answerable

"""The check cascade: refusals, echoes, short answers, the model's word, token overlap."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.calls import ModelCall, Purpose
from memflow.errors import ModelTimeout, WindowExceeded
from memflow.operations import OPERATIONS
from memflow.settings import Settings
from memflow.types import Grounding, Intent, Packed, Verdict
from memflow.validation import validate
from memflow.validation.checks import adds_nothing, is_short, refuses, support
from tests.making import packed, play

CONTEXT = packed("Ana left the red bicycle at the station in Porto on 3 May.", "Tom likes rain.")
QUESTION = "Where did Ana leave the bicycle?"
LONG = "She left it at the old station in Porto, early in the month of May."
ROW = OPERATIONS[Intent.TARGETED_EXTRACTION]


def check(
    answer: str,
    replies: list[str | Exception] | None = None,
    *,
    question: str = QUESTION,
    context: Packed = CONTEXT,
    settings: Settings | None = None,
    may_ask: bool = True,
    computed: bool = False,
) -> tuple[Verdict, list[ModelCall]]:
    return play(
        validate(
            question,
            answer,
            context,
            ROW,
            settings or Settings(),
            may_ask=may_ask,
            computed=computed,
        ),
        replies or [],
    )


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   \n",
        "...",
        "ESCALATE_REQUIRED",
        "Escalate required.",
        "**escalate_required**",
        "I don't know.",
        "I cannot determine that from the memories.",
        "There is no information about a bicycle.",
        "The memories do not mention a bicycle.",
        "It is not mentioned.",
        "Unknown",
        "None.",
        "N/A",
        "Não há informação sobre isso.",
        "Não sei.",
        "Isso não consta das memórias.",
        "No hay información sobre eso.",
        "No se menciona ninguna bicicleta.",
        "No lo sé.",
    ],
)
def test_refusals_are_known_in_three_languages_and_ask_no_model(reply: str) -> None:
    verdict, calls = check(reply)
    assert (verdict.grounded, verdict.check) == (False, Grounding.HARD_FAIL)
    assert calls == []


@pytest.mark.parametrize(
    "reply",
    [
        "At the station in Porto.",
        "“You don't give the keys to anyone, and never at night” – so no, Ana must agree.",
        'The rule says "the shop does not accept returns that are not in the box", so no.',
        "No, she didn't.",
        "The Unknown Pleasures album.",
        "Na estação do Porto.",
        "En la estación de Oporto.",
    ],
)
def test_answers_and_quoted_rules_are_no_refusals(reply: str) -> None:
    assert not refuses(reply)


def test_an_answer_that_only_repeats_the_question_is_none() -> None:
    verdict, calls = check("The bicycle.", question="Where did Ana leave the bicycle?")
    assert (verdict.grounded, verdict.check, calls) == (False, Grounding.HARD_FAIL, [])


@pytest.mark.parametrize(
    ("answer", "question", "nothing"),
    [
        ("Rome", "Which hotel in Rome did I book?", True),
        ("The Roman hotel Astoria", "Which hotel in Rome did I book?", False),
        ("Tea", "Do I like tea or coffee?", False),
        ("Yes, tea.", "Do I like tea?", False),
        ("The tea", "Is it the tea?", False),
        ("!!!", "Which hotel?", False),
    ],
)
def test_what_adds_nothing(answer: str, question: str, nothing: bool) -> None:
    assert adds_nothing(answer, question) is nothing


@pytest.mark.parametrize(
    ("answer", "short"),
    [
        ("Porto", True),
        ("about 42 km", True),
        ("one two three four five six", True),
        ("one two three four five six seven", False),
        ("Yes, she left it at the old station", True),
    ],
)
def test_what_is_short(answer: str, short: bool) -> None:
    assert is_short(answer, 6) is short


def test_short_answers_pass_unchecked_in_the_papers_way_and_when_no_call_is_left() -> None:
    paper = Settings(check_short=False)
    for settings, may_ask in ((paper, True), (Settings(check_short=True), False)):
        verdict, calls = check("In Porto", settings=settings, may_ask=may_ask)
        assert (verdict.grounded, verdict.check) == (True, Grounding.SHORT_PASS)
        assert calls == []


def test_short_answers_are_checked_when_asked_for() -> None:
    verdict, calls = check("In Oslo", ["no"], settings=Settings(check_short=True))
    assert (verdict.grounded, verdict.check, len(calls)) == (False, Grounding.MODEL, 1)


@pytest.mark.parametrize(
    ("said", "grounded"),
    [("yes", True), ("no", False), ("Yes.", True), ("NO, it does not", False)],
)
def test_the_models_word_decides(said: str, grounded: bool) -> None:
    verdict, calls = check(LONG, [said])
    assert (verdict.grounded, verdict.check) == (grounded, Grounding.MODEL)
    [call] = calls
    assert call.purpose is Purpose.CHECK
    assert call.choices == ("yes", "no")
    assert call.max_tokens == Settings().check_tokens
    assert LONG in call.messages[-1].content


@pytest.mark.parametrize("said", ["", "maybe", "…", "12", "The answer is yes"])
def test_an_unreadable_word_leaves_it_to_the_overlap(said: str) -> None:
    verdict, _ = check(LONG, [said])
    assert (verdict.grounded, verdict.check) == (True, Grounding.OVERLAP)


@pytest.mark.parametrize("error", [ModelTimeout("slow"), WindowExceeded("long")])
def test_a_model_error_leaves_it_to_the_overlap_and_is_told(error: Exception) -> None:
    verdict, _ = check(LONG, [error])
    assert (verdict.grounded, verdict.check) == (True, Grounding.OVERLAP)
    assert str(error) in verdict.reason


def test_with_no_call_to_spare_the_overlap_decides() -> None:
    verdict, calls = check(LONG, may_ask=False)
    assert (verdict.check, calls) == (Grounding.OVERLAP, [])


def words(known: int, unknown: int) -> str:
    """`known` distinct words of the context and `unknown` that it lacks."""
    own = ["station", "porto", "red", "rain", "tom", "likes", "may"][:known]
    made = [f"zorb{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(unknown)]
    return " ".join(own + made)


@pytest.mark.parametrize(
    ("known", "unknown", "grounded"), [(7, 93, True), (6, 94, False), (0, 12, False)]
)
def test_the_overlap_threshold_is_seven_percent(known: int, unknown: int, grounded: bool) -> None:
    answer = words(known, unknown)
    assert support(answer, QUESTION, CONTEXT.text) == pytest.approx(known / (known + unknown))
    verdict, _ = check(answer, may_ask=False)
    assert (verdict.grounded, verdict.check) == (grounded, Grounding.OVERLAP)


def test_the_threshold_is_a_setting() -> None:
    strict = replace(Settings(), overlap_threshold=0.5)
    assert not check(words(3, 7), may_ask=False, settings=strict)[0].grounded
    assert check(words(6, 4), may_ask=False, settings=strict)[0].grounded


def test_the_questions_own_words_do_not_support_an_answer() -> None:
    answer = "Ana left the bicycle beside zorbax gremlin plover quince"
    question = "Ana left the bicycle where?"
    assert support(answer, question, CONTEXT.text) == 0.0
    assert not check(answer, question=question, may_ask=False)[0].grounded


def test_made_up_numbers_fail_when_nothing_else_is_supported() -> None:
    verdict, calls = check("It cost exactly 4711 gold zorbs, plus 99 more for gremlins")
    assert (verdict.grounded, verdict.check, calls) == (False, Grounding.HARD_FAIL, [])
    assert "4711" in verdict.reason


def test_computed_answers_ask_no_model_but_refusals_still_fail() -> None:
    verdict, calls = check("Near the station, I gather, though nobody saw it", computed=True)
    assert (verdict.grounded, verdict.check, calls) == (True, Grounding.COMPUTED, [])
    assert not check("I don't know.", computed=True)[0].grounded


def test_a_computed_number_need_not_stand_in_the_evidence() -> None:
    verdict, _ = check("19 days", question="How many days between the two?", computed=True)
    assert verdict.grounded


def test_a_long_context_is_cut_for_the_check_at_its_far_end() -> None:
    long = packed(*(f"filler line number {n} about nothing" for n in range(400)), "Ana: the end")
    _, [call] = check(LONG, ["yes"], context=long, settings=Settings(check_characters=500))
    shown = call.messages[-1].content
    assert "Ana: the end" in shown
    assert "filler line number 3 " not in shown
    assert len(shown) < 1_200


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=80), st.booleans())
def test_any_answer_gets_a_verdict(answer: str, question: str, said: str, may_ask: bool) -> None:
    # Always a reply at hand: at most one is taken.
    verdict, calls = check(answer, [said], question=question, may_ask=may_ask)
    assert verdict.reason
    assert len(calls) <= int(may_ask)

"""Replies are cleaned the same way for every backend."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.backends.replies import cut_loop, make_reply, match_choice, strip_thinking
from memflow.calls import Finish, ModelReply


def reply(raw: str, *, truncated: bool = False, choices: tuple[str, ...] = ()) -> ModelReply:
    return make_reply(
        raw,
        truncated=truncated,
        prompt_tokens=10,
        completion_tokens=3,
        milliseconds=1.0,
        choices=choices,
    )


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<think>Lisbon or Porto?</think>\n\nLisbon.", "Lisbon."),
        ("<think></think>Lisbon.", "Lisbon."),
        ("<THINKING>hm\nhm</THINKING> Lisbon.", "Lisbon."),
        ("Lisbon. <think>is that so", "Lisbon."),
        ("<think>never ends", ""),
        ("the template opened it</think>\nLisbon.", "Lisbon."),
        ("<think>a</think>Lis<think>b</think>bon.", "Lisbon."),
        ("<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>Yes", "Yes"),
        ("<|channel|>final<|message|>Yes<|return|>", "Yes"),
        ("<|channel|>analysis<|message|>never ends", ""),
        ("<|channel>thought\nhm<channel|>Yes", "Yes"),
        ("Lisbon.<|im_end|>", "Lisbon."),
        ("I think <3 of it", "I think <3 of it"),
    ],
)  # fmt: skip
def test_thinking_is_stripped(raw: str, text: str) -> None:
    assert strip_thinking(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("I like tea. " * 4, "I like tea."),
        ("You moved in May. I like tea. You sang. I like tea. Well. I like tea.",
         "You moved in May. I like tea. You sang."),
        ("a cat, bat, bat, bat, bat, bat, bat, ba", "a cat, bat"),
        ("the answer is 12, 12, 12, 12, 12, 12, 12, 12, 12", "the answer is 12"),
        ("!" * 60, "!"),
        ("她喜欢喝茶。" * 6, "她喜欢喝茶。"),
    ],
)  # fmt: skip
def test_a_loop_is_cut_at_its_first_repetition(raw: str, text: str) -> None:
    assert cut_loop(raw) == text
    assert reply(raw, truncated=True).finish is Finish.LOOP
    assert reply(raw).text == text


@pytest.mark.parametrize(
    "raw",
    [
        "No, no, no.",
        "ha ha ha",
        "On 3 May you ran 5 km. On 4 May you ran 5 km. On 5 May you ran 6 km.",
        "He said yes. She said no. He said yes.",
        "1,000,000",
        "A list:\n- tea\n- coffee\n- water",
    ],
)
def test_what_only_resembles_a_loop_stays(raw: str) -> None:
    assert cut_loop(raw) is None
    assert reply(raw).text == raw


def test_finishes() -> None:
    assert reply("Yes.").finish is Finish.STOP
    assert reply("Because the", truncated=True).finish is Finish.LENGTH
    assert reply("  \n").finish is Finish.EMPTY
    assert reply("<think>still thinking", truncated=True).finish is Finish.EMPTY


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("yes", "yes"),
        ("Yes.", "yes"),
        ('"no"', "no"),
        ("The answer is no", "no"),
        ("n", "no"),
        ("yes and no", None),
        ("perhaps", None),
        ("not", None),
        ("", None),
    ],
)
def test_choices_are_matched(said: str, choice: str | None) -> None:
    assert match_choice(said, ("yes", "no")) == choice


def test_a_cut_off_choice_is_completed_and_an_unknown_one_is_left_as_said() -> None:
    assert reply("temporal-rea", truncated=True, choices=("temporal-reasoning", "other")) == (
        reply("temporal-reasoning", choices=("temporal-reasoning", "other"))
    )
    assert reply("maybe", choices=("yes", "no")).text == "maybe"


@given(st.text(max_size=400))
def test_cleaning_never_raises_and_never_adds(raw: str) -> None:
    cleaned = reply(raw)
    assert len(cleaned.text) <= len(raw)
    assert (cleaned.finish is Finish.EMPTY) == (cleaned.text == "") or cleaned.finish is Finish.LOOP

"""The heuristic counter: deterministic, additive enough, on the high side for English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.protocols import TokenCounter
from memflow.tokens import HeuristicCounter
from memflow.types import Message

COUNTER = HeuristicCounter()

# What Qwen2.5's own tokenizer counts for these texts.
QWEN = {
    "I moved to Lisbon last March and started working at the aquarium, mostly feeding the sea "
    "otters. It's been wonderful!": 25,
    "yeah lol that's so trueee, gonna check it out tmrw 😂😂 omg haha :)": 21,
    "Mudei-me para Lisboa em março do ano passado e comecei a trabalhar no aquário; não foi "
    "fácil, mas adorei a experiência.": 34,
    "¿Cuándo empezó María a estudiar japonés? Creo que fue después de las vacaciones de "
    "verano.": 26,
    "我去年三月搬到了里斯本，现在在水族馆工作，主要喂海獭。": 21,
    "On 2023-05-17 at 14:35 the invoice #88213 for $1,249.99 was paid; call 555-0192-3847.": 56,
}


@pytest.mark.parametrize(("text", "tokens"), QWEN.items())
def test_estimate_is_near_a_real_tokenizer(text: str, tokens: int) -> None:
    assert 0.93 * tokens <= COUNTER.count(text) <= 1.35 * tokens


def test_wide_scripts_are_about_a_token_a_character() -> None:
    for text in ("今日は天気がいいですね", "我喜欢喝茶和咖啡", "오늘은날씨가좋네요"):
        assert COUNTER.count(text) == len(text)


def test_empty_text_has_no_tokens_but_a_prompt_has_its_frame() -> None:
    assert COUNTER.count("") == 0
    empty = COUNTER.count_messages([Message("user", "")])
    assert empty > 0
    assert COUNTER.count_messages([Message("user", "")] * 2) > empty


def test_satisfies_the_protocol() -> None:
    assert isinstance(COUNTER, TokenCounter)


@given(st.text(max_size=200), st.text(max_size=200))
def test_counts_do_not_shrink_as_text_grows(left: str, right: str) -> None:
    both = COUNTER.count(left + right)
    assert both == COUNTER.count(left + right)
    # Joining may merge a word at the seam, so allow for that one piece of each side.
    assert both <= COUNTER.count(left) + COUNTER.count(right) + len(right.split(" ")[0]) + 1
    assert COUNTER.count(f"{left} {right}") >= COUNTER.count(left) - 1


def test_messages_count_their_text() -> None:
    text = "the otters were fed at noon"
    bare = COUNTER.count_messages([Message("user", "")])
    assert COUNTER.count_messages([Message("user", text)]) == bare + COUNTER.count(text)

"""Words, index terms and sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.text import (
    clip,
    content_words,
    fold,
    jaccard,
    overlap,
    sentence_spans,
    sentences,
    terms,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caroline's running shoes", ["carolin", "run", "shoe"]),
        ("We don't eat 400,000 cakes", ["dont", "eat", "400000", "cake"]),
        ("Café, ação e coração", ["cafe", "acao", "coracao"]),
        ("日本語を勉強", ["日本", "本語", "語を", "を勉", "勉強"]),
        ("猫", ["猫"]),
        ("نَعَم مرحبا", ["نعم", "مرحبا"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("party 🎉!", ["parti", "🎉"]),
        ("at 3:30 on 2026-03-01", ["3:30", "2026", "03", "01"]),
        ("", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_accents_do_not_matter_to_search() -> None:
    assert terms("São João") == terms("Sao Joao")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("I met Dr. Lee. She is kind.", ["I met Dr. Lee.", "She is kind."]),
        ("It cost 3.50 today.", ["It cost 3.50 today."]),
        ("- a\n- b\n\nc", ["- a", "- b", "c"]),
        ("今日は晴れ。明日は雨。", ["今日は晴れ。", "明日は雨。"]),
        ("  ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(max_size=400))
def test_sentence_spans_are_ordered_and_lose_no_word(text: str) -> None:
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())


@given(st.text(max_size=200))
def test_folding_is_idempotent_and_terms_are_deterministic(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert terms(text) == terms(text)


def test_overlap_and_jaccard() -> None:
    assert overlap({"a", "b"}, {"b", "c"}) == 0.5
    assert overlap(set(), {"a"}) == 0.0
    assert jaccard({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert content_words("the and of") == set()


def test_clip_cuts_at_a_word() -> None:
    assert clip("alpha beta gamma", 12) == "alpha beta…"
    assert clip("short", 12) == "short"

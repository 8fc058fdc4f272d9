"""Chunk spans: what they cover, how long they are, where they are cut."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.ingest.chunking import chunk_spans
from memflow.types import SessionKind

TEXTS = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            [" ", "\n", "\n\n", "# Title\n", "A sentence. ", "二月の雪。", "e.g. ", "a" * 60]
        ),
    ),
    max_size=40,
).map("".join)
KINDS = st.sampled_from(SessionKind)


def pieces(text: str, words: int, kind: SessionKind = SessionKind.DOCUMENT) -> list[str]:
    return [text[start:end] for start, end in chunk_spans(text, kind, words)]


@given(TEXTS, KINDS, st.integers(1, 20))
def test_spans_are_ordered_trimmed_and_cover_all_but_white_space(
    text: str, kind: SessionKind, words: int
) -> None:
    spans = chunk_spans(text, kind, words)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert len(text[start:end].split()) <= words
        at = end
    assert not text[at:].strip()


@given(TEXTS, KINDS)
def test_a_short_turn_is_one_span(text: str, kind: SessionKind) -> None:
    spans = chunk_spans(text, kind, 10_000)
    assert [text[start:end] for start, end in spans] == ([text.strip()] if text.strip() else [])


def test_cuts_fall_between_sentences() -> None:
    text = "One two three four. Five six seven eight. Nine ten eleven twelve."
    assert pieces(text, 9) == [
        "One two three four. Five six seven eight.",
        "Nine ten eleven twelve.",
    ]


def test_a_paragraph_bound_is_preferred_to_a_later_sentence_bound() -> None:
    text = "One two three. Four five six.\n\nSeven eight. Nine ten eleven twelve."
    assert pieces(text, 9)[0] == "One two three. Four five six."


def test_a_heading_stays_with_what_follows() -> None:
    body = "Some words that fill the section here. And some more of them."
    text = "\n\n".join(f"## Part {n}\n\n### Detail\n\n{body}" for n in range(6))
    for piece in pieces(text, 30):
        assert not re.search(r"#+ (Part \d|Detail)$", piece)
        assert piece.startswith("## Part")


def test_long_sentences_are_cut_at_spaces_and_unbroken_text_hard() -> None:
    assert pieces("word " * 25, 10) == ["word " * 9 + "word"] * 2 + ["word " * 4 + "word"]
    hard = pieces("x" * 1000, 10)
    assert "".join(hard) == "x" * 1000
    assert max(map(len, hard)) == 240


def test_scripts_without_spaces_count_by_character() -> None:
    text = "今日は天気がいいから散歩しましょう。" * 20
    found = pieces(text, 40)
    assert "".join(found) == text
    assert all(len(piece) <= 45 and piece.endswith("。") for piece in found)


def test_words_must_be_positive() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        chunk_spans("a", SessionKind.PEER, 0)


@pytest.mark.parametrize(
    "unit", ["A plain sentence of seven words stands. ", "x", "word ", "a\n", "é. ", "今日は。"]
)
def test_a_megabyte_takes_well_under_a_second(unit: str) -> None:
    text = unit * (1_000_000 // len(unit.encode()))
    began = time.process_time()
    chunk_spans(text, SessionKind.DOCUMENT, 120)
    assert time.process_time() - began < 2  # a busy machine; about 0.5 s on a free one

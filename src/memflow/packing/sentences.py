"""Cutting a chunk down to the sentences worth their tokens.

A chat turn is greeting, question and substance. Sentences are kept densest first (content words
per word, those that share words with the question ahead) until a share of the turn's content
words is covered; so the greeting goes and the statement stays whole.
"""

from __future__ import annotations

from collections.abc import Callable

from memflow.text import content_words, overlap, sentence_spans, tokens

# How much a sentence's share of the question's words raises its density.
_QUESTION_WEIGHT = 3.0


def condense(
    text: str,
    question_words: set[str],
    *,
    cover: float,
    max_words: int | None = None,
    must_keep: Callable[[str], bool] = lambda _: False,
) -> str:
    """The kept sentences in their order, joined by " … " where something between was left out.

    `cover`: share (0–1) of the content words to keep. `max_words` bounds the result, except that
    one sentence is always kept. Text of one sentence comes back as it is.
    """
    spans = sentence_spans(text)
    if len(spans) < 2:
        return _cut(text.strip(), max_words)
    pieces = [text[start:end] for start, end in spans]
    words = [content_words(piece) for piece in pieces]
    wanted = cover * len(set().union(*words))
    kept: set[int] = set()
    covered: set[str] = set()
    length = 0
    for index in sorted(range(len(pieces)), key=_ranking(pieces, words, question_words)):
        enough = len(covered) >= wanted and kept
        if enough and not must_keep(pieces[index]):
            continue
        size = len(tokens(pieces[index]))
        if kept and max_words is not None and length + size > max_words:
            continue
        kept.add(index)
        covered |= words[index]
        length += size
    return _cut(_join(pieces, sorted(kept)), max_words)


def best_sentences(text: str, question_words: set[str], count: int) -> str:
    """The `count` sentences sharing most words with the question, in their order (the paper's)."""
    pieces = [text[start:end] for start, end in sentence_spans(text)]
    words = [content_words(piece) for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda i: (-overlap(question_words, words[i]), i))
    return _join(pieces, sorted(order[:count]))


def _ranking(
    pieces: list[str], words: list[set[str]], question_words: set[str]
) -> Callable[[int], tuple[float, int]]:
    def key(index: int) -> tuple[float, int]:
        density = len(words[index]) / (len(tokens(pieces[index])) + 1)
        return -density * (1 + _QUESTION_WEIGHT * overlap(question_words, words[index])), index

    return key


def _join(pieces: list[str], kept: list[int]) -> str:
    text = ""
    for previous, index in zip([-1, *kept], kept, strict=False):
        gap = index - previous > 1 and text
        text += (" … " if gap else " " if text else "") + pieces[index]
    return text


def _cut(text: str, max_words: int | None) -> str:
    if max_words is None or len(tokens(text)) <= max_words:
        return text
    parts = text.split()
    if len(parts) > max_words:
        return " ".join(parts[:max_words]) + " …"
    return text[: max_words * 6] + "…" if len(text) > max_words * 6 else text

"""What needs no model: agreement word for word, and the overlap that stands in for a judge."""

from __future__ import annotations

from collections.abc import Sequence

from memflow.evals.cases import Case
from memflow.text import content_words, overlap, tokens

ENOUGH = 0.5
"""Share of the gold's content words: the paper's fallback (appendix C.2)."""

_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_CLOSED = frozenset({"yes", "no"})


def golds(case: Case) -> tuple[str, ...]:
    """The gold answer and the others that count, blank ones left out."""
    return tuple(each for each in (case.gold, *case.alternatives) if each and each.strip())


def words(text: str) -> list[str]:
    """Tokens in order, "five" and "5th" as "5": what two answers are compared by."""
    found: list[str] = []
    for token in tokens(text):
        if token in _ORDINALS and found and found[-1].isdigit():
            continue
        found.append(_NUMBER_WORDS.get(token, token))
    return found


def is_exact(case: Case, answer: str) -> bool:
    """Word for word one of the golds, case and punctuation aside; a gold of "Yes" or "No" is what
    the answer begins with."""
    said = words(answer)
    for gold in golds(case):
        wanted = words(gold)
        if wanted and (said == wanted or (set(wanted) <= _CLOSED and said[:1] == wanted)):
            return True
    return False


def contains(said: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether `wanted` stands in `said` as one run."""
    width = len(wanted)
    return width > 0 and any(
        list(said[start : start + width]) == list(wanted) for start in range(len(said) - width + 1)
    )


def recall(gold: str, answer: str) -> float:
    """Share of the gold's content words that the answer has; of all its words if it has none."""
    wanted, said = _compared(gold), _compared(answer)
    return overlap(wanted, said)


def numbers(text: str) -> frozenset[str]:
    """The numbers in it, in figures."""
    return frozenset(word for word in words(text) if word[0].isdigit())


def overlaps(case: Case, answer: str) -> tuple[bool, float]:
    """Whether the answer has half of a gold's content words and all its numbers; the best share."""
    best = 0.0
    enough = False
    for gold in golds(case):
        share = recall(gold, answer)
        best = max(best, share)
        enough = enough or (share >= ENOUGH and numbers(gold) <= numbers(answer))
    return enough, best


def _compared(text: str) -> set[str]:
    figures = {word for word in words(text) if word[0].isdigit()}
    plain = content_words(text) - _NUMBER_WORDS.keys()
    return plain | figures or set(words(text))

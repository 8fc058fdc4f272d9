"""The metrics the sets' own evaluators report, beside the judge's accuracy.

LoCoMo: token F1 over Porter stems, by category. LongBench: token F1 for questions, ROUGE-L for
summaries, the best of all gold answers. LongMemEval, MultiChallenge and RealMem have none but a
judge. All values are shares between 0 and 1.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from memflow.evals.cases import Case

_SUMMARIES = frozenset({"gov_report", "qmsum", "multi_news"})
"""LongBench's tasks without short answers."""

_DECLINED = ("no information available", "not mentioned")
"""What LoCoMo's evaluator looks for in answers to its fifth category."""

_LOCOMO_FILLERS = re.compile(r"\b(?:a|an|the|and)\b")
_SQUAD_FILLERS = re.compile(r"\b(?:a|an|the)\b")
_UNPUNCTUATED = str.maketrans("", "", string.punctuation)
_stem_porter = snowballstemmer.stemmer("porter").stemWord


@dataclass(frozen=True, slots=True)
class Metric:
    """`name` is "f1", "rouge_l" or "declined"; figures of different names are never averaged."""

    name: str
    value: float


def official_metric(
    kind: str, case: Case, answer: str, *, abstained: bool = False
) -> Metric | None:
    """The metric of a set (`Dataset.kind`) for one answer; None where the set has none.

    `abstained`: the system declined in its own way, which counts as declining where a set looks
    for phrases of its own.
    """
    match kind:
        case "locomo":
            return _locomo(case, answer, abstained=abstained)
        case "longbench":
            return _longbench(case, answer)
        case _:
            return None


def locomo_f1(answer: str, gold: str) -> float:
    """F1 of stemmed tokens, as multisets; 0 when they share none."""
    return _f1(_locomo_tokens(answer), _locomo_tokens(gold))


def locomo_parts_f1(answer: str, gold: str) -> float:
    """For each comma-separated part of the gold the best F1 of any part of the answer; the mean."""
    said = answer.split(",")
    wanted = gold.split(",")
    return sum(max(locomo_f1(part, each) for part in said) for each in wanted) / len(wanted)


def squad_f1(answer: str, gold: str) -> float:
    """F1 of tokens after SQuAD's normalisation: case, punctuation and articles do not count."""
    return _f1(_squad_tokens(answer), _squad_tokens(gold))


def rouge_l(answer: str, gold: str) -> float:
    """F measure (beta 1) of the longest common subsequence of words (Lin 2004, section 3.1)."""
    said, wanted = answer.split(), gold.split()
    common = common_subsequence(said, wanted)
    return _harmonic(common, len(said), len(wanted))


def common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest common subsequence, a row of the table as the bits of one integer
    (Hyyrö 2004): texts of 500 words take under a millisecond."""
    places: dict[str, int] = {}
    for index, token in enumerate(left):
        places[token] = places.get(token, 0) | 1 << index
    full = (1 << len(left)) - 1
    row = full
    for token in right:
        matched = row & places.get(token, 0)
        row = (row + matched | row - matched) & full
    return len(left) - row.bit_count()


def _locomo(case: Case, answer: str, *, abstained: bool) -> Metric | None:
    category = case.category[:1]
    if category == "5":
        said = answer.lower()
        return Metric("declined", float(abstained or any(each in said for each in _DECLINED)))
    if case.gold is None:
        return None
    match category:
        case "1":
            return Metric("f1", locomo_parts_f1(answer, case.gold))
        case "3":
            # What follows the semicolon is the annotator's reason, not the answer.
            return Metric("f1", locomo_f1(answer, case.gold.split(";")[0]))
        case _:
            return Metric("f1", locomo_f1(answer, case.gold))


def _longbench(case: Case, answer: str) -> Metric | None:
    golds = [gold for gold in (case.gold, *case.alternatives) if gold is not None]
    if not golds:
        return None
    if case.category in _SUMMARIES:
        return Metric("rouge_l", _best(rouge_l, answer, golds))
    return Metric("f1", _best(squad_f1, answer, golds))


def _best(metric: Callable[[str, str], float], answer: str, golds: Sequence[str]) -> float:
    return max(metric(answer, gold) for gold in golds)


def _f1(said: Sequence[str], wanted: Sequence[str]) -> float:
    common = (Counter(said) & Counter(wanted)).total()
    return _harmonic(common, len(said), len(wanted))


def _harmonic(common: int, said: int, wanted: int) -> float:
    """2PR / (P + R) with P = common/said and R = common/wanted, which is 2·common/(said+wanted)."""
    return 2 * common / (said + wanted) if common else 0.0


def _locomo_tokens(text: str) -> list[str]:
    bare = text.replace(",", "").lower().translate(_UNPUNCTUATED)
    return [_stemmed(word) for word in _LOCOMO_FILLERS.sub(" ", bare).split()]


def _squad_tokens(text: str) -> list[str]:
    return _SQUAD_FILLERS.sub(" ", text.lower().translate(_UNPUNCTUATED)).split()


@lru_cache(maxsize=65536)
def _stemmed(word: str) -> str:
    return str(_stem_porter(word))

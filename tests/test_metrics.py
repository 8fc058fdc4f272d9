"""Official metrics against values worked out by hand, and a second way to compute the LCS."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.evals.cases import Case
from memflow.evals.metrics import (
    Metric,
    common_subsequence,
    locomo_f1,
    locomo_parts_f1,
    official_metric,
    rouge_l,
    squad_f1,
)

WORDS = st.lists(st.sampled_from("a b c d e".split()), max_size=12)


def case(gold: str | None, category: str, *alternatives: str, answerable: bool = True) -> Case:
    return Case("q", "h", "?", gold, category, alternatives=alternatives, answerable=answerable)


def value(kind: str, of: Case, answer: str, *, abstained: bool = False) -> float:
    metric = official_metric(kind, of, answer, abstained=abstained)
    assert metric is not None
    return metric.value


def test_locomo_f1_is_of_stems_without_fillers() -> None:
    assert locomo_f1("She paints and the hiking!", "painting, hikes") == pytest.approx(4 / 5)
    assert locomo_f1("rain", "snow") == 0.0
    assert locomo_f1("", "snow") == 0.0
    # a repeated word counts as often as both have it
    assert locomo_f1("tea tea tea", "tea coffee") == pytest.approx(2 / 5)


def test_locomo_lists_average_the_best_part() -> None:
    assert locomo_parts_f1("jam, green tea", "tea, jam") == pytest.approx((2 / 3 + 1) / 2)
    assert value("locomo", case("tea, jam", "1 multi-hop"), "tea") == pytest.approx(0.5)


def test_locomo_open_domain_leaves_the_reason_out() -> None:
    gold = "Likely yes; she said that she loves the sea"
    assert value("locomo", case(gold, "3 open-domain"), "likely yes") == 1.0
    assert value("locomo", case(gold, "4 single-hop"), "likely yes") < 0.5


@pytest.mark.parametrize(
    ("answer", "abstained", "expected"),
    [
        ("There is No information available.", False, 1.0),
        ("It is not mentioned", False, 1.0),
        ("I could not find that.", True, 1.0),
        ("In Porto.", False, 0.0),
        ("", False, 0.0),
    ],
)
def test_locomo_adversarial_declines(answer: str, abstained: bool, expected: float) -> None:
    adversarial = case(None, "5 adversarial", answerable=False)
    found = official_metric("locomo", adversarial, answer, abstained=abstained)
    assert found == Metric("declined", expected)


def test_longbench_takes_the_best_of_all_golds() -> None:
    questions = case("the Blue Nile", "hotpotqa", "Nile")
    assert value("longbench", questions, "Nile!") == 1.0
    assert value("longbench", questions, "the blue nile") == 1.0
    assert squad_f1("a blue nile river", "the Blue Nile") == pytest.approx(4 / 5)


def test_longbench_summaries_have_rouge_l() -> None:
    summary = case("the cat sat on the mat", "gov_report")
    found = official_metric("longbench", summary, "the cat on a mat")
    assert found is not None
    assert found.name == "rouge_l"
    assert found.value == pytest.approx(2 * 4 / 11)
    assert rouge_l("", "x") == 0.0


def test_sets_without_a_metric_have_none() -> None:
    assert official_metric("longmemeval", case("x", "multi-session"), "x") is None
    assert official_metric("locomo", case(None, "4 single-hop"), "x") is None
    assert official_metric("longbench", case(None, "qasper"), "x") is None


def lcs_by_table(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


@given(WORDS, WORDS)
def test_the_subsequence_in_bits_is_that_of_the_table(left: list[str], right: list[str]) -> None:
    assert common_subsequence(left, right) == lcs_by_table(left, right)


@given(WORDS, WORDS)
def test_metrics_are_shares_and_one_for_the_gold_itself(left: list[str], right: list[str]) -> None:
    said, gold = " ".join(left), " ".join(right)
    for metric in (locomo_f1, squad_f1, rouge_l):
        assert 0.0 <= metric(said, gold) <= 1.0
        assert metric(said, gold) == pytest.approx(metric(gold, said))
    if right:
        assert rouge_l(gold, gold) == 1.0

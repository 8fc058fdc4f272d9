"""Intervals and tests against values worked out by hand, and what must hold for any results."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memflow.evals.stats import bootstrap_mean, mcnemar, paired, wilson

bits = st.lists(st.booleans(), min_size=1, max_size=40)
pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("first_only", "second_only", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 · 1/2
        (5, 0, 0.0625),  # 2 · 1/32
        (1, 9, 0.021484375),  # 2 · (1 + 10)/1024
        (2, 8, 0.109375),  # 2 · (1 + 10 + 45)/1024
        (3, 3, 1.0),  # 2 · (1 + 6 + 15 + 20)/64 is more than 1
    ],
)
def test_mcnemar_by_hand(first_only: int, second_only: int, p: float) -> None:
    assert mcnemar(first_only, second_only) == p
    assert mcnemar(second_only, first_only) == p


def test_mcnemar_of_many_questions() -> None:
    # The normal approximation with continuity correction gives 2.2e-5 for these.
    assert mcnemar(1_000, 1_200) == pytest.approx(2.18e-5, rel=0.02)
    assert mcnemar(0, 5_000) < 1e-300


def test_paired_by_hand() -> None:
    first = [True, True, True, False, True, False]
    second = [True, False, False, True, False, False]

    found = paired(first, second)

    assert (found.n, found.first_only, found.second_only) == (6, 3, 1)
    assert found.difference == pytest.approx(2 / 6, abs=1e-4)
    assert found.p == 0.625  # 2 · (1 + 4)/16
    assert found.interval[0] < found.difference < found.interval[1]


def test_paired_resamples_pairs_not_systems() -> None:
    """Where two systems agree on every question there is nothing uncertain about the difference,
    however uncertain the accuracies are."""
    results = [True, False] * 10

    assert paired(results, results).interval == (0.0, 0.0)
    assert bootstrap_mean([float(each) for each in results]) != (0.5, 0.5)
    with pytest.raises(ValueError, match="paired"):
        paired([True], [True, False])
    assert paired([], []).p == 1.0


@settings(max_examples=40, deadline=None)
@given(results=pairs)
def test_paired_is_antisymmetric_and_repeatable(results: list[tuple[bool, bool]]) -> None:
    first, second = [left for left, _ in results], [right for _, right in results]
    there, back = paired(first, second), paired(second, first)

    assert there == paired(first, second)
    assert there.difference == -back.difference
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]), abs=2e-4)
    assert there.interval[0] - 1e-4 <= there.difference <= there.interval[1] + 1e-4
    assert there.p == back.p
    assert 0 < there.p <= 1


@settings(max_examples=40, deadline=None)
@given(results=bits)
def test_wilson_holds_the_share_and_stays_within_bounds(results: list[bool]) -> None:
    right, n = sum(results), len(results)
    low, high = wilson(right, n)

    assert 0 <= low <= right / n <= high <= 1
    assert low < high
    wider = wilson(right, n)
    narrower = wilson(right * 4, n * 4)
    assert narrower[1] - narrower[0] < wider[1] - wider[0]


def test_wilson_of_nothing_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(0, 10)
    assert low == 0
    assert high == pytest.approx(0.2775, abs=1e-4)

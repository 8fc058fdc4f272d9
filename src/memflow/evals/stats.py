"""Intervals and tests over questions: seeded or exact, so that the same results give the same
figures. Two systems are compared over the questions both answered, never by their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_RESAMPLES = 2_000
_Z = 1.959963984540054  # two-sided 95%


def bootstrap_mean(
    values: Sequence[float], *, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the mean; (0, 0) for no values."""
    if not values:
        return 0.0, 0.0
    low, high = _interval(np.asarray(values, dtype=np.float64), seed, level)
    return round(low, 4), round(high, 4)


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share (Wilson 1927); (0, 1), which says nothing, for n = 0."""
    if n == 0:
        return 0.0, 1.0
    share, square = right / n, _Z * _Z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    # At the ends the bounds are exactly 0 and 1; rounding would leave them just short.
    low = 0.0 if right == 0 else max(0.0, centre - half)
    return low, 1.0 if right == n else min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Paired:
    """Two systems over the same questions: the mean of first minus second with its interval.

    `first_only` and `second_only` count the questions that one got right and the other did not;
    `p` is McNemar's exact p-value of these two counts.
    """

    n: int
    difference: float
    interval: tuple[float, float]
    first_only: int
    second_only: int
    p: float


def paired(first: Sequence[bool], second: Sequence[bool], *, seed: int = 0) -> Paired:
    """Element i of both is the same question. Raises ValueError when the lengths differ."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} results cannot be paired with {len(second)}")
    if not first:
        return Paired(0, 0.0, (0.0, 0.0), 0, 0, 1.0)
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    low, high = _interval(difference, seed, 0.95)
    first_only, second_only = int((difference > 0).sum()), int((difference < 0).sum())
    return Paired(
        n=len(first),
        difference=round(float(difference.mean()), 4),
        interval=(round(low, 4), round(high, 4)),
        first_only=first_only,
        second_only=second_only,
        p=mcnemar(first_only, second_only),
    )


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p-value of McNemar's test: the binomial test that of the questions on which
    two systems differ, each side won half (McNemar 1947); 1 where they never differ."""
    n = first_only + second_only
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(min(first_only, second_only) + 1))
    return min(1.0, float(2 * tail / 2**n))  # exact: whole numbers of any size until the division


def _interval(values: npt.NDArray[np.float64], seed: int, level: float) -> tuple[float, float]:
    """Of the mean, by resampling whole questions."""
    random = np.random.default_rng(seed)
    draws = random.integers(0, len(values), size=(_RESAMPLES, len(values)))
    means = values[draws].mean(axis=1)
    tail = (1 - level) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return float(low), float(high)

"""Intervals: bootstrap over questions, seeded, so that the same results give the same figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_RESAMPLES = 2_000


def bootstrap_mean(
    values: Sequence[float], *, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the mean; (0, 0) for no values."""
    if not values:
        return 0.0, 0.0
    data = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(data), size=(_RESAMPLES, len(data)))
    means = data[draws].mean(axis=1)
    tail = (1 - level) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return round(float(low), 4), round(float(high), 4)

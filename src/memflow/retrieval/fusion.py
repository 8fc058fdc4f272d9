"""Joining the legs of a hybrid pass into one score.

Reciprocal rank fusion (Cormack et al. 2009) uses ranks only; summed z-scores keep how much better
a leg finds its best, which matters when legs differ in strength (docs/log.md).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from memflow.protocols import Floats, Ints

_CONSTANT = 1e-7


def ranked(scores: Floats, keys: Ints) -> Ints:
    """Rows by descending score, ties by ascending key."""
    return np.lexsort((keys, -scores))


def rrf(legs: Mapping[str, Floats], keys: Ints, *, k: int) -> Floats:
    """Σ over legs of 1 / (k + rank); a row that a leg scores 0 gets nothing from it."""
    total = np.zeros(len(keys))
    for scores in legs.values():
        rows = ranked(scores, keys)
        found = rows[scores[rows] > 0]
        total[found] += 1.0 / (k + np.arange(1, len(found) + 1))
    return total


def zscore(legs: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Σ over legs of weight · (score − mean) / deviation; a constant leg adds nothing.

    The means are taken off the sum at the end, so that each leg is read and added once.
    """
    total = np.zeros(len(next(iter(legs.values()), ())))
    part = np.empty_like(total)
    means = 0.0
    for name, scores in legs.items():
        mean = scores.mean()
        # Var x = E x² − (E x)²: exact enough, for no leg's mean is far from 0 beside its spread.
        square = np.multiply(scores, scores, out=part).mean()
        deviation = np.sqrt(max(square - mean * mean, 0.0))
        if deviation > _CONSTANT:
            weight = weights[name] / deviation
            total += np.multiply(scores, weight, out=part)
            means += weight * mean
    total -= means
    return total


def top(scores: Floats, keys: Ints, k: int) -> Ints:
    """The k best rows in order; the same as `ranked(...)[:k]` without sorting everything."""
    if k >= len(scores):
        return ranked(scores, keys)
    # The k-th best score bounds a small set that holds every tie.
    bound = np.partition(scores, len(scores) - k)[len(scores) - k]
    candidates = np.flatnonzero(scores >= bound)
    return candidates[ranked(scores[candidates], keys[candidates])][:k]

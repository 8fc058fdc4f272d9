"""Okapi BM25 over chunks, and over windows of neighbouring chunks, from one postings table.

score(d) = Σ_t idf(t) · tf·(k1+1) / (tf + k1·(1 − b + b·|d|/avg|d|)),
idf(t) = ln(1 + (N − df + 0.5) / (df + 0.5))   (Robertson & Zaragoza 2009, with Lucene's +1)

A window's term frequency is the sum of its chunks', its df the number of windows that hold the
term: both exact, and neither needs a second index.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from memflow.protocols import Floats, Ints
from memflow.retrieval.layout import Layout, spread


@dataclass(frozen=True, slots=True, eq=False)
class LexicalScores:
    """Both of shape (n,), 0 where no query term occurs."""

    chunk: Floats
    window: Floats


def score(
    layout: Layout,
    postings: Mapping[str, tuple[Ints, Ints]],
    weights: Mapping[str, float],
    *,
    k1: float,
    b: float,
) -> LexicalScores:
    """Sum over the terms in `weights` (term → query weight, usually its count in the query)."""
    catalogue = layout.catalogue
    n = catalogue.size
    chunk, window = np.zeros(n), np.zeros(n)
    if not n:
        return LexicalScores(chunk, window)
    lengths = catalogue.lengths.astype(np.float64)
    chunk_norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-9))
    window_norm = k1 * (1 - b + b * layout.window_lengths / max(layout.window_lengths.mean(), 1e-9))
    for term in sorted(weights):
        if term not in postings:
            continue
        keys, counts = postings[term]
        tf = np.zeros(n)
        tf[layout.rows(keys)] = counts
        chunk += weights[term] * _saturate(tf, chunk_norm, k1)
        window += weights[term] * _saturate(spread(tf, layout.reach), window_norm, k1)
    return LexicalScores(chunk, window)


def _saturate(tf: Floats, norm: Floats, k1: float) -> Floats:
    df = np.count_nonzero(tf)
    idf = np.log1p((len(tf) - df + 0.5) / (df + 0.5))
    saturated: Floats = idf * tf * (k1 + 1) / (tf + norm)
    return saturated

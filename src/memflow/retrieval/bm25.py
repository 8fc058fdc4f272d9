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
from memflow.retrieval.layout import Layout


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
    n = layout.catalogue.size
    chunk, window = np.zeros(n), np.zeros(n)
    scratch = np.zeros(n)
    for term in sorted(weights):
        if term not in postings:
            continue
        keys, counts = postings[term]
        rows, known = layout.find(keys)
        tf = counts[known].astype(np.float64)
        norm = k1 * (1 - b + b * layout.lengths[rows] / max(layout.mean_length, 1e-9))
        chunk[rows] += weights[term] * _saturate(tf, norm, k1, n)
        rows, tf = _windowed(rows, tf, layout, scratch)
        lengths = layout.window_lengths[rows]
        norm = k1 * (1 - b + b * lengths / max(layout.mean_window_length, 1e-9))
        window[rows] += weights[term] * _saturate(tf, norm, k1, n)
    return LexicalScores(chunk, window)


def _saturate(tf: Floats, norm: Floats, k1: float, n: int) -> Floats:
    """Of the rows that hold the term, so that their number is its df."""
    df = len(tf)
    idf = np.log1p((n - df + 0.5) / (df + 0.5))
    saturated: Floats = idf * tf * (k1 + 1) / (tf + norm)
    return saturated


def _windowed(rows: Ints, tf: Floats, layout: Layout, scratch: Floats) -> tuple[Ints, Floats]:
    """The windows that hold a term which `rows` hold `tf` times, and how often they do.

    `spread` for the few rows that a term is in; `scratch` is all zero, and so again afterwards.
    """
    scratch[rows] = tf
    held = [rows]
    for step, within in layout.near.items():
        same = within[rows]
        beside = rows[same] + step
        before = scratch[beside]
        held.append(beside[before == 0])
        scratch[beside] = before + tf[same]
    windows = np.concatenate(held)
    total = scratch[windows]
    scratch[windows] = 0.0
    return windows, total

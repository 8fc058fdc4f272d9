"""BM25 against a plain second implementation; fusion's invariants."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.protocols import Catalogue
from memflow.retrieval import bm25, fusion
from memflow.retrieval.layout import Layout

Documents = list[tuple[int, list[str]]]  # (session, terms)
WORDS = st.sampled_from(["ant", "bee", "cat", "dog", "eel"])
CORPUS = st.lists(
    st.tuples(st.integers(0, 2), st.lists(WORDS, min_size=1, max_size=6)), min_size=1, max_size=12
).map(lambda rows: sorted(rows, key=lambda row: row[0]))


def catalogue(documents: Documents) -> Catalogue:
    n = len(documents)
    # Keys deliberately out of reading order.
    keys = np.array([(7 * i + 3) % 101 for i in range(n)], dtype=np.int64)
    return Catalogue(
        version=1,
        keys=keys,
        sessions=np.array([session for session, _ in documents], dtype=np.int64),
        speakers=np.zeros(n, dtype=np.int64),
        roles=np.zeros(n, dtype=np.int64),
        times=np.zeros(n),
        lengths=np.array([len(words) for _, words in documents], dtype=np.int64),
        vectors=np.zeros((0, 0), dtype=np.float32),
        session_names=("a", "b", "c"),
        speaker_names=("x",),
    )


def postings(documents: Documents, keys: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for key, (_, words) in zip(keys, documents, strict=True):
        for word, count in Counter(words).items():
            found.setdefault(word, []).append((int(key), count))
    return {
        word: (
            np.array([key for key, _ in sorted(rows)]),
            np.array([count for _, count in sorted(rows)]),
        )
        for word, rows in found.items()
    }


def okapi(bags: list[Counter[str]], query: list[str], k1: float, b: float) -> list[float]:
    """The textbook formula, document by document."""
    average = sum(bag.total() for bag in bags) / len(bags)
    scores = []
    for bag in bags:
        score = 0.0
        for term in query:
            df = sum(term in other for other in bags)
            if df and bag[term]:
                idf = math.log(1 + (len(bags) - df + 0.5) / (df + 0.5))
                norm = k1 * (1 - b + b * bag.total() / average)
                score += idf * bag[term] * (k1 + 1) / (bag[term] + norm)
        scores.append(score)
    return scores


@given(CORPUS, st.lists(WORDS, min_size=1, max_size=4), st.integers(1, 3))
def test_bm25_equals_the_textbook_on_chunks_and_windows(
    documents: Documents, query: list[str], radius: int
) -> None:
    arrays = catalogue(documents)
    got = bm25.score(
        Layout.of(arrays, radius=radius),
        postings(documents, arrays.keys),
        dict(Counter(query)),
        k1=1.5,
        b=0.75,
    )
    chunks = [Counter(words) for _, words in documents]
    windows = [
        sum(
            (
                chunks[j]
                for j in range(max(0, i - radius), min(len(documents), i + radius + 1))
                if documents[j][0] == documents[i][0]
            ),
            Counter(),
        )
        for i in range(len(documents))
    ]
    assert got.chunk == pytest.approx(okapi(chunks, query, 1.5, 0.75))
    assert got.window == pytest.approx(okapi(windows, query, 1.5, 0.75))


SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5]), min_size=1, max_size=30)


@given(SCORES, st.integers(1, 40), st.randoms())
def test_top_equals_full_ranking_and_breaks_ties_by_key(
    values: list[float], k: int, random: object
) -> None:
    scores = np.array(values)
    keys = np.arange(len(values), dtype=np.int64)
    random.shuffle(keys)  # type: ignore[attr-defined]
    rows = fusion.top(scores, keys, k)
    expected = sorted(range(len(values)), key=lambda row: (-scores[row], keys[row]))[:k]
    assert list(rows) == expected


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=2, max_size=20))
def test_rrf_ignores_the_order_of_legs_and_any_monotone_rescaling(
    pairs: list[tuple[float, float]],
) -> None:
    left = np.array([a for a, _ in pairs])
    right = np.array([b for _, b in pairs])
    keys = np.arange(len(pairs), dtype=np.int64)
    one = fusion.rrf({"a": left, "b": right}, keys, k=60)
    assert one == pytest.approx(fusion.rrf({"b": right, "a": left}, keys, k=60))
    assert one == pytest.approx(fusion.rrf({"a": left * 4, "b": right}, keys, k=60))


def test_a_constant_leg_changes_nothing() -> None:
    legs = {"a": np.array([1.0, 2.0, 4.0])}
    with_constant = legs | {"b": np.array([5.0, 5.0, 5.0])}
    weights = {"a": 1.0, "b": 1.0}
    assert fusion.zscore(with_constant, weights) == pytest.approx(fusion.zscore(legs, weights))

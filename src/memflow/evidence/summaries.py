"""broad-summarization: map over shards of turns, reduce to distinct dated statements.

Extractive: a shard's sentences are kept when they bear on the question, and repeated statements
are kept once. Nothing is worded anew, so nothing is invented; counting is left to code, which
counts the items that the reader names (answering/counting.py).
"""

from __future__ import annotations

import re
from collections import Counter

from memflow.evidence.material import Material, by_time, raw_item
from memflow.text import content_words, fold, similar
from memflow.types import Evidence, Item

# Folded: "how many", "how often", "in how many", "quantos", "cuántas veces" …
_COUNTS = re.compile(
    r"\bhow (?:many|often|frequently)\b|\bnumber of\b|\bcount\b"
    r"|\bquant[oa]s\b|\bcom que frequencia\b|\bcuant[oa]s\b|\bcon que frecuencia\b"
)

_REPEATED = 0.7  # Jaccard of content words
_PER_SHARD = 2
_CROWDED = 0.5  # in fused score, a deviation being about 1


def asks_count(question: str) -> bool:
    """Whether a number of things or times is asked for."""
    return _COUNTS.search(fold(question)) is not None


def summary(material: Material) -> Evidence:
    """Distinct statements over all sessions, oldest first.

    A shard's third statement and later ones step back, so that other shards are heard.
    """
    order = by_time(material.hits)
    kept: list[tuple[Item, set[str]]] = []
    heard: Counter[tuple[str, int]] = Counter()
    for hit in material.hits:  # best first, so that of two repetitions the better stays
        words = content_words(hit.chunk.text)
        if any(similar(words, other, _REPEATED) for _, other in kept):
            continue
        turn = hit.chunk.turn
        shard = (turn.session, turn.position // material.shard_turns)
        heard[shard] += 1
        score = hit.score - _CROWDED * max(0, heard[shard] - _PER_SHARD)
        kept.append((raw_item(hit, order, resolve=False, score=score), words))
    return Evidence(
        items=tuple(item for item, _ in kept),
        hits=material.hits,
        details={"count": asks_count(material.question)},
    )

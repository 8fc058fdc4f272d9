"""One hybrid pass, and the retrieval modes built from passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memflow.errors import EncoderMismatch
from memflow.operations import Operation, RetrievalMode
from memflow.protocols import Encoder, Floats, Ints, SearchIndex, Vector
from memflow.retrieval import bm25, events, fusion, speakers
from memflow.retrieval.anchors import anchors
from memflow.retrieval.layout import Layout, spread
from memflow.retrieval.topic import topic
from memflow.settings import Settings
from memflow.text import STOPWORDS, stem, terms, tokens
from memflow.types import Hit

# Equal say for words, meaning and speaker; meaning is shared by the chunk and its neighbours.
# Where people talk with each other a reply seldom repeats what it is about, so words are looked
# for in the window alone; a user's message to an assistant stands more by itself (docs/log.md).
_BETWEEN_PEOPLE: Mapping[str, float] = {
    "window": 1.0,
    "dense": 0.5,
    "dense_window": 0.5,
    "speaker": 1.0,
}
_WITH_ASSISTANT: Mapping[str, float] = {
    "bm25": 0.5,
    "window": 0.5,
    "dense": 0.5,
    "dense_window": 0.5,
    "speaker": 1.0,
}
# So many vectors stay in the processor's cache while several queries are multiplied with them.
_BLOCK = 256
# The legs whose ranks are told: what the others add is not a ranking of its own.
_RANKED = ("bm25", "dense")
# Counting what is better than so many scores is faster than sorting.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Ranked hits, the queries they were found with, and the events the question compares."""

    hits: tuple[Hit, ...]
    passes: tuple[str, ...]
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Pass:
    scores: Floats
    legs: Mapping[str, Floats]


class Retriever:
    """Ranks a space's chunks for a question, in the mode that an operation names.

    Without an encoder only the lexical and speaker legs vote.
    """

    def __init__(self, index: SearchIndex, encoder: Encoder | None, settings: Settings) -> None:
        self._index = index
        self._encoder = encoder
        self._settings = settings
        self._layouts: dict[str, Layout] = {}
        self._modes: Mapping[RetrievalMode, Callable[[Layout, str, str, int], Retrieved]] = {
            RetrievalMode.PROFILE: self._hybrid,
            RetrievalMode.HYBRID: self._hybrid,
            RetrievalMode.ANCHORED: self._anchored,
            RetrievalMode.EVENTS: self._events,
            RetrievalMode.DIVERSE: self._diverse,
        }

    def retrieve(self, space: str, question: str, operation: Operation) -> Retrieved:
        """Hits in descending score, ties by key; empty for an empty space or question."""
        layout = self.layout(space)
        if not layout.catalogue.size or not question.strip():
            return Retrieved((), ())
        return self._modes[operation.mode](layout, space, question, self._top_k(layout, operation))

    def search(self, space: str, text: str, k: int) -> tuple[Hit, ...]:
        """A plain hybrid pass for whoever wants ranked turns, each with its rank in either leg."""
        layout = self.layout(space)
        if not layout.catalogue.size or not text.strip():
            return ()
        [only] = self._passes(layout, space, [text])
        rows = fusion.top(only.scores, layout.catalogue.keys, k)
        return self._as_hits(layout, space, only, rows, ranked=True)

    def layout(self, space: str) -> Layout:
        """The space's layout, rebuilt when its catalogue has changed."""
        catalogue = self._index.catalogue(space)
        known = self._layouts.get(space)
        if known is None or known.catalogue is not catalogue:
            known = Layout.of(catalogue, radius=self._settings.window_radius)
            self._layouts[space] = known
        return known

    def _top_k(self, layout: Layout, operation: Operation) -> int:
        documents = layout.document_share > 0.5
        return operation.pool * (operation.document_top_k if documents else operation.top_k)

    # ------------------------------------------------------------------- modes

    def _hybrid(self, layout: Layout, space: str, question: str, k: int) -> Retrieved:
        [only] = self._passes(layout, space, [question])
        return Retrieved(self._hits(layout, space, only, k), (question,))

    def _anchored(self, layout: Layout, space: str, question: str, k: int) -> Retrieved:
        """The whole question decides; an entity's own best chunk joins if the question missed it.

        Entity passes are lexical: encoding each would cost more than the rest of retrieval.
        """
        [whole] = self._passes(layout, space, [question])
        keys = layout.catalogue.keys
        found = fusion.top(whole.scores, keys, k)
        names = anchors(question)
        for name in names if len(names) > 1 else ():
            holding = self._holding(layout, space, name)
            best = fusion.top(whole.scores[holding], keys[holding], 2)
            found = np.union1d(found, holding[best])
        found = found[fusion.ranked(whole.scores[found], keys[found])]
        return Retrieved(self._as_hits(layout, space, whole, found), (question, *names))

    def _events(self, layout: Layout, space: str, question: str, k: int) -> Retrieved:
        """One pass for the question and one per event; each event's best hits are kept."""
        spans = events.event_spans(question)
        queries = [question, *spans] if len(spans) > 1 else [question]
        passes = self._passes(layout, space, queries)
        best_pass: dict[int, int] = {}
        for number, one in enumerate(passes):
            # Event passes add their best; the whole question fills the rest.
            count = k if number == 0 else max(4, k // 4)
            for row in fusion.top(one.scores, layout.catalogue.keys, count).tolist():
                known = best_pass.get(row)
                if known is None or one.scores[row] > passes[known].scores[row]:
                    best_pass[row] = number
        hits: list[Hit] = []
        for number, one in enumerate(passes):
            rows = [row for row, best in best_pass.items() if best == number]
            hits += self._as_hits(layout, space, one, np.array(rows, dtype=np.int64))
        hits.sort(key=lambda hit: (-hit.score, hit.chunk.key))
        return Retrieved(tuple(hits), tuple(queries), spans)

    def _diverse(self, layout: Layout, space: str, question: str, k: int) -> Retrieved:
        """No session may hold more than an eighth of the list while others have something."""
        [only] = self._passes(layout, space, [question])
        cap = max(3, k // 8)
        rows = fusion.top(only.scores, layout.catalogue.keys, min(4 * k, layout.catalogue.size))
        taken: Counter[int] = Counter()
        chosen: list[int] = []
        for row in rows:
            session = int(layout.catalogue.sessions[row])
            if taken[session] < cap:
                taken[session] += 1
                chosen.append(int(row))
            if len(chosen) == k:
                break
        return Retrieved(
            self._as_hits(layout, space, only, np.array(chosen, dtype=np.int64)), (question,)
        )

    # ------------------------------------------------------------------- passes

    def _passes(self, layout: Layout, space: str, queries: Sequence[str]) -> list[_Pass]:
        return [
            self._fuse(layout, self._legs(layout, space, query, similarity))
            for query, similarity in zip(queries, self._similarities(layout, queries), strict=True)
        ]

    def _legs(
        self, layout: Layout, space: str, query: str, similarity: Floats | None
    ) -> dict[str, Floats]:
        lexical = self._lexical(layout, space, query)
        legs: dict[str, Floats] = {"bm25": lexical.chunk, "window": lexical.window}
        if similarity is not None:
            legs["dense"] = similarity
            legs["dense_window"] = spread(similarity, layout.reach) / layout.window_sizes
        legs["speaker"] = speakers.leg(query, layout)
        return legs

    def _holding(self, layout: Layout, space: str, query: str) -> Ints:
        """The rows that hold a term of the query, in order."""
        postings = self._index.postings(space, sorted(_counted(query, layout)))
        found = [layout.find(keys)[0] for keys, _ in postings.values()]
        return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)

    def _lexical(self, layout: Layout, space: str, query: str) -> bm25.LexicalScores:
        counted = _counted(query, layout)
        postings = self._index.postings(space, sorted(counted))
        return bm25.score(
            layout,
            postings,
            {term: float(count) for term, count in counted.items()},
            k1=self._settings.bm25_k1,
            b=self._settings.bm25_b,
        )

    def _similarities(self, layout: Layout, queries: Sequence[str]) -> list[Floats | None]:
        vectors = layout.catalogue.vectors
        if self._encoder is None or not len(vectors):
            return [None] * len(queries)
        if vectors.shape[1] != self._encoder.info.dimension:
            raise EncoderMismatch(
                f"the store's vectors have {vectors.shape[1]} dimensions, "
                f"the encoder '{self._encoder.info.name}' makes {self._encoder.info.dimension}",
                mend="open the store with the encoder it was made with",
            )
        encoded: list[Vector] = [
            self._encoder.encode_query(speakers.without_names(topic(query), layout))
            for query in queries
        ]
        return _products(vectors, encoded)

    def _fuse(self, layout: Layout, legs: dict[str, Floats]) -> _Pass:
        if self._settings.fusion == "rrf":
            paper: dict[str, Floats] = {
                name: legs[name] for name in ("bm25", "dense") if name in legs
            }
            scores = fusion.rrf(paper, layout.catalogue.keys, k=self._settings.rrf_k)
        else:
            weights = _WITH_ASSISTANT if layout.assistant_share else _BETWEEN_PEOPLE
            voting = {name: legs[name] for name in weights if name in legs}
            scores = fusion.zscore(voting, weights)
        return _Pass(scores, legs)

    # ------------------------------------------------------------------- hits

    def _hits(self, layout: Layout, space: str, one: _Pass, k: int) -> tuple[Hit, ...]:
        return self._as_hits(layout, space, one, fusion.top(one.scores, layout.catalogue.keys, k))

    def _as_hits(
        self, layout: Layout, space: str, one: _Pass, rows: Ints, *, ranked: bool = False
    ) -> tuple[Hit, ...]:
        """Ranks cost a sort of everything, so that only who shows them asks for them."""
        if not len(rows):
            return ()
        legs = {name: scores for name, scores in one.legs.items() if scores.any()}
        ranks = {name: _ranks(legs[name], rows) for name in _RANKED if ranked and name in legs}
        values = {name: scores[rows].tolist() for name, scores in legs.items()}
        chunks = self._index.chunks(space, layout.catalogue.keys[rows].tolist())
        return tuple(
            Hit(
                chunk=chunk,
                score=float(one.scores[row]),
                ranks={name: rank[place] for name, rank in ranks.items()},
                scores={name: round(own[place], 6) for name, own in values.items()},
            )
            for place, (chunk, row) in enumerate(zip(chunks, rows, strict=True))
        )


def _products(vectors: Vector, queries: Sequence[Vector]) -> list[Floats | None]:
    """Of every query with all vectors, block by block: each is read from memory only once."""
    if len(queries) == 1:
        return [(vectors @ queries[0]).astype(np.float64)]
    products = np.empty((len(queries), len(vectors)))
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK]
        for row, query in zip(products, queries, strict=True):
            row[start : start + _BLOCK] = block @ query
    return list(products)


def _counted(query: str, layout: Layout) -> Counter[str]:
    """The terms to look up, with their counts: the speakers' names have a leg of their own."""
    names = {stem(token) for name in layout.speaker_tokens for token in name}
    counted = Counter(term for term in terms(topic(query)) if term not in names)
    if not counted:  # nothing but names or stopwords: better than nothing
        counted = Counter(terms(query)) or Counter(
            stem(token) for token in tokens(query) if token in STOPWORDS
        )
    return counted


def _ranks(scores: Floats, rows: Ints) -> list[int]:
    """1-based rank of each row in one leg; equal scores share a rank."""
    own = scores[rows]
    distinct = np.unique(own)
    if len(distinct) <= _FEW:
        above = [np.count_nonzero(scores > value) for value in distinct.tolist()]
        counts = np.array(above)[np.searchsorted(distinct, own)]
    else:
        # Only what is better than the worst of them counts, and that is little as a rule.
        better = np.sort(scores[scores > distinct[0]])
        counts = len(better) - np.searchsorted(better, own, side="right")
    ranks: list[int] = (1 + counts).tolist()
    return ranks

"""Memobase: the history is compressed to a profile, and only the profile is searched.

The model reads the history once, while the memory is built, and writes the profile; a question gets
the entries that BM25 ranks best, some 260 tokens of them (the paper's appendix C.3), and the newest
others where there is room. What the profile does not hold is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from math import log1p

from memflow.dates import format_date
from memflow.evals.systems.base import Asker, Flow, Reply, System
from memflow.evals.systems.profiling import Entry, compress
from memflow.evals.systems.reader import Reader, Sheet, fitted, kind_of, one_call, rendered
from memflow.protocols import TokenCounter
from memflow.settings import Settings
from memflow.text import terms
from memflow.types import Item, Message, Packed, Slot
from memflow.wiring import Assembly

HISTORY_TOKENS = 24_000
"""Of a haystack's history the newest so many are read: an hour of a small model's time at most."""
CONTEXT_TOKENS = 260


def memobase(history_tokens: int = HISTORY_TOKENS) -> System:
    """The system; a haystack of more tokens is cut, which every reply then says."""

    def build(assembly: Assembly, space: str) -> Flow[Asker]:
        reader = Reader.of(assembly)
        turns = assembly.store.turns(space)
        profile = yield from compress(turns, history_tokens, reader)
        sheet = Sheet("baseline-answer", kind_of(turns))
        index = _Index(profile.entries, assembly.settings)

        def ask(question: str, now: datetime) -> Flow[Reply]:
            ranked = index.ranked(question)

            def messages(memory: str) -> tuple[Message, ...]:
                return sheet.messages(memory, question, now)

            def memory(tokens: int) -> Packed:
                return _listed(ranked, tokens, reader.counter)

            packed = fitted(memory, CONTEXT_TOKENS, reader, messages)
            return (yield from one_call(packed, reader, messages, reason=profile.remark))

        return ask

    return build


class _Index:
    """Okapi BM25 over the entries, each with its person, topic and subtopic."""

    def __init__(self, entries: Sequence[Entry], settings: Settings) -> None:
        self._entries = entries
        self._counts = [Counter(terms(" ".join((*e.slot, e.fact)))) for e in entries]
        self._lengths = [count.total() for count in self._counts]
        self._mean = sum(self._lengths) / max(len(entries), 1) or 1.0
        self._df = Counter(term for count in self._counts for term in count)
        self._k1, self._b = settings.bm25_k1, settings.bm25_b

    def ranked(self, question: str) -> list[tuple[Entry, float]]:
        """All of them, best first; those of equal score newest first."""
        query = set(terms(question))
        scored = [(e, self._score(n, query)) for n, e in enumerate(self._entries)]
        return sorted(scored, key=lambda pair: (-pair[1], -pair[0].place))

    def _score(self, place: int, query: set[str]) -> float:
        counts, n = self._counts[place], len(self._entries)
        norm = self._k1 * (1 - self._b + self._b * self._lengths[place] / self._mean)
        return sum(
            log1p((n - self._df[term] + 0.5) / (self._df[term] + 0.5))
            * (counts[term] * (self._k1 + 1) / (counts[term] + norm))
            for term in sorted(query & counts.keys())
        )


def _listed(ranked: Sequence[tuple[Entry, float]], budget: int, counter: TokenCounter) -> Packed:
    """The best entries that fit, told oldest first."""
    packed = rendered((), counter)
    for entry, score in ranked:
        shown = sorted([*packed.items, _item(entry, score)], key=lambda item: item.order)
        longer = rendered(shown, counter)
        if longer.tokens > budget:
            break
        packed = longer
    return packed


def _item(entry: Entry, score: float) -> Item:
    time = entry.turns[0].time if entry.turns else None
    said = f" (said {format_date(time.date())})" if time else ""
    return Item(
        Slot.PREPARED,
        f"{entry.person}, {entry.topic}, {entry.subtopic}: {entry.fact}{said}",
        entry.turns,
        score,
        (entry.place, entry.slot, entry.fact),
        heading="Profile:",
    )

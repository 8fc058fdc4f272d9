"""Three priority slots under one ceiling; raw chunks go first, pinned text never (appendix A.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memflow.dates import find_dates
from memflow.errors import PinnedOverflow
from memflow.operations import Operation
from memflow.packing import render, sentences
from memflow.protocols import TokenCounter
from memflow.settings import Settings
from memflow.text import content_words, similar
from memflow.types import Dropped, Evidence, Item, Packed, Slot

# A remainder below this many tokens holds no useful sentence.
_SMALLEST = 12


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens: `ceiling` for the whole context, `raw` for raw chunks within it."""

    ceiling: int
    raw: int


def pack(
    evidence: Evidence,
    operation: Operation,
    budget: Budget,
    counter: TokenCounter,
    question: str,
    settings: Settings,
) -> Packed:
    """Never more than `budget.ceiling` tokens, counted on the rendered text.

    Raises PinnedOverflow when pinned text alone does not fit.
    """
    tray = _Tray(counter, budget)
    pinned = [item for item in evidence.items if item.slot is Slot.PINNED]
    for item in pinned:
        tray.keep(item)
    if pinned and tray.exact() > budget.ceiling:
        raise PinnedOverflow(
            f"pinned text takes {tray.exact()} tokens, the ceiling is {budget.ceiling}",
            mend="unpin something, or use a model with a larger window",
        )
    for item in _by_score(evidence.items, Slot.PREPARED):
        tray.offer(item, tray.left)
    question_words = content_words(question)
    raw_end = tray.used + min(budget.raw, max(tray.left, 0))
    raw = _by_score(evidence.items, Slot.RAW)
    floor = _floor(raw, operation.floor, settings)
    echo = _floor(raw, max(operation.floor, _ECHO_FLOOR), settings)
    rank = 0
    for item in raw:
        if item.score < (floor if item.turns[0].role != "assistant" else echo):
            tray.drop(item, "weak")
            continue
        rank += 1
        short = _condensed(
            item, operation, question_words, settings, whole=rank <= settings.whole_chunks
        )
        tray.offer_raw(short, raw_end, settings.duplicate_jaccard)
    return tray.close()


class _Tray:
    """What is kept so far. `used` sums the lines' tokens: an estimate that `close` makes exact."""

    def __init__(self, counter: TokenCounter, budget: Budget) -> None:
        self._counter = counter
        self._budget = budget
        self._kept: list[tuple[Item, set[str]]] = []
        self._headed: set[object] = set()
        self._dropped: list[Dropped] = []
        self.used = counter.count(render.render(()))

    @property
    def left(self) -> int:
        return self._budget.ceiling - self.used

    def exact(self) -> int:
        return self._counter.count(render.render([item for item, _ in self._kept]))

    def keep(self, item: Item, cost: int | None = None) -> None:
        self._kept.append((item, content_words(item.text)))
        self.used += self._cost(item) if cost is None else cost
        self._headed.add(render.group(item))

    def offer(self, item: Item, room: int) -> None:
        cost = self._cost(item)
        if cost <= room:
            self.keep(item, cost)
        else:
            self.drop(item, "over budget")

    def offer_raw(self, item: Item, end: int, duplicate: float) -> None:
        if end - self.used < _SMALLEST:
            self.drop(item, "over budget")
            return
        words = content_words(item.text)
        for other, other_words in self._kept:
            if other.slot is Slot.RAW and words and similar(words, other_words, duplicate):
                self.drop(item, f"near-duplicate of {other.turns[0].id}")
                return
        self.offer(item, end - self.used)

    def drop(self, item: Item, reason: str) -> None:
        self._dropped.append(Dropped(tuple(turn.id for turn in item.turns), item.slot, reason))

    def close(self) -> Packed:
        """Render in presentation order; the least relevant raw item goes while it is too long."""
        kept = [item for item, _ in self._kept]
        while True:
            shown = sorted(kept, key=_presentation)
            text = render.render(shown)
            tokens = self._counter.count(text)
            spare = [item for item in kept if item.slot is not Slot.PINNED]
            if tokens <= self._budget.ceiling or not spare:
                return Packed(text, tokens, tuple(shown), tuple(self._dropped))
            kept.remove(spare[-1])
            self.drop(spare[-1], "over budget")

    def _cost(self, item: Item) -> int:
        cost = self._counter.count(render.line(item)) + 1
        if render.group(item) not in self._headed:
            cost += self._counter.count(render.header(item)) + 1
        return cost


def _by_score(items: Iterable[Item], slot: Slot) -> list[Item]:
    chosen = [item for item in items if item.slot is slot]
    return sorted(chosen, key=lambda item: (-item.score, item.order, _first_id(item), item.text))


def _first_id(item: Item) -> str:
    return item.turns[0].id if item.turns else ""


_SLOTS = list(Slot)


def _presentation(item: Item) -> tuple[object, ...]:
    """Slots in priority order; inside a slot each item's own `order`."""
    return (_SLOTS.index(item.slot), item.order, _first_id(item), item.text)


# An assistant's line repeats or guesses at what the user said: it must be among the best to stay.
_ECHO_FLOOR = 0.8


def _floor(raw: list[Item], share: float, settings: Settings) -> float:
    """A caller's own budget asks for as much as fits, so that rankings can be compared."""
    if settings.packed_budget or not raw:
        return float("-inf")
    return share * max(raw[0].score, 0.0)


# The best chunks stay whole up to so many words: what names the topic and what answers the
# question may stand in different sentences.
_WHOLE_WORDS = 80


def _condensed(
    item: Item, operation: Operation, question_words: set[str], settings: Settings, *, whole: bool
) -> Item:
    if whole and len(item.text.split()) <= _WHOLE_WORDS:
        return item
    cover = settings.sentence_cover
    if not cover:
        if operation.top_sentences is None:
            return item
        text = sentences.best_sentences(item.text, question_words, operation.top_sentences)
        return replace(item, text=text or item.text)
    dated = operation.top_sentences is None
    anchor = item.turns[0].time

    def bears_value(sentence: str) -> bool:
        """A figure or, where time is asked, a date: often a sentence of its own ("24!")."""
        return any(map(str.isdigit, sentence)) or (
            dated and anchor is not None and bool(find_dates(sentence, anchor))
        )

    return replace(
        item,
        text=sentences.condense(
            item.text,
            question_words,
            cover=cover,
            max_words=operation.chunk_words,
            must_keep=bears_value,
        ),
    )

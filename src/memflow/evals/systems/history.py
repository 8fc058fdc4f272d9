"""History as it stands, cut to a number of tokens: what direct prompting gives its model.

Of conversations the end stays, of documents both ends, as LongBench cuts what is too long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memflow.evals.systems.reader import kind_of, rendered
from memflow.packing import render
from memflow.protocols import TokenCounter
from memflow.types import Item, Packed, SessionKind, Slot, Turn

_WORD = re.compile(r"\S{1,24}")  # of scripts without spaces a piece
# What is left of a turn below this many tokens says nothing.
_SMALLEST = 12
_GAP = "…"
_TRIES = 3
_CHARACTERS = 8  # of one token: with more the whole need not be tried


@dataclass(frozen=True, slots=True)
class _Part:
    """A turn or what is left of it: `turn.text[start:end]`, the turn being the `place`-th."""

    place: int
    turn: Turn
    start: int
    end: int

    def item(self) -> Item:
        before = f"{_GAP} " if self.start else ""
        after = f" {_GAP}" if self.end < len(self.turn.text) else ""
        return Item(
            Slot.RAW,
            f"{before}{self.turn.text[self.start : self.end].strip()}{after}",
            (self.turn,),
            float(self.place),
            (self.place, self.start),
            span=(self.start, self.end),
        )


def cut(turns: Sequence[Turn], budget: int, counter: TokenCounter) -> Packed:
    """At most `budget` tokens of the rendered history, whole turns but for those at the cut."""
    parts = [_Part(place, turn, 0, len(turn.text)) for place, turn in enumerate(turns)]
    if sum(len(turn.text) for turn in turns) <= _CHARACTERS * budget:
        whole = rendered([part.item() for part in parts], counter)
        if whole.tokens <= budget:
            return whole
    choose = _ends if kind_of(turns) is SessionKind.DOCUMENT else _tail
    room = budget - counter.count(f"{render.OPEN}\n{render.CLOSE}")
    best = rendered((), counter)
    for _ in range(_TRIES):
        packed = _within(budget, choose(parts, room, counter), counter)
        if packed.items and (packed.tokens > best.tokens or not best.items):
            best = packed
        # Lines counted one by one are an estimate: what they leave free is filled.
        room += budget - packed.tokens
        if budget - packed.tokens < _SMALLEST or len(packed.items) == len(parts):
            break
    return best


def _within(budget: int, kept: list[_Part], counter: TokenCounter) -> Packed:
    while True:
        packed = rendered([part.item() for part in kept], counter)
        if packed.tokens <= budget or not kept:
            return packed
        kept = _lighter(kept, packed.tokens - budget, counter)


def _tail(parts: Sequence[_Part], room: int, counter: TokenCounter) -> list[_Part]:
    kept: list[_Part] = []
    for part in reversed(parts):
        cost = _cost(part, counter, headed=bool(kept) and _same_session(kept[0], part))
        if cost > room:
            rest = _shortened(part, room, counter, _from_end)
            return [rest, *kept] if rest else kept
        kept.insert(0, part)
        room -= cost
    return kept


def _head(parts: Sequence[_Part], room: int, counter: TokenCounter) -> list[_Part]:
    kept: list[_Part] = []
    for part in parts:
        cost = _cost(part, counter, headed=bool(kept) and _same_session(kept[-1], part))
        if cost > room:
            rest = _shortened(part, room, counter, _from_start)
            return [*kept, rest] if rest else kept
        kept.append(part)
        room -= cost
    return kept


def _ends(parts: Sequence[_Part], room: int, counter: TokenCounter) -> list[_Part]:
    """Everything if it fits, else half the room for the beginning and half for the end."""
    whole = _tail(parts, room, counter)
    if len(whole) == len(parts) and all(part.start == 0 for part in whole):
        return whole
    head = _head(parts, room // 2, counter)
    tail = _tail(parts, room - room // 2, counter)
    if not head or not tail:
        return head or tail
    last, first = head[-1], tail[0]
    if (last.place, last.end) <= (first.place, first.start):
        return head + tail
    return whole  # the halves meet: there is hardly anything to leave out


def _lighter(kept: list[_Part], excess: int, counter: TokenCounter) -> list[_Part]:
    """Without the part next to the cut, or shorter by the excess where it is large enough."""
    place = next((n for n, part in enumerate(kept) if part.start), 0)
    part = kept[place]
    room = _cost(part, counter, headed=False) - excess - 1
    rest = _shortened(part, room, counter, _from_end)
    return kept[:place] + ([rest] if rest and rest != part else []) + kept[place + 1 :]


Cutting = Callable[[_Part, int], _Part]


def _from_end(part: _Part, words: int) -> _Part:
    """The last so many words."""
    found = [part.start + m.start() for m in _words(part)]
    return _Part(part.place, part.turn, found[len(found) - words], part.end)


def _from_start(part: _Part, words: int) -> _Part:
    """The first so many words."""
    found = [part.start + m.end() for m in _words(part)]
    return _Part(part.place, part.turn, part.start, found[words - 1])


def _shortened(part: _Part, room: int, counter: TokenCounter, cutting: Cutting) -> _Part | None:
    """As many words as the room takes; None when they are too few to say anything."""
    if room < _SMALLEST:
        return None
    low, high = 0, len(_words(part))
    while low < high:
        middle = (low + high + 1) // 2
        if _cost(cutting(part, middle), counter, headed=False) <= room:
            low = middle
        else:
            high = middle - 1
    return cutting(part, low) if low else None


def _words(part: _Part) -> list[re.Match[str]]:
    return list(_WORD.finditer(part.turn.text[part.start : part.end]))


def _cost(part: _Part, counter: TokenCounter, *, headed: bool) -> int:
    item = part.item()
    cost = counter.count(render.line(item)) + 1
    return cost if headed else cost + counter.count(render.header(item)) + 1


def _same_session(one: _Part, other: _Part) -> bool:
    return one.turn.session == other.turn.session

"""Which packed turns an answer rests on, best first: what the user is shown as its sources."""

from __future__ import annotations

from memflow.text import content_words, overlap
from memflow.types import Packed, Source, Turn

SHOWN = 6


def sources(
    answer: str, question: str, packed: Packed, first: tuple[Turn, ...]
) -> tuple[Source, ...]:
    """`first` (turns of a computed answer), then packed turns by the words they share.

    Words of the answer that the question lacks count double: they are what was looked up.
    """
    asked = content_words(question)
    own = content_words(answer) - asked
    scored: dict[str, tuple[float, Turn]] = {}
    for item in packed.items:
        words = content_words(item.text)
        score = 2 * overlap(own, words) + overlap(asked, words)
        for turn in item.turns:
            known = scored.get(turn.id)
            if known is None or score > known[0]:
                scored[turn.id] = (score, turn)
    ranked = sorted(scored.values(), key=lambda pair: (-pair[0], pair[1].id))
    turns = dict.fromkeys([*first, *(turn for score, turn in ranked if score > 0)])
    return tuple(
        Source(turn.id, turn.session, turn.time, turn.speaker, turn.text)
        for turn in list(turns)[:SHOWN]
    )

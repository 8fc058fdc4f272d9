"""Direct prompting: the raw history, cut to a fixed number of tokens, before the question.

2,333 and 9,800 tokens as in the paper (appendix C.3). The memory text is the same for all questions
of a haystack, so that a model with a prompt cache reads it once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memflow.evals.systems.base import Asker, Compiled, Compiler, Flow, Reply, System, ready
from memflow.evals.systems.history import cut
from memflow.evals.systems.reader import Reader, Sheet, fitted, kind_of, one_call
from memflow.tokens import HeuristicCounter
from memflow.types import Intent, Message, Packed, Route, RouteLayer
from memflow.wiring import Assembly

SHORT, FULL = 2_333, 9_800
# Stands for whatever is asked, so that the memory does not depend on the question's length.
_ANY_QUESTION = "one two three four five six seven eight " * 24
_ANY_DAY = datetime(2000, 12, 30, tzinfo=UTC)


def direct(limit: int) -> System:
    """A system that shows its model `limit` tokens of history, or what its window leaves."""

    def build(assembly: Assembly, space: str) -> Flow[Asker]:
        reader = Reader.of(assembly)
        turns = assembly.store.turns(space)
        sheet = Sheet("baseline-answer", kind_of(turns))

        def history(tokens: int) -> Packed:
            return cut(turns, tokens, reader.counter)

        def around(question: str, now: datetime) -> Callable[[str], tuple[Message, ...]]:
            return lambda memory: sheet.messages(memory, question, now)

        usual = fitted(history, limit, reader, around(_ANY_QUESTION, _ANY_DAY))
        reason = _cut_short(usual, history(limit))

        def ask(question: str, now: datetime) -> Flow[Reply]:
            messages = around(question, now)
            packed = usual
            if packed is None or reader.over(messages(packed.text)) > 0:
                packed = fitted(history, limit, reader, messages)
            return (yield from one_call(packed, reader, messages, reason=reason))

        return (yield from ready(ask))

    return build


def _cut_short(usual: Packed | None, wanted: Packed) -> str:
    left = usual.tokens if usual else 0
    if left >= wanted.tokens:
        return ""
    return f"the model's window leaves {left:,} of {wanted.tokens:,} tokens of history"


def direct_context(limit: int) -> Callable[[Assembly, str], Compiler]:
    """The same memory, for measuring what evidence it holds."""

    def compiler(assembly: Assembly, space: str) -> Compiler:
        tokens = assembly.settings.packed_budget or limit
        packed = cut(assembly.store.turns(space), tokens, HeuristicCounter())
        compiled = Compiled(
            packed, Route(Intent.TARGETED_EXTRACTION, RouteLayer.FORCED, "no router")
        )
        return lambda _question, _now: compiled

    return compiler

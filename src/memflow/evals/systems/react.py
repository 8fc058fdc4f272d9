"""ReAct (Yao et al. 2023): the model decides when to search, compute and answer.

At most five turns, with the retriever and the deterministic tools that MemFlow has; no check, no
second try (the paper's appendix C.3). The paper names no width of a search; eight results and a
bound in tokens keep five of them within a small window.
"""

from __future__ import annotations

from datetime import datetime

from memflow.answering.tools import run_tools
from memflow.evals.systems.agent import Agent, Observation, converse
from memflow.evals.systems.base import Asker, Flow, Reply, ready
from memflow.evals.systems.commands import Command
from memflow.evals.systems.rag import TOP_K, found_parts
from memflow.evals.systems.reader import NOTHING, Reader, Sheet, closing, kind_of
from memflow.operations import Tool
from memflow.text import fold
from memflow.types import Message, Packed
from memflow.wiring import Assembly

TURNS = 5
SEARCH_TOKENS, SHORTENED = 900, 250
_ALIASES = {"count": Tool.COUNT_OCCURRENCES, **{tool.value: tool for tool in Tool}}


def react(assembly: Assembly, space: str) -> Flow[Asker]:
    reader = Reader.of(assembly)
    sheet = Sheet("baseline-react", kind_of(assembly.store.turns(space)))

    def ask(question: str, now: datetime) -> Flow[Reply]:
        return (
            yield from converse(
                _Acting(assembly, space, reader).agent(sheet, question, now), reader
            )
        )

    return (yield from ready(ask))


class _Acting:
    """The tools of one question, and what they have shown so far."""

    def __init__(self, assembly: Assembly, space: str, reader: Reader) -> None:
        self._retriever = assembly.retriever
        self._space = space
        self._counter = reader.counter
        self._searched: set[str] = set()
        self._shown: list[Packed] = []

    def agent(self, sheet: Sheet, question: str, now: datetime) -> Agent:
        def opening(_: str) -> tuple[Message, ...]:
            return sheet.opened(closing(question, now))

        return Agent(
            names=("search", *_ALIASES),
            final=("finish",),
            opening=opening,
            base=NOTHING,
            act=self.act,
            turns=TURNS,
            keep=TURNS,
            example='Action: search("a few words")',
            last_call=f"No turns are left. Now finish with the answer to: {question.strip()}",
        )

    def act(self, command: Command) -> Observation:
        if command.name == "search":
            return self._search(" ".join((*command.arguments, *command.named.values())))
        arguments = (*command.arguments, *command.named.values())
        line = " | ".join(part.replace("|", " ") for part in arguments)
        tool = _ALIASES[command.name]
        seen = "\n".join(packed.text for packed in self._shown)
        result = run_tools(f"TOOL: {tool} | {line}", tuple(Tool), seen)
        if result is None:
            return Observation("that could not be read")
        return Observation(f"error: {result.error}" if result.error else result.result)

    def _search(self, query: str) -> Observation:
        if not query.strip():
            return Observation('search needs a few words, as in search("rent of the flat")')
        if fold(query).strip() in self._searched:
            return Observation("you searched for that already; use other words, or finish")
        self._searched.add(fold(query).strip())
        hits = self._retriever.search(self._space, query, TOP_K)
        if not hits:
            return Observation("nothing found")
        full, short = (found_parts(hits, n, self._counter) for n in (SEARCH_TOKENS, SHORTENED))
        self._shown.append(full)
        return Observation("", (full, short, NOTHING))

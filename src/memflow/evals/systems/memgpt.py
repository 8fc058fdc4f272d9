"""MemGPT (Packer et al. 2023): a small working memory, and commands by which the model pages.

Working memory holds the newest turns and a core block; everything else is archival. The model may
search it by meaning or by words, ask for further pages and write to the core block: at most four
commands, then it has to answer. Two pages are held; an older one is put away when a third comes.
In all some 1,300 tokens (the paper's appendix C.3: about 1,260). What is written to the core block
lasts for one question, so that answers do not depend on the order of the questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memflow.dates import format_date
from memflow.evals.systems.agent import Agent, Observation, converse
from memflow.evals.systems.base import Asker, Flow, Reply, ready
from memflow.evals.systems.commands import Command
from memflow.evals.systems.history import cut
from memflow.evals.systems.rag import best_turns, found_parts
from memflow.evals.systems.reader import NOTHING, Reader, Sheet, closing, fitted, kind_of
from memflow.retrieval.retriever import Retriever
from memflow.text import fold
from memflow.types import Message, Turn
from memflow.wiring import Assembly

COMMANDS = 4
RECENT_TOKENS, PAGE_TOKENS = 400, 450
PAGE, PAGES, HELD = 5, 6, 2
CORE_CHARACTERS = 600
_PEOPLE = 4
_BY_MEANING, _BY_WORDS, _TO_CORE = "archival_memory_search", "recall_memory", "core_memory_append"


def memgpt(assembly: Assembly, space: str) -> Flow[Asker]:
    reader = Reader.of(assembly)
    turns = assembly.store.turns(space)
    sheet = Sheet("baseline-memgpt", kind_of(turns))
    about = _about(turns)
    by_words = Retriever(assembly.store, None, assembly.settings)

    def ask(question: str, now: datetime) -> Flow[Reply]:
        memory = _Memory(assembly.retriever, by_words, space, reader, about)

        def opening(recent: str) -> Sequence[Message]:
            return sheet.opened(f"{recent}\n\n{memory.core()}\n\n{closing(question, now)}")

        base = fitted(lambda n: cut(turns, n, reader.counter), RECENT_TOKENS, reader, opening)
        agent = Agent(
            names=memory.commands,
            final=("send_message", "finish"),
            opening=opening,
            base=base or NOTHING,
            act=memory.act,
            turns=COMMANDS + 1,
            keep=HELD,
            example=f'{_BY_MEANING}("a few words")',
            last_call=f"No commands are left. Now send the answer to: {question.strip()}",
        )
        return (yield from converse(agent, reader))

    return (yield from ready(ask))


class _Memory:
    """What one question's commands reach: the archive, and the core block they may write to."""

    def __init__(
        self,
        by_meaning: Retriever,
        by_words: Retriever,
        space: str,
        reader: Reader,
        about: str,
    ) -> None:
        self._retrievers = {
            _BY_MEANING: by_meaning,
            _BY_WORDS: by_words,
            # What models write that know the command's purpose but not its name.
            "search": by_meaning,
            "conversation_search": by_words,
        }
        self._space = space
        self._counter = reader.counter
        self._core = [about]
        self._asked: set[tuple[str, str, int]] = set()

    @property
    def commands(self) -> tuple[str, ...]:
        return (*self._retrievers, _TO_CORE)

    def core(self) -> str:
        return "\n- ".join(["Core memory:", *self._core])

    def act(self, command: Command) -> Observation:
        if command.name == _TO_CORE:
            return self._append(" ".join((*command.arguments, *command.named.values())))
        query, page = _query_and_page(command)
        while (command.name, fold(query), page) in self._asked:
            page += 1  # who asks for the same again wants to see more
        self._asked.add((command.name, fold(query), page))
        return self._page(self._retrievers[command.name], query, page)

    def _append(self, text: str) -> Observation:
        line = " ".join(text.split())
        if not line:
            return Observation("nothing to append")
        if sum(map(len, self._core)) + len(line) > CORE_CHARACTERS:
            return Observation("core memory is full")
        self._core.append(line)
        return Observation("appended to core memory")

    def _page(self, retriever: Retriever, query: str, page: int) -> Observation:
        if not query.strip():
            return Observation(f'a search needs a few words, as in {_BY_MEANING}("rent", 1)')
        found = best_turns(retriever, self._space, query, PAGE * PAGES)
        pages = -(-len(found) // PAGE)
        if not found:
            return Observation("nothing found")
        if page > pages:
            return Observation(f"there are only {pages} pages")
        part = found[(page - 1) * PAGE : page * PAGE]
        memory = found_parts(part, PAGE_TOKENS, self._counter)
        return Observation(f"page {page} of {pages}", (memory, NOTHING))


def _query_and_page(command: Command) -> tuple[str, int]:
    """A number in the last place, or one called page, is the page's; all else is the query."""
    words = [value for key, value in command.named.items() if key != "page"]
    words = [*command.arguments, *words]
    page = command.named.get("page", "")
    if not page and len(words) > 1 and words[-1].strip().isdecimal():
        page = words.pop()
    digits = page.strip()[:6]
    return " ".join(words), max(int(digits), 1) if digits.isdecimal() else 1


def _about(turns: Sequence[Turn]) -> str:
    """What the system itself knows of the archive."""
    days = [turn.time.date() for turn in turns if turn.time is not None]
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    people = ", ".join(names[:_PEOPLE]) + (" and others" if len(names) > _PEOPLE else "")
    span = f", {format_date(min(days))} to {format_date(max(days))}" if days else ""
    return f"archive: {len(turns)} messages of {people or 'nobody'}{span}"

"""The façade: a memory, its spaces, and everything one does with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import Any, Self

from memflow import wiring
from memflow.errors import InputError, NotFound, UsageError
from memflow.ingest.incoming import Defaults, Incoming, as_turns
from memflow.ingest.readers import Broken, Row, read_file
from memflow.pipeline import ask as flow
from memflow.pipeline import drivers
from memflow.protocols import ChatModel, Clock, Encoder, Store
from memflow.settings import load
from memflow.types import (
    AddResult,
    Answer,
    Context,
    Fact,
    Hit,
    Intent,
    Message,
    NewTurn,
    Rejected,
    SessionKind,
    Trace,
    Turn,
)

Progress = Callable[[int, int], None]
History = Sequence[Message | Mapping[str, str]]


class Memory:
    """One store of memories, divided into spaces that never see each other.

    Nothing is downloaded or loaded at `open`; the language model is loaded at the first question
    that needs it. Close it, or use it as a context manager.
    """

    def __init__(self, assembly: wiring.Assembly) -> None:
        self._assembly = assembly

    @classmethod
    def open(
        cls,
        path: str | PathLike[str] | None = None,
        *,
        store: Store | None = None,
        chat_model: ChatModel | None = None,
        sentence_encoder: Encoder | None = None,
        clock: Clock | None = None,
        ids: Callable[[], str] | None = None,
        **settings: Any,
    ) -> Self:
        """`settings` are those of `memflow.settings.Settings`, such as `model="ollama:qwen3:1.7b"`.

        Raises SettingsError for a key that does not exist, StoreError when the file cannot be
        used.
        """
        overrides = dict(settings)
        if path is not None:
            overrides["db"] = str(path)
        return cls(
            wiring.assemble(
                load(overrides),
                store=store,
                encoder=sentence_encoder,
                model=chat_model,
                clock=clock,
                ids=ids or wiring.new_id,
            )
        )

    def space(self, name: str | None = None) -> Space:
        """The scope of everything below it; created by the first `add`."""
        return Space(self._assembly, name or self._assembly.settings.space)

    def spaces(self) -> list[str]:
        return self._assembly.store.spaces()

    @property
    def encoder(self) -> Encoder | None:
        """None means that search is by words only."""
        return self._assembly.encoder

    def model(self) -> ChatModel | None:
        """The language model, built now if it was not yet. Raises ModelUnavailable."""
        return self._assembly.model()

    def close(self) -> None:
        self._assembly.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Space:
    """One person's memories. Reading never writes, except that `ask` keeps its trace."""

    def __init__(self, assembly: wiring.Assembly, name: str) -> None:
        if not name.strip():
            raise UsageError("a space needs a name")
        self.name = name
        self._assembly = assembly

    # ------------------------------------------------------------------- writing

    def add(
        self,
        content: Incoming,
        *,
        session: str | None = None,
        speaker: str | None = None,
        time: str | datetime | None = None,
        source: str | None = None,
        id: str | None = None,
        kind: SessionKind | None = None,
        progress: Progress | None = None,
    ) -> AddResult:
        """Messages (OpenAI-style), one text, or a document (`kind=SessionKind.DOCUMENT`).

        Stored durably before anything is derived; the same again is skipped. `time` is the event
        time, used where a message has none of its own.
        """
        defaults = Defaults(session or "default", speaker, time, source, id, kind)
        return self._store(as_turns(content, defaults), progress)

    def add_file(
        self,
        path: str | PathLike[str],
        *,
        format: str = "auto",
        session: str | None = None,
        progress: Progress | None = None,
    ) -> AddResult:
        """A chat export or document; the format is detected unless it is named.

        Raises InputError when nothing of the file can be read; bad rows of a readable file are
        reported in the result, the good ones are kept.
        """
        return self._store(read_file(path, format=format, session=session), progress)

    def _store(self, rows: Iterable[Row], progress: Progress | None) -> AddResult:
        skipped: list[Rejected] = []
        failed: list[Rejected] = []
        notes: list[Rejected] = []
        broken: list[InputError] = []

        def turns() -> Iterator[NewTurn]:
            """One pass for one `append`, which counts repetitions over all it is given."""
            try:
                for row in rows:
                    match row:
                        case NewTurn():
                            yield row
                        case Broken():
                            failed.append(row)
                        case Rejected():
                            skipped.append(row)
                        case _:
                            notes.append(Rejected(row.where, row.text))
            except InputError as error:
                broken.append(error)  # what was good before the break is kept and counted

        result = self._assembly.store.append(self.name, turns())
        self._assembly.rememberer.index_pending(self.name, progress=progress)
        if broken and not (result.stored or result.skipped or skipped or failed):
            raise broken[0]
        failed += [Rejected(error.where, error.reason) for error in broken]
        return result + AddResult((), tuple(skipped), tuple(failed), (), tuple(notes))

    def forget(
        self,
        *,
        turn: str | None = None,
        session: str | None = None,
        before: datetime | None = None,
        matching: str | None = None,
        everything: bool = False,
    ) -> Mapping[str, int]:
        """Really delete turns and all that derives from them; counts by table.

        Takes exactly one of the options.
        """
        given = [turn is not None, session is not None, before is not None, matching is not None]
        if sum([*given, everything]) != 1:
            raise UsageError("forget takes exactly one of turn, session, before, matching, all")
        if turn is not None:
            self.get(turn)
            ids = [turn]
        else:
            needle = (matching or "").casefold()
            ids = [
                stored.id
                for stored in self._assembly.store.turns(self.name, session=session)
                if (before is None or (stored.time is not None and stored.time < before))
                and needle in stored.text.casefold()
            ]
        return self._assembly.store.forget(self.name, ids)

    # ------------------------------------------------------------------- asking

    def ask(
        self,
        question: str,
        *,
        history: History = (),
        now: datetime | None = None,
        use_model: bool = True,
        intent: Intent | str | None = None,
    ) -> Answer:
        """An answer with its sources, or an abstention; never more than four model calls.

        `use_model=False` answers what code alone can, and says so in `reason`.
        """
        request, stages = self._request(question, history, now, use_model, intent)
        model = self._assembly.model() if stages.model is not None else None
        answer = drivers.run(flow.ask(request, stages), model)
        self._assembly.store.save_trace(self.name, answer.trace)
        return answer

    async def ask_async(
        self,
        question: str,
        *,
        history: History = (),
        now: datetime | None = None,
        use_model: bool = True,
        intent: Intent | str | None = None,
    ) -> Answer:
        """The same flow under asyncio."""
        request, stages = await asyncio.to_thread(
            self._request, question, history, now, use_model, intent
        )
        model = self._assembly.model() if stages.model is not None else None
        answer = await drivers.run_async(flow.ask(request, stages), model)
        await asyncio.to_thread(self._assembly.store.save_trace, self.name, answer.trace)
        return answer

    def ask_many(
        self, questions: Sequence[str], *, now: datetime | None = None
    ) -> Sequence[Answer]:
        """Many questions in lock-step, so that their model calls go out as batches."""
        prepared = [self._request(question, (), now, True, None) for question in questions]
        model = self._assembly.model()
        width = model.info.batch if model is not None else 1
        answers: dict[int, Answer] = {}
        flows = (flow.ask(request, stages) for request, stages in prepared)
        for index, answer in drivers.run_lockstep(flows, model, width=width):
            answers[index] = answer
            self._assembly.store.save_trace(self.name, answer.trace)
        return [answers[index] for index in range(len(questions))]

    def context(
        self,
        question: str,
        *,
        now: datetime | None = None,
        intent: Intent | str | None = None,
        use_model: bool = False,
    ) -> Context:
        """The packed prompt, for whoever brings their own model; no model is called by default."""
        request, stages = self._request(question, (), now, use_model, intent)
        model = self._assembly.model() if stages.model is not None else None
        return drivers.run(flow.context(request, stages), model)

    def search(self, text: str, *, k: int = 8) -> tuple[Hit, ...]:
        """Ranked chunks with each leg's rank and score."""
        if k < 1:
            raise UsageError(f"k must be at least 1, got {k}")
        return self._assembly.retriever.search(self.name, text, k)

    def _request(
        self,
        question: str,
        history: History,
        now: datetime | None,
        use_model: bool,
        intent: Intent | str | None,
    ) -> tuple[flow.Request, flow.Stages]:
        if not question.strip():
            raise UsageError("the question is empty")
        moment = now or self._assembly.clock.now()
        if moment.tzinfo is None:
            raise UsageError("now needs a time zone", mend="datetime.now().astimezone()")
        stages = self._assembly.stages(use_model=use_model)
        request = flow.Request(
            question=question,
            space=self.name,
            now=moment,
            history=tuple(map(_as_message, history)),
            use_model=use_model,
            intent=Intent(intent) if intent is not None else None,
        )
        return request, stages

    # ------------------------------------------------------------------- looking

    def get(self, id: str) -> Turn:
        """Raises NotFound."""
        found = self._assembly.store.turns(self.name, ids=[id])
        if not found:
            raise NotFound(f"no turn '{id}' in space '{self.name}'", mend="memflow list")
        return found[0]

    def list(self, *, session: str | None = None) -> Sequence[Turn]:
        """All turns in reading order."""
        return self._assembly.store.turns(self.name, session=session)

    def profile(self) -> Sequence[Fact]:
        """What is known of the user now."""
        return self._assembly.store.facts(self.name)

    def history(self, key: str) -> Sequence[Fact]:
        """All values a fact has had, oldest first, superseded ones included."""
        return self._assembly.store.facts(self.name, key=key, current=False)

    def explain(self, trace_id: str) -> Trace:
        """Why an answer came out so. Raises NotFound."""
        trace = self._assembly.store.trace(self.name, trace_id)
        if trace is None:
            raise NotFound(f"no trace '{trace_id}' in space '{self.name}'")
        return trace

    def stats(self) -> Mapping[str, Any]:
        return self._assembly.store.stats(self.name)


def _as_message(message: Message | Mapping[str, str]) -> Message:
    if isinstance(message, Message):
        return message
    try:
        return Message(message["role"], message["content"])
    except KeyError as missing:
        raise UsageError(f"a history message lacks {missing}") from None

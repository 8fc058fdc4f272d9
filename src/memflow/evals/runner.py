"""Answers of several systems to a set's questions, kept as they come; judging is a later pass.

A haystack is ingested once for all systems. A system is built over it, then its questions go
through the flow in lock-step, as many at once as the model computes in one batch.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memflow.errors import ModelUnavailable, UsageError
from memflow.evals import provenance
from memflow.evals.cases import Case, Dataset, Haystack
from memflow.evals.choices import check_systems, chosen, of_categories
from memflow.evals.coverage import coverage
from memflow.evals.driving import BuildFailed, Building, Lasting, Outcome, attempt
from memflow.evals.haystacks import SPACE, asked_at, cached_encoder, remembered
from memflow.evals.journal import Journal
from memflow.evals.results import STAGES, Folder, Key, Line, fingerprint
from memflow.evals.systems import SYSTEMS
from memflow.evals.systems.base import Asker, Flow, Reply, System
from memflow.pipeline import drivers
from memflow.protocols import ChatModel, Encoder
from memflow.settings import Settings
from memflow.types import Packed, Usage
from memflow.wiring import Assembly, model_for

Progress = Callable[[int, int], None]

PATIENCE_S = 900.0
"""Seconds that a model call may take at least: in a measurement a time-out says more about the
machine's other work than about the system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`packed_budget` caps the packed context, 0 leaves each operation's own budgets. `fillers`
    is the number of filler sessions the haystacks were made with, for the record."""

    systems: tuple[str, ...] = ("memflow",)
    packed_budget: int = 0
    categories: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    fillers: int | None = None
    resume: bool = False


def run(
    dataset: Dataset,
    options: Options,
    settings: Settings,
    folder: Folder,
    *,
    model: ChatModel | None = None,
    encoder: Encoder | None = None,
    systems: Mapping[str, System] = SYSTEMS,
    progress: Progress | None = None,
) -> None:
    """Ask every system every chosen question that `folder` has no line of yet.

    Raises UsageError for an unknown system or category, and for a resume that differs in what the
    figures depend on; ModelGone when the model goes away, which leaves what is done to be resumed.
    """
    check_systems(options.systems, systems)
    settings = replace(settings, packed_budget=options.packed_budget)
    picked = of_categories(dataset.cases, options.categories)
    dataset = dataset.only(chosen(picked, options.limit, options.seed))
    with contextlib.ExitStack() as stack:
        shared = stack.enter_context(cached_encoder(settings, encoder))
        model = model or opened(settings, stack)
        configuration = _configuration(dataset, options, settings, model, shared)
        configuration["of"] = len(picked)
        revision = _begin(folder, dataset, options, configuration, model.info.batch)
        journal = stack.enter_context(Journal(folder.answers))
        building = Building(stack.enter_context(Journal(folder.builds)))
        this = _Run(dataset, options.systems, settings, shared, Lasting(model), systems, revision)
        this.to_the_end(journal, building, progress)


def opened(settings: Settings, stack: contextlib.ExitStack) -> ChatModel:
    """The model that the settings name, closed with the stack."""
    patient = replace(settings, model_timeout_s=max(settings.model_timeout_s, PATIENCE_S))
    model = model_for(patient)
    if model is None:
        raise ModelUnavailable("no language model is chosen", mend="name one with --model")
    close = getattr(model, "close", None)
    if close is not None:
        stack.callback(close)
    return model


def _configuration(
    dataset: Dataset, options: Options, settings: Settings, model: ChatModel, encoder: Encoder
) -> dict[str, Any]:
    """What the figures depend on, and a resume must agree with."""
    return {
        "set": dataset.kind,
        "data": dataset.name,
        "categories": sorted({case.category for case in dataset.cases}),
        "questions": len(dataset.cases),
        "haystacks": len(dataset.haystacks),
        "turns": sum(len(haystack.turns) for haystack in dataset.haystacks),
        "fillers": options.fillers,
        "fingerprint": fingerprint(dataset),
        "limit": options.limit,
        "seed": options.seed,
        "packed_budget": options.packed_budget,
        "model": provenance.model_record(settings.model, model),
        "encoder": encoder.info.fingerprint,
        "settings": provenance.changed_settings(settings),
    }


def _begin(
    folder: Folder, dataset: Dataset, options: Options, configuration: dict[str, Any], batch: int
) -> str:
    """Write the header, or check it and add to it; this process's revision."""
    revision = provenance.revision()
    header = folder.read_header()
    if header is not None and not options.resume:
        raise UsageError(
            f"{folder.path} already holds a run", mend="--resume goes on with it, or choose another"
        )
    if header is None:
        folder.write_cases(dataset.cases)
        header = {"configuration": configuration, "systems": [], "revisions": [], "runs": []}
    provenance.must_agree(header["configuration"], configuration, str(folder.path))
    header["configuration"] = configuration
    header["systems"] = list(dict.fromkeys((*header["systems"], *options.systems)))
    header["revisions"] = list(dict.fromkeys((*header["revisions"], revision)))
    this = {"revision": revision, "batch": batch, "machine": provenance.machine()}
    if this not in header["runs"]:
        header["runs"].append(this)
    # What the loader dropped or found odd belongs to the data, not to the configuration.
    header["notes"] = [{"what": note.what, "count": note.count} for note in dataset.notes]
    folder.write_header(header)
    return revision


@dataclass(frozen=True, slots=True)
class _Run:
    dataset: Dataset
    names: tuple[str, ...]
    settings: Settings
    encoder: Encoder
    model: ChatModel
    systems: Mapping[str, System]
    revision: str

    def to_the_end(self, journal: Journal, building: Building, progress: Progress | None) -> None:
        done = {(row["id"], row["system"]) for row in journal.rows}
        total = sum(
            (case.id, system) not in done for case in self.dataset.cases for system in self.names
        )
        if not total:
            return
        if progress:
            progress(0, total)
        self.model.counter.count("")  # loads the model, so that no question waits for it
        for count, line in enumerate(self._lines(done, building), start=1):
            journal.append(line.as_json())
            if progress:
                progress(count, total)

    def _lines(self, done: set[Key], building: Building) -> Iterator[Line]:
        for haystack in self.dataset.haystacks:
            cases = [case for case in self.dataset.cases if case.group == haystack.id]
            left = {
                system: [case for case in cases if (case.id, system) not in done]
                for system in self.names
            }
            if not any(left.values()):
                continue
            with remembered(haystack, self.settings, self.encoder, self.model) as assembly:
                for system, open_cases in left.items():
                    if open_cases:
                        yield from self._of_system(system, haystack, open_cases, assembly, building)

    def _of_system(
        self,
        system: str,
        haystack: Haystack,
        cases: Sequence[Case],
        assembly: Assembly,
        building: Building,
    ) -> Iterator[Line]:
        build = building.replayed(haystack.id, system, self.systems[system](assembly, SPACE))
        built = drivers.run(attempt(build), self.model)
        texts = {turn.id: turn.text for turn in haystack.turns if turn.id}
        flows = (attempt(_asked(built, case.question, asked_at(case, haystack))) for case in cases)
        before = time.perf_counter()
        width = self.model.info.batch
        for index, outcome in drivers.run_lockstep(flows, self.model, width=width):
            line = self._line(system, cases[index], outcome, texts)
            now = time.perf_counter()
            yield replace(line, wall_ms=round((now - before) * 1000, 1))
            before = now

    def _line(
        self, system: str, case: Case, outcome: Outcome[Reply], texts: Mapping[str, str]
    ) -> Line:
        reply = outcome.value or Reply(text="", packed=Packed("", 0, ()), usage=Usage())
        found = coverage(reply.packed, {id: texts[id] for id in case.gold_turns})
        return Line(
            id=case.id,
            group=case.group,
            category=case.category,
            system=system,
            question=case.question,
            gold=case.gold,
            answerable=case.answerable,
            answer=reply.text,
            abstained=reply.abstained,
            reason=reply.reason,
            intent=reply.intent,
            layer=reply.layer,
            escalated=reply.escalated,
            covered=dict(found.covered),
            first_rank=found.first_rank,
            packed_tokens=reply.packed.tokens,
            tokens={stage: getattr(reply.usage, stage) for stage in STAGES},
            # As they passed by: a system that failed has told nothing of what it spent.
            prompt_tokens=outcome.prompt_tokens,
            completion_tokens=outcome.completion_tokens,
            model_calls=len(outcome.calls),
            calls=reply.calls or tuple(outcome.calls),
            milliseconds=outcome.milliseconds,
            error=outcome.error,
            revision=self.revision,
        )


def _asked(built: Outcome[Asker], question: str, now: datetime) -> Flow[Reply]:
    if built.value is None:
        raise BuildFailed(f"its memory could not be built: {built.error}")
    return (yield from built.value(question, now))

"""Evidence covered, without any model call: what a system finds and packs for each question."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memflow.evals.cases import Case, Dataset, Haystack
from memflow.evals.choices import check_systems, chosen
from memflow.evals.coverage import coverage
from memflow.evals.haystacks import SPACE, asked_at, cached_encoder, remembered
from memflow.evals.stats import bootstrap_mean
from memflow.evals.systems import Compiler, compilers
from memflow.protocols import Encoder
from memflow.settings import Settings

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Line:
    """One question under one system; `covered` maps gold turn ids to whether they are covered."""

    id: str
    category: str
    system: str
    answerable: bool
    intent: str
    layer: str
    packed_tokens: int
    covered: Mapping[str, bool]
    first_rank: int
    milliseconds: float

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """`packed_budget` caps the packed context, 0 leaves each operation's own budgets."""

    systems: tuple[str, ...] = ("memflow",)
    packed_budget: int = 0
    limit: int | None = None
    seed: int = 0
    out: Path | None = None
    resume: bool = False


def run(
    dataset: Dataset,
    options: Options,
    settings: Settings,
    *,
    progress: Progress | None = None,
    encoder: Encoder | None = None,
) -> dict[str, Any]:
    """A report for each system, as the command line prints it.

    Lines are appended to `out/retrieval.jsonl` as they are made, so that a killed run resumes.
    Raises UsageError for an unknown system.
    """
    settings = replace(settings, packed_budget=options.packed_budget)
    check_systems(options.systems, compilers)
    cases = chosen(dataset.cases, options.limit, options.seed)
    done = _earlier(options) if options.resume else {}
    lines: list[Line] = []
    started = time.perf_counter()
    with cached_encoder(settings, encoder) as shared:
        for line in _lines(dataset.only(cases), options, settings, shared, done):
            if (line.id, line.system) not in done:
                _keep(options, line)
            lines.append(line)
            if progress:
                progress(len(lines), len(cases) * len(options.systems))
    wall = time.perf_counter() - started
    return {
        "data": dataset.name,
        "encoder": shared.info.name,
        "packed_budget": options.packed_budget,
        "seed": options.seed,
        "wall_s": round(wall, 1),
        "notes": [{"what": note.what, "count": note.count} for note in dataset.notes],
        "systems": {
            system: summary([line for line in lines if line.system == system])
            for system in options.systems
        },
    }


def summary(lines: Sequence[Line]) -> dict[str, Any]:
    """Overall figures are over answerable questions with gold turns; categories stand apart."""
    counted = [line for line in lines if line.answerable and line.covered]
    categories = sorted({line.category for line in lines})
    return {
        **_figures(counted),
        "by_type": {
            category: _figures(
                [line for line in lines if line.category == category and line.covered]
            )
            for category in categories
        },
        "by_intent": {
            intent: _figures([line for line in counted if line.intent == intent])
            for intent in sorted({line.intent for line in counted})
        },
        "without_gold_turns": sum(not line.covered for line in lines),
        "model_calls_mean": 0.0,
        "model_calls_max": 0,
    }


def _figures(lines: Sequence[Line]) -> dict[str, Any]:
    some = [float(any(line.covered.values())) for line in lines]
    every = [float(all(line.covered.values())) for line in lines]
    n = max(len(lines), 1)
    return {
        "n": len(lines),
        "evidence_any": round(sum(some) / n, 4),
        "evidence_any_ci": bootstrap_mean(some),
        "evidence_all": round(sum(every) / n, 4),
        "evidence_all_ci": bootstrap_mean(every),
        "reciprocal_rank": round(
            sum(1 / line.first_rank for line in lines if line.first_rank) / n, 4
        ),
        "packed_tokens_mean": round(sum(line.packed_tokens for line in lines) / n, 1),
        "milliseconds_mean": round(sum(line.milliseconds for line in lines) / n, 1),
    }


# --------------------------------------------------------------------------- one haystack a time


def _lines(
    dataset: Dataset,
    options: Options,
    settings: Settings,
    encoder: Encoder,
    done: Mapping[tuple[str, str], Line],
) -> Iterator[Line]:
    for haystack in dataset.haystacks:
        cases = [case for case in dataset.cases if case.group == haystack.id]
        if all((case.id, system) in done for case in cases for system in options.systems):
            yield from (done[case.id, system] for case in cases for system in options.systems)
            continue
        texts = {turn.id: turn.text for turn in haystack.turns if turn.id}
        with remembered(haystack, settings, encoder) as assembly:
            made = {system: compilers[system](assembly, SPACE) for system in options.systems}
            for case in cases:
                for system, compiler in made.items():
                    known = done.get((case.id, system))
                    yield known or _line(case, system, compiler, texts, haystack)


def _line(
    case: Case, system: str, compiler: Compiler, texts: Mapping[str, str], haystack: Haystack
) -> Line:
    started = time.perf_counter()
    compiled = compiler(case.question, asked_at(case, haystack))
    took = (time.perf_counter() - started) * 1000
    found = coverage(compiled.packed, {id: texts[id] for id in case.gold_turns})
    return Line(
        id=case.id,
        category=case.category,
        system=system,
        answerable=case.answerable,
        intent=compiled.route.intent.value,
        layer=compiled.route.layer.value,
        packed_tokens=compiled.packed.tokens,
        covered=dict(found.covered),
        first_rank=found.first_rank,
        milliseconds=round(took, 1),
    )


# --------------------------------------------------------------------------- kept, resumed


def _path(options: Options) -> Path | None:
    return options.out / "retrieval.jsonl" if options.out else None


def _earlier(options: Options) -> dict[tuple[str, str], Line]:
    path = _path(options)
    if path is None or not path.is_file():
        return {}
    lines: dict[tuple[str, str], Line] = {}
    for row in path.read_text(encoding="utf-8").splitlines():
        try:
            line = Line(**json.loads(row))
        except (ValueError, TypeError):
            continue  # the line at which the run was killed
        lines[line.id, line.system] = line
    return lines


def _keep(options: Options, line: Line) -> None:
    path = _path(options)
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line.as_json(), ensure_ascii=False) + "\n")

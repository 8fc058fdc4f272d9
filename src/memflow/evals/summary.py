"""The figures of a run: answers, verdicts and official metrics brought together, system by system.

Accuracy is over all questions a system was asked: one that failed or declined is there too. Only
answers that the judge has not come to yet are left out of it, and counted as `unjudged`.
Evidence covered is over the answerable questions with gold turns, and says nothing of accuracy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from memflow.errors import UsageError
from memflow.evals.journal import read_rows
from memflow.evals.judge import JudgedBy
from memflow.evals.metrics import official_metric
from memflow.evals.results import STAGES, Folder, Line, Verdict, digest
from memflow.evals.stats import Paired, bootstrap_mean, paired, wilson
from memflow.evals.verdicts import NONE, OVERLAP, agreements


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer and what was thought of it; `verdict` is None where nobody judged it."""

    line: Line
    verdict: Verdict | None

    @property
    def correct(self) -> bool:
        return self.verdict is not None and self.verdict.correct


@dataclass(frozen=True, slots=True)
class Building:
    """Model calls that made a system's memory of its haystacks, and their tokens."""

    haystacks: int
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Run:
    """A folder of results as read: `judge` "" where no judge has been over it; `built` has the
    systems that asked the model before any question."""

    path: Path
    header: Mapping[str, Any]
    judge: str
    scored: tuple[Scored, ...]
    built: Mapping[str, Building] = field(default_factory=dict)

    @property
    def configuration(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.header["configuration"]
        return found

    @property
    def systems(self) -> list[str]:
        """Those with answers, in the order in which they were asked for."""
        present = {each.line.system for each in self.scored}
        return [name for name in self.header["systems"] if name in present]

    @property
    def model(self) -> str:
        return str((self.configuration["model"] or {}).get("name", ""))

    def of(self, system: str) -> list[Scored]:
        return [each for each in self.scored if each.line.system == system]


def read_run(path: Path, judge: str | None = None) -> Run:
    """The run in a folder, with the verdicts of `judge`, or "none" of them.

    By default those of its only judge, or of the only model among several. Raises UsageError when
    there is no run, no such judge, or no telling which.
    """
    folder = Folder(path)
    header = folder.required_header()
    verdicts = _verdicts(folder, judge)
    cases = {case.id: case for case in folder.read_cases()}
    kind = header["configuration"]["set"]
    scored = []
    for line in {line.key: line for line in folder.read_lines()}.values():
        if line.id in cases:
            # Recomputed while the gold is here, so that it is always this version's metric.
            case = cases[line.id]
            found = official_metric(kind, case, line.answer, abstained=line.abstained)
            line = replace(line, metric={found.name: found.value} if found else {})
        verdict = verdicts.get(line.key)
        current = verdict is not None and verdict.answer == digest(line.answer)
        scored.append(Scored(line, verdict if current else None))
    name = next((verdict.judge for verdict in verdicts.values()), "")
    return Run(path, header, name, tuple(scored), _built(folder))


def _built(folder: Folder) -> dict[str, Building]:
    by_system: dict[str, list[dict[str, Any]]] = {}
    for row in read_rows(folder.builds):
        by_system.setdefault(row["system"], []).append(row)
    return {
        system: Building(
            haystacks=len({row["group"] for row in rows}),
            calls=len(rows),
            tokens=sum(row["prompt_tokens"] + row["completion_tokens"] for row in rows),
        )
        for system, rows in by_system.items()
    }


def _verdicts(folder: Folder, judge: str | None) -> dict[tuple[str, str], Verdict]:
    by_judge: dict[str, dict[tuple[str, str], Verdict]] = {}
    for path in folder.judges():
        rows = folder.read_verdicts(path)
        if rows:
            by_judge[rows[0].judge] = {row.key: row for row in rows}
    if judge == NONE:
        return {}
    if judge is not None:
        if judge not in by_judge:
            known = ", ".join(by_judge) or "no judge yet"
            raise UsageError(
                f"'{judge}' has not judged {folder.path}",
                mend=f"there is {known}; memflow eval judge-answers {folder.path} --judge {judge}",
            )
        return by_judge[judge]
    models = [name for name in by_judge if name != OVERLAP]
    if len(models) > 1:
        raise UsageError(
            f"{folder.path} was judged by {', '.join(models)}", mend="choose one with --judge"
        )
    chosen = models or list(by_judge)
    return by_judge[chosen[0]] if chosen else {}


# --------------------------------------------------------------------------- figures


def summarise(run: Run, *, wanted: Sequence[str] = ()) -> dict[str, Any]:
    """What `memflow eval SET` prints as JSON, for these systems or all."""
    configuration = run.configuration
    return {
        "set": configuration["set"],
        "data": configuration["data"],
        "categories": configuration["categories"],
        "questions": configuration["questions"],
        "of": configuration["of"],
        "fillers": configuration["fillers"],
        "limit": configuration["limit"],
        "seed": configuration["seed"],
        "packed_budget": configuration["packed_budget"],
        "model": configuration["model"],
        "encoder": configuration["encoder"],
        "settings": configuration["settings"],
        "revision": run.header["revisions"][-1],
        "revisions": run.header["revisions"],
        "judge": judge_record(run),
        "notes": run.header.get("notes", []),
        "systems": {
            system: figures(run.of(system), judged=bool(run.judge))
            | {"built": asdict(run.built[system]) if system in run.built else None}
            for system in (wanted or run.systems)
        },
        "differences": [
            {"first": first, "second": second, **difference_record(run, first, second)}
            for first, second in _pairs(wanted or run.systems)
        ]
        if run.judge
        else [],
    }


def _pairs(systems: Sequence[str]) -> list[tuple[str, str]]:
    """The product against each other; without it, the first against the rest."""
    if not systems:
        return []
    first = "memflow" if "memflow" in systems else systems[0]
    return [(first, system) for system in systems if system != first]


def judge_record(run: Run) -> dict[str, Any] | None:
    """Who judged, whether it is the model that answered, and how far it agrees with others."""
    if not run.judge:
        return None
    verdicts = [each.verdict for each in run.scored if each.verdict is not None]
    return {
        "name": run.judge,
        "same_as_model": run.judge == run.model,
        "by": _counts(verdict.by for verdict in verdicts),
        "overlap_share": _share(verdict.by == JudgedBy.OVERLAP for verdict in verdicts),
        "unjudged": len(run.scored) - len(verdicts),
        "agreement": agreement_of(run.judge),
    }


def agreement_of(judge: str) -> dict[str, Any] | None:
    found = agreements().get("judges", {}).get(judge)
    return dict(found) if found else None


def figures(scored: Sequence[Scored], *, judged: bool) -> dict[str, Any]:
    """Of one system over the questions it was asked."""
    lines = [each.line for each in scored]
    kinds = sorted({line.category for line in lines})
    return {
        **_core(scored, judged=judged),
        "by_type": {
            kind: _core([each for each in scored if each.line.category == kind], judged=judged)
            for kind in kinds
        },
        "by_intent": {
            intent: _core([each for each in scored if each.line.intent == intent], judged=judged)
            for intent in sorted({line.intent for line in lines if line.intent})
        },
        "layers": _counts(line.layer for line in lines if line.layer),
        "stages": {stage: stage_figures(lines, stage) for stage in STAGES},
        "model_calls_max": max((line.model_calls for line in lines), default=0),
        "errors": _counts(line.error.partition(":")[0] for line in lines if line.error),
        "call_errors": sum(any("error" in call for call in line.calls) for line in lines),
        "wall_s": round(sum(line.wall_ms for line in lines) / 1000, 1),
    }


def _core(scored: Sequence[Scored], *, judged: bool) -> dict[str, Any]:
    lines = [each.line for each in scored]
    with_gold = [line for line in lines if line.answerable and line.covered]
    right = [each.correct for each in scored if each.verdict is not None]
    accuracy = {
        "accuracy": _share(right),
        "accuracy_ci": tuple(round(bound, 4) for bound in wilson(sum(right), len(right))),
        "unjudged": len(scored) - len(right),
    }
    some = [float(any(line.covered.values())) for line in with_gold]
    every = [float(all(line.covered.values())) for line in with_gold]
    return {
        "n": len(lines),
        **(accuracy if judged else {}),
        "packed_tokens_mean": _mean([line.packed_tokens for line in lines], 1),
        "packed_tokens_median": median([line.packed_tokens for line in lines] or [0]),
        "pipeline_tokens_mean": _mean([pipeline_tokens(line) for line in lines], 1),
        "pipeline_tokens_median": median([pipeline_tokens(line) for line in lines] or [0]),
        "prompt_tokens_mean": _mean([line.prompt_tokens for line in lines], 1),
        "completion_tokens_mean": _mean([line.completion_tokens for line in lines], 1),
        "tokens": {
            stage: _mean([line.tokens.get(stage, 0) for line in lines], 1) for stage in STAGES
        },
        "model_calls_mean": _mean([line.model_calls for line in lines], 2),
        "abstained": sum(line.abstained for line in lines),
        "escalated": sum(line.escalated for line in lines),
        "abstained_share": _share(line.abstained for line in lines),
        "escalated_share": _share(line.escalated for line in lines),
        "failed": sum(line.error is not None for line in lines),
        "evidence_n": len(with_gold),
        "evidence_any": _mean(some),
        "evidence_all": _mean(every),
        "metrics": metric_means(lines),
        "milliseconds_mean": _mean([line.milliseconds for line in lines], 1),
    }


def pipeline_tokens(line: Line) -> int:
    return line.prompt_tokens + line.completion_tokens


def stage_figures(lines: Sequence[Line], stage: str) -> dict[str, Any]:
    """How often a stage consulted the model, and its tokens where it did."""
    spent = [tokens for line in lines if (tokens := line.tokens.get(stage, 0))]
    whole = sum(pipeline_tokens(line) for line in lines)
    return {
        "share": _share(bool(line.tokens.get(stage, 0)) for line in lines),
        "tokens_mean": _mean(spent, 1),
        "tokens_median": median(spent or [0]),
        "weight": round(sum(spent) / whole, 4) if whole else 0.0,
    }


def metric_means(lines: Sequence[Line]) -> dict[str, dict[str, Any]]:
    """Each official metric over the questions that have it."""
    values: dict[str, list[float]] = {}
    for line in lines:
        for name, value in (line.metric or {}).items():
            values.setdefault(name, []).append(value)
    return {
        name: {"n": len(found), "mean": _mean(found), "ci": bootstrap_mean(found)}
        for name, found in sorted(values.items())
    }


def compared(run: Run, first: str, second: str) -> Paired:
    """Two systems' verdicts, over the questions that both were asked."""
    return pair_up(run.of(first), run.of(second))


def pair_up(first: Iterable[Scored], second: Iterable[Scored]) -> Paired:
    left = {each.line.id: each.correct for each in first if each.verdict is not None}
    right = {each.line.id: each.correct for each in second if each.verdict is not None}
    both = [id for id in left if id in right]
    return paired([left[id] for id in both], [right[id] for id in both])


def difference_record(run: Run, first: str, second: str) -> dict[str, Any]:
    found = compared(run, first, second)
    return {
        "n": found.n,
        "difference": found.difference,
        "ci": found.interval,
        "first_only": found.first_only,
        "second_only": found.second_only,
        "p": round(found.p, 6),
    }


def _counts(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _mean(values: Sequence[float], digits: int = 4) -> float:
    return round(sum(values) / len(values), digits) if values else 0.0


def _share(values: Iterable[bool]) -> float:
    return _mean([float(value) for value in values])

"""Several runs read as one study: what was measured on which set by which model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memflow.errors import UsageError
from memflow.evals.summary import Building, Run, Scored, read_run

TITLES: Mapping[str, str] = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval",
    "longbench": "LongBench",
    "realmem": "RealMem",
    "multichallenge": "MultiChallenge",
}
_ORDER = tuple(TITLES)
PRODUCT = "memflow"


@dataclass(frozen=True, slots=True)
class Measured:
    """One set under one model and configuration; `runs` are the folders that hold its systems.

    `label` names it in a table's head, and is the only one of its name for its model.
    """

    label: str
    runs: tuple[Run, ...]

    @property
    def configuration(self) -> Mapping[str, Any]:
        return self.runs[0].configuration

    @property
    def set(self) -> str:
        return str(self.configuration["set"])

    @property
    def model(self) -> str:
        return self.runs[0].model

    @property
    def categories(self) -> list[str]:
        return list(self.configuration["categories"])

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(name for run in self.runs for name in run.systems))

    @property
    def judges(self) -> list[str]:
        return list(dict.fromkeys(run.judge for run in self.runs if run.judge))

    @property
    def judged(self) -> bool:
        return bool(self.judges)

    def built(self, system: str) -> Building | None:
        return next((run.built[system] for run in self.runs if system in run.built), None)

    def of(self, system: str) -> list[Scored]:
        """Its answers, in the runs' order."""
        return [each for run in self.runs for each in run.of(system)]


@dataclass(frozen=True, slots=True)
class Study:
    """`measured` by model, then in the sets' order."""

    measured: tuple[Measured, ...]

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(each.model for each in self.measured))

    @property
    def runs(self) -> list[Run]:
        return [run for each in self.measured for run in each.runs]

    def by(self, model: str) -> list[Measured]:
        return [each for each in self.measured if each.model == model]


def systems_of(measured: Iterable[Measured]) -> list[str]:
    """The product last, its variants after it; else as they come."""
    names = list(dict.fromkeys(name for each in measured for name in each.systems))
    return sorted(names, key=lambda name: (name.startswith(PRODUCT), name != PRODUCT))


def read_study(paths: Sequence[Path], judge: str | None = None) -> Study:
    """Runs of the same questions, model and settings belong together, whatever systems they hold.

    Raises UsageError where two of them hold answers of the same system, or judges that differ:
    those are two results, not one.
    """
    groups: dict[str, list[Run]] = {}
    for path in dict.fromkeys(paths):
        run = read_run(path, judge)
        groups.setdefault(_identity(run), []).append(run)
    for runs in groups.values():
        _must_fit(runs)
    ordered = sorted(groups.values(), key=_rank)
    labels = _labels(ordered)
    return Study(
        tuple(Measured(label, tuple(runs)) for label, runs in zip(labels, ordered, strict=True))
    )


def _identity(run: Run) -> str:
    return json.dumps(run.configuration, sort_keys=True)


def _rank(runs: Sequence[Run]) -> tuple[Any, ...]:
    kind = runs[0].configuration["set"]
    place = _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
    return runs[0].model, place, kind, _identity(runs[0])


def _must_fit(runs: Sequence[Run]) -> None:
    seen: dict[str, Path] = {}
    for run in runs:
        for system in run.systems:
            if system in seen:
                raise UsageError(
                    f"'{system}' was measured in {seen[system]} and again in {run.path}",
                    mend="give one of the two folders",
                )
            seen[system] = run.path
    if len({run.judge for run in runs}) > 1:
        judges = ", ".join(f"{run.path}: {run.judge or 'none'}" for run in runs)
        raise UsageError(
            f"the answers were judged by different judges ({judges})",
            mend="choose one with --judge, or run memflow eval judge-answers",
        )


def _labels(groups: Sequence[Sequence[Run]]) -> list[str]:
    """The set's title; where a model has it twice, what tells the two apart."""
    labels = [_label(runs[0].configuration) for runs in groups]
    keys = [(runs[0].model, label) for runs, label in zip(groups, labels, strict=True)]
    for index, key in enumerate(keys):
        twins = [place for place, other in enumerate(keys) if other == key]
        if len(twins) > 1:
            labels[index] += f" ({_difference(groups, twins, index)})"
    return labels


def _label(configuration: Mapping[str, Any]) -> str:
    """Evidence among fillers is not the set as published, and is never called by its name alone."""
    kind = str(configuration["set"])
    title = TITLES.get(kind, kind)
    return f"{title} among fillers" if configuration["fillers"] else title


def _difference(groups: Sequence[Sequence[Run]], twins: Sequence[int], index: int) -> str:
    mine = groups[index][0].configuration
    others = [groups[place][0].configuration for place in twins if place != index]
    for name in ("data", "packed_budget", "categories", "questions", "fillers", "settings", "seed"):
        if any(other.get(name) != mine.get(name) for other in others):
            return f"{name.replace('_', ' ')} {_shown(mine.get(name))}"
    return f"run {twins.index(index) + 1}"


def _shown(value: Any) -> str:
    match value:
        case list():
            return ", ".join(map(str, value))
        case dict():
            return ", ".join(f"{key} {each}" for key, each in value.items()) or "default"
        case _:
            return str(value)

"""The benchmark sets by name. Loaders are strict where readers are lenient: a set that cannot be
loaded as its authors meant it is not measured on. What a loader drops, mends or finds odd is
counted in `Dataset.notes`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from memflow.errors import UsageError
from memflow.evals.cases import Dataset
from memflow.evals.datasets.fillers import AMONG_FILLERS, load_among_fillers
from memflow.evals.datasets.locomo import load_locomo
from memflow.evals.datasets.longbench import load_longbench
from memflow.evals.datasets.longmemeval import load_longmemeval
from memflow.evals.datasets.multichallenge import load_multichallenge
from memflow.evals.datasets.realmem import load_realmem

Paths = Sequence[str | PathLike[str]]

DATASETS: Mapping[str, Callable[[Paths], Dataset]] = {
    "locomo": load_locomo,
    "longmemeval": load_longmemeval,
    "longbench": load_longbench,
    "realmem": load_realmem,
    "multichallenge": load_multichallenge,
}


def load(
    name: str,
    paths: Paths,
    *,
    fillers: str | PathLike[str] | None = None,
    n_fillers: int = 40,
    seed: int = 0,
) -> Dataset:
    """The set of that name. `fillers` is a pool of sessions, `n_fillers` of which, drawn by `seed`,
    are put around the evidence of each LongMemEval question.

    Raises UsageError for an unknown set, or fillers for another than LongMemEval; InputError for
    files that are not of the set.
    """
    if name not in DATASETS:
        near = difflib.get_close_matches(name, DATASETS, n=1, cutoff=0.4)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise UsageError(f"unknown set '{name}'", mend=f"{hint}known are {', '.join(DATASETS)}")
    if not paths:
        raise UsageError(f"'{name}' needs at least one file")
    if fillers is None:
        return DATASETS[name](paths)
    if name != "longmemeval":
        raise UsageError(
            f"fillers are for 'longmemeval', not '{name}'", mend="leave the fillers out"
        )
    return load_among_fillers(paths, fillers, sessions=n_fillers, seed=seed)


__all__ = [
    "AMONG_FILLERS",
    "DATASETS",
    "load",
    "load_among_fillers",
    "load_locomo",
    "load_longbench",
    "load_longmemeval",
    "load_multichallenge",
    "load_realmem",
]

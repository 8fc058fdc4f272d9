"""`memflow add`: chat exports and documents into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memflow.cli import records
from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.cli.output import plural
from memflow.errors import InputError, MemFlowError

if TYPE_CHECKING:
    from memflow.memory import Space
    from memflow.types import AddResult, Rejected

FORMATS = (
    "auto",
    "messages-json",
    "messages-jsonl",
    "locomo",
    "longmemeval",
    "markdown",
    "text",
)
_REASONS_SHOWN = 10


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="What the files are.",
)
@click.option("--session", metavar="S", help="The session for what names none itself.")
@common
@pass_invocation
def add(invocation: Invocation, files: tuple[str, ...], format_: str, session: str | None) -> None:
    """Remember chat exports or documents; `-` reads standard input.

    What was there already is skipped. A bad file does not stop the others.
    """
    from memflow.types import AddResult

    invocation.kept = "what was stored so far is kept; the same command goes on from there"
    total, bad_files = AddResult(), 0
    with invocation.open_space(create=True) as space:
        for file in files:
            result = _add_one(invocation, space, file, format_, session)
            # A bad row among good ones is reported, but the file is read.
            bad_files += bool(result.failed and not (result.stored or result.skipped))
            total += result
    if invocation.json:
        invocation.output.object(records.added(total))
    else:
        _show(invocation, total)
    if bad_files:
        click.get_current_context().exit(1)


def _add_one(
    invocation: Invocation, space: Space, file: str, format_: str, session: str | None
) -> AddResult:
    """One file's result; what makes it unreadable becomes its one failed row."""
    from memflow.types import AddResult, Rejected

    name = "standard input" if file == "-" else file
    mend = None
    try:
        if format_ == "auto" and Path(file).is_file():  # a pipe can be read only once
            _say_what_it_is(invocation, file)
        with invocation.output.progress(name) as progress:
            result = space.add_file(file, format=format_, session=session, progress=progress)
    except InputError as error:
        result, mend = AddResult(failed=(Rejected(error.where, error.reason),)), error.mend
    except MemFlowError as error:
        result, mend = AddResult(failed=(Rejected(name, str(error.args[0])),)), error.mend
    if not invocation.json:
        for text in _grouped(result.failed):
            invocation.output.error(text, mend)
    return result


def _say_what_it_is(invocation: Invocation, file: str) -> None:
    """Which format is read, and why. Raises InputError for what cannot be read."""
    from memflow.ingest.readers import detect
    from memflow.ingest.readers.files import opened

    with opened(file) as source:
        found = detect(source.name, source.head)
    invocation.output.note(f"{file}: read as {found.format}: {found.reason}")


def _show(invocation: Invocation, total: AddResult) -> None:
    output = invocation.output
    output.say(
        f"stored {plural(len(total.stored), 'turn')} in "
        f"{plural(len(total.sessions), 'session')}; "
        f"skipped {len(total.skipped):,}, failed {len(total.failed):,}"
    )
    for text in _grouped(total.skipped):
        output.say(f"  skipped {text}")
    for text in _grouped(total.notes):
        output.say(f"  note: {text}")


def _grouped(rows: Iterable[Rejected]) -> list[str]:
    """Reasons with their number and the first place, most frequent first."""
    rows = list(rows)
    first = {row.reason: row.where for row in reversed(rows)}
    counted = Counter(row.reason for row in rows).most_common()
    lines = [
        f"{number:,} × {reason} (first: {first[reason]})"
        if number > 1
        else f"{first[reason]}: {reason}"
        for reason, number in counted[:_REASONS_SHOWN]
    ]
    if len(counted) > _REASONS_SHOWN:
        lines.append(f"… and {len(counted) - _REASONS_SHOWN:,} other reasons (--json has them all)")
    return lines

"""`memflow add`: exports of chats and mail, and documents, into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from memflow.cli import records
from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.cli.output import plural

if TYPE_CHECKING:
    from memflow.cli.intake import FileRead, Intake
    from memflow.ingest.readers import Detected
    from memflow.memory import Space
    from memflow.types import AddResult, Rejected

FORMATS = (
    "auto",
    "messages-json",
    "messages-jsonl",
    "locomo",
    "longmemeval",
    "chatgpt",
    "claude",
    "slack",
    "whatsapp",
    "telegram",
    "discord",
    "discord-package",
    "mbox",
    "eml",
    "markdown",
    "text",
    "pdf",
    "docx",
)
_REASONS_SHOWN = 10
_FILES_SHOWN = 10


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
@click.option(
    "--timezone",
    metavar="ZONE",
    help="Of times that name none, such as Europe/Lisbon or +01:00 [UTC].",
)
@common
@pass_invocation
def add(
    invocation: Invocation,
    files: tuple[str, ...],
    format_: str,
    session: str | None,
    timezone: str | None,
) -> None:
    """Remember exports of chats and mail, or documents.

    FILE is a file, a ZIP archive, a folder with all below it, or `-` for standard input. What was
    there already is skipped. A bad file does not stop the others.
    """
    from memflow.ingest.readers.zones import zone_of
    from memflow.types import AddResult

    if timezone is not None:
        zone_of(timezone)  # a wrong name is the caller's error, before anything is stored
    invocation.kept = "what was stored so far is kept; the same command goes on from there"
    total, bad_files = AddResult(), 0
    read: list[FileRead] = []
    with invocation.open_space(create=True) as space:
        for file in files:
            intake, result = _add_one(invocation, space, file, format_, session, timezone)
            # A bad row among good ones is reported, but the file is read.
            unread = not (result.stored or result.skipped) or (intake.ended and not intake.turns)
            bad_files += bool(result.failed and unread)
            read += intake.files
            total += result
    if invocation.json:
        invocation.output.object(records.added(total) | {"files": [asdict(one) for one in read]})
    else:
        _show(invocation, total)
    if bad_files:
        click.get_current_context().exit(1)


def _add_one(
    invocation: Invocation,
    space: Space,
    file: str,
    format_: str,
    session: str | None,
    timezone: str | None,
) -> tuple[Intake, AddResult]:
    """One file's result; what makes it unreadable becomes its one failed row."""
    from memflow.cli.intake import Intake
    from memflow.ingest.readers import Watch, read_file

    name = "standard input" if file == "-" else file
    intake = Intake(space)

    def began(file: str, found: Detected) -> None:
        intake.began(file, found)
        if format_ == "auto" and len(intake.files) <= _FILES_SHOWN:
            invocation.output.note(f"{file}: read as {found.format}: {found.reason}")

    with invocation.output.progress(name, in_bytes=True) as progress:
        rows = read_file(
            file,
            format=format_,
            session=session,
            timezone=timezone,
            watch=Watch(began, progress),
        )
        result = intake.take(rows, name)
    if format_ == "auto":
        _say_what_else_was_read(invocation, intake.files[_FILES_SHOWN:])
    if not invocation.json:
        for text in _grouped(result.failed):
            invocation.output.error(text, intake.mend)
    return intake, result


def _say_what_else_was_read(invocation: Invocation, files: Sequence[FileRead]) -> None:
    """Of many files the first were told one by one, the others are by format."""
    if files:
        counted = Counter(one.format for one in files).most_common()
        formats = ", ".join(f"{number:,} as {name}" for name, number in counted)
        invocation.output.note(f"… and {plural(len(files), 'file')} more: {formats}")


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

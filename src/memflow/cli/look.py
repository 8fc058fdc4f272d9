"""Looking at what is remembered, and deleting it: profile, history, list, get, stats, forget."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from memflow.cli import records
from memflow.cli.invocation import Invocation, common, moment, not_empty, pass_invocation, width_of
from memflow.cli.output import is_interactive, plural
from memflow.errors import NotFound, UsageError

if TYPE_CHECKING:
    from memflow.memory import Space
    from memflow.types import Turn


@click.command()
@common
@pass_invocation
def profile(invocation: Invocation) -> None:
    """What is known of the user now."""
    with invocation.open_space() as space:
        facts = space.profile()
    if invocation.json:
        for fact in facts:
            invocation.output.object(records.fact(fact))
        return
    from memflow.cli import views

    if not facts:
        invocation.output.note("no facts are known yet; they are read off what is added")
    for fact in facts:
        invocation.output.say(views.fact_line(fact, width_of(invocation)))


@click.command()
@click.argument("key")
@common
@pass_invocation
def history(invocation: Invocation, key: str) -> None:
    """All values that a fact of the profile has had.

    Oldest first; KEY as `memflow profile` shows it.
    """
    with invocation.open_space() as space:
        facts = space.history(key)
        known = sorted({fact.key for fact in space.profile()}) if not facts else []
    if not facts:
        import difflib

        near = difflib.get_close_matches(key, known, n=3, cutoff=0.4) or known[:6]
        raise NotFound(
            f"no fact has the key '{key}'",
            mend=f"known: {', '.join(near)}" if near else "memflow profile lists them",
        )
    if invocation.json:
        for fact in facts:
            invocation.output.object(records.fact(fact))
        return
    from memflow.cli import views

    for fact in facts:
        invocation.output.say(views.fact_line(fact, width_of(invocation), dated=True))


@click.command(name="list")
@click.option("--session", metavar="S", help="Of this session only.")
@common
@pass_invocation
def list_(invocation: Invocation, session: str | None) -> None:
    """All turns in reading order."""
    with invocation.open_space() as space:
        turns = space.list(session=session)
    if invocation.json:
        for turn in turns:
            invocation.output.object(records.turn(turn))
        return
    from memflow.cli import views

    current = None
    for turn in turns:
        if turn.session != current:
            current = turn.session
            invocation.output.say(f"# {current}")
        invocation.output.say(views.turn_line(turn, width_of(invocation)))


@click.command()
@click.argument("id")
@common
@pass_invocation
def get(invocation: Invocation, id: str) -> None:
    """One turn, whole."""
    with invocation.open_space() as space:
        turn = space.get(id)
    if invocation.json:
        invocation.output.object(records.turn(turn))
        return
    from memflow.cli import views

    about = {
        name: value
        for name, value in records.turn(turn).items()
        if name != "text" and value is not None
    }
    invocation.output.say(views.pairs(about), "", turn.text)


@click.command()
@common
@pass_invocation
def stats(invocation: Invocation) -> None:
    """Counts of the space, its span of time, and the file's size."""
    with invocation.open_space() as space:
        figures = {"space": space.name, **space.stats()}
    if invocation.json:
        invocation.output.object(figures)
        return
    from memflow.cli import views

    invocation.output.say(views.pairs(figures))


@click.command()
@click.option("--turn", metavar="ID", help="One turn.")
@click.option("--session", metavar="S", help="A whole session.")
@click.option("--before", callback=moment, metavar="T", help="All that was said before this time.")
@click.option("--matching", metavar="TEXT", help="All turns that hold this text.")
@click.option("--all", "everything", is_flag=True, help="Everything in the space.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
@pass_invocation
def forget(
    invocation: Invocation,
    turn: str | None,
    session: str | None,
    before: datetime | None,
    matching: str | None,
    everything: bool,
    yes: bool,
) -> None:
    """Really delete turns and all that derives from them.

    Exactly one of --turn, --session, --before, --matching, --all.
    """
    given = [option is not None for option in (turn, session, before, matching)]
    if sum([*given, everything]) != 1:
        raise UsageError(
            "forget takes exactly one of --turn, --session, --before, --matching, --all",
            mend="memflow forget --help",
        )
    if matching is not None:
        not_empty(matching, "text to match")
    with invocation.open_space() as space:
        if (everything or matching is not None) and not yes and is_interactive():
            _confirm(invocation, space, matching)
        deleted = dict(
            space.forget(
                turn=turn,
                session=session,
                before=before,
                matching=matching,
                everything=everything,
            )
        )
    if invocation.json:
        invocation.output.object({"deleted": deleted})
        return
    shown = ", ".join(plural(count, table) for table, count in deleted.items() if count)
    invocation.output.say(f"deleted: {shown or 'nothing matched'}")


def _confirm(invocation: Invocation, space: Space, matching: str | None) -> None:
    """Show what would go and ask; raises click.Abort on a no."""
    from memflow.cli import views

    turns: list[Turn] = [
        turn
        for turn in space.list()
        if matching is None or matching.casefold() in turn.text.casefold()
    ]
    if not turns:
        return
    output = invocation.output
    for turn in turns[:5]:
        output.stderr.print(views.turn_line(turn, output.width))
    if len(turns) > 5:
        output.note(f"… and {len(turns) - 5:,} more")
    what = f"{plural(len(turns), 'turn')} of space '{space.name}'"
    click.confirm(f"Delete {what} for good?", abort=True, err=True)

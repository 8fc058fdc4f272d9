"""The command line: one module per group of commands, `frame` around them, `output` beneath.

Nothing heavy is imported up here: a command imports what it needs when it runs, so that
`memflow --help` comes at once.
"""

from __future__ import annotations

import click

from memflow import __version__
from memflow.cli import add, ask, chat, demo, evals, look, models
from memflow.cli.frame import Root
from memflow.cli.invocation import common


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="memflow", message="%(prog)s %(version)s")
@common
def main() -> None:
    """Long-term memory for small local language models.

    \b
    memflow demo                         see it work on an example history
    memflow add chat.json                remember a chat export or a document
    memflow ask "Where do I live?"       an answer with its sources
    memflow doctor                       what works on this machine

    --db, --space and --json may stand before or after the command.
    """


for _command in (
    *(add.add, ask.ask, ask.context, ask.route, ask.search, ask.explain),
    *(look.profile, look.history, look.list_, look.get, look.stats, look.forget),
    *(chat.chat, demo.demo, models.models, models.doctor, evals.eval_),
):
    main.add_command(_command)

__all__ = ["main"]

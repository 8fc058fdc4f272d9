"""Around every command: what goes wrong becomes one message, one mend and an exit code.

0 done, 1 the work failed, 2 the call was wrong, 130 stopped by Ctrl-C. A closed pipe is no error.
"""

from __future__ import annotations

import difflib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click

from memflow.cli.invocation import Invocation
from memflow.cli.output import Output
from memflow.errors import MemFlowError, UsageError

_FAILED, _WRONG_CALL, _INTERRUPTED, _BROKEN_PIPE = 1, 2, 130, 141


class _Stopped(Exception):
    """Ended from outside, by Ctrl-C or a reader that went away: past click's own handling."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Group(click.Group):
    """A group that names the nearest command when it is asked for one it lacks."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        # In the order in which they were added: that of use, not of the alphabet.
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1, cutoff=0.5)
            hint = f" Did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"No such command '{name}'.{hint}", ctx)
        return super().resolve_command(ctx, args)


class Root(Group):
    """The whole command line."""

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> int:
        given = list(sys.argv[1:] if args is None else args)
        invocation = extra.get("obj") or Invocation()
        extra["obj"] = invocation
        # Known before parsing, so that errors of the parsing itself keep the promise too.
        before_rest = given[: given.index("--")] if "--" in given else given
        invocation.json = invocation.json or "--json" in before_rest
        output = invocation.output
        output.make_safe()
        try:
            result = super().main(args, prog_name, complete_var, False, **extra)
            output.flush()
            code = result if isinstance(result, int) else 0
        except _Stopped as stopped:
            code = _on_stop(output, invocation, stopped.code)
        except BrokenPipeError:
            code = _on_stop(output, invocation, _BROKEN_PIPE)
        except click.Abort:
            code = _on_stop(output, invocation, _INTERRUPTED)
        except Exception as error:
            code = report(error, output)
        if standalone_mode:
            sys.exit(code)
        return code

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _Stopped(_BROKEN_PIPE) from error
        except KeyboardInterrupt as error:
            raise _Stopped(_INTERRUPTED) from error


def report(error: Exception, output: Output) -> int:
    """Say what went wrong; the exit code for it."""
    match error:
        case MemFlowError():
            message = str(error.args[0]) if error.args else type(error).__name__
            output.error(message, error.mend)
            code = _WRONG_CALL if isinstance(error, UsageError) else _FAILED
        case click.ClickException() if type(error).__name__ == "NoArgsIsHelpError":
            output.error_text(error.format_message())
            return _WRONG_CALL
        case click.ClickException():
            ctx = getattr(error, "ctx", None)
            mend = f"{ctx.command_path} --help" if ctx is not None else None
            output.error(_one_line(error.format_message()), mend)
            code = _WRONG_CALL if isinstance(error, click.UsageError) else _FAILED
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            output.error(f"{where}{error.strerror or error}", None)
            code = _FAILED
        case _:
            output.error(
                f"unexpected {type(error).__name__}: {_one_line(str(error))}",
                None if _debugging() else "set MEMFLOW_DEBUG=1 for the traceback",
            )
            code = _FAILED
    if _debugging():
        output.error_text("".join(traceback.format_exception(error)))
    return code


def _on_stop(output: Output, invocation: Invocation, code: int) -> int:
    if code == _BROKEN_PIPE:
        output.abandon()
    else:
        output.stopped(invocation.kept)
    return code


def _debugging() -> bool:
    return os.environ.get("MEMFLOW_DEBUG", "") not in ("", "0")


def _one_line(text: str) -> str:
    return " ".join(text.split())

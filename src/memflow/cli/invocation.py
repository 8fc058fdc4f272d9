"""One run of the command line: its common options, and how it opens what it works on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memflow.cli.output import Output
from memflow.errors import ModelUnavailable, NotFound, UsageError

if TYPE_CHECKING:
    from memflow.memory import Memory, Space
    from memflow.protocols import ChatModel, Clock, Encoder
    from memflow.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_MODEL = "qwen2.5-coder-1.5b"


@dataclass
class Invocation:
    """What the options say. The last three are for tests and for programs that embed the command:
    parts to be used in place of those that the settings name.

    `kept` is what a Ctrl-C tells the user.
    """

    db: str | None = None
    space: str | None = None
    json: bool = False
    kept: str = "nothing was changed"
    chat_model: ChatModel | None = None
    sentence_encoder: Encoder | None = None
    clock: Clock | None = None

    @cached_property
    def output(self) -> Output:
        return Output(json=self.json)

    def settings(self, **overrides: Any) -> Settings:
        from memflow.settings import load

        return load({"db": self.db, "space": self.space} | overrides)

    @contextlib.contextmanager
    def memory(self, *, create: bool = False, **overrides: Any) -> Iterator[Memory]:
        """The open memory. Without `create` its file must be there: a mistyped path is an error,
        not an empty memory.
        """
        from memflow.memory import Memory

        settings = self.settings(**overrides)
        if not create and "://" not in settings.db and not Path(settings.db).exists():
            raise NotFound(
                f"there is no memory at {settings.db}",
                mend="memflow add FILE makes one; --db PATH names another",
            )
        with Memory.open(
            self.db,
            chat_model=self.chat_model,
            sentence_encoder=self.sentence_encoder,
            clock=self.clock,
            space=self.space,
            **overrides,
        ) as memory:
            yield memory

    @contextlib.contextmanager
    def open_space(self, *, create: bool = False, **overrides: Any) -> Iterator[Space]:
        """The space that the options name; a note on stderr when nothing is in it."""
        with self.memory(create=create, **overrides) as memory:
            space = memory.space(self.space)
            if not create and space.name not in (names := memory.spaces()):
                others = f"; there is {', '.join(sorted(names)[:8])}" if names else ""
                self.output.note(f"nothing is remembered in space '{space.name}'{others}")
            yield space

    def choose_model(self, named: str | None, *, required: bool = True) -> str | None:
        """The model to use: the one named, the configured one, or the default if it is here.

        None when a model object was handed in, or when none is to be had and none is required.
        """
        if self.chat_model is not None:
            return None
        configured = self.settings(model=named).model
        if configured:
            return configured
        from memflow.backends import catalogue

        if catalogue.locate(DEFAULT_MODEL) is not None:
            self.output.note(f"no model is configured: using {DEFAULT_MODEL}, which is here")
            return DEFAULT_MODEL
        if required:
            raise ModelUnavailable(
                "no language model is chosen",
                mend=f"memflow models pull {DEFAULT_MODEL}, then --model {DEFAULT_MODEL}; "
                "or --no-model for what code alone can answer",
            )
        return None


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def _store_in_invocation(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    # The same options stand on the command and on what is before it: the last one given counts.
    if value is not None and value is not False:
        setattr(ctx.ensure_object(Invocation), str(param.name), value)
    return value


def common(command: F) -> F:
    """The options every command takes."""
    # Their values go to the Invocation, not to the command's function.
    quiet: dict[str, Any] = {"expose_value": False, "callback": _store_in_invocation}
    options = (
        click.option("--db", metavar="PATH", help="The memory's file [memories.db].", **quiet),
        click.option("--space", metavar="NAME", help="Whose memories [default].", **quiet),
        click.option("--json", is_flag=True, help="JSON on stdout, nothing else.", **quiet),
    )
    for option in reversed(options):
        command = option(command)
    return command


def moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    """An option's ISO 8601 time; without a zone it is this machine's."""
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(value.strip())
    except ValueError:
        raise click.BadParameter(
            f"'{value}' is not a time; write 2026-03-01 or 2026-03-01T10:00+01:00"
        ) from None
    return time if time.tzinfo else time.astimezone()


def not_empty(text: str, what: str) -> str:
    """Raises UsageError for a text without words."""
    if not text.strip():
        raise UsageError(f"the {what} is empty", mend=f"write the {what} in quotes")
    return text


def width_of(invocation: Invocation) -> int | None:
    """Lines are clipped to a terminal; behind a pipe they stay whole."""
    output = invocation.output
    return output.width if output.stdout.is_terminal else None

"""The one place that prints. Results go to stdout, everything said on the way to stderr."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Stored text may hold terminal commands: they are shown as signs, never sent to the terminal.
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"} | {
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}

_BAR_NAME = 24

Progress = Callable[[int, int | None], None]


class Output:
    """Human text by rich, or JSON lines; never both on stdout."""

    def __init__(self, *, json: bool = False) -> None:
        self.json = json

    # ------------------------------------------------------------------- results

    def object(self, value: Mapping[str, Any]) -> None:
        """One JSON object on a line of its own."""
        text = json.dumps(value, ensure_ascii=False, default=_plain)
        sys.stdout.write(text + "\n")

    def say(self, *parts: RenderableType) -> None:
        """Human text on stdout; a string is printed as it is, without markup."""
        for part in parts:
            text = clean(part) if isinstance(part, str) else part
            # Only a terminal needs its lines broken; a reader behind a pipe wants them whole.
            plain = isinstance(text, str) or type(text).__name__ == "Text"
            self.stdout.print(text, soft_wrap=plain and not self.stdout.is_terminal)

    @property
    def width(self) -> int:
        """Columns to lay out for; wide terminals are not filled, for long lines read badly."""
        return min(self.stdout.width, 100)

    # ------------------------------------------------------------------- on the way

    def note(self, text: str) -> None:
        """Something worth knowing, on stderr."""
        self.stderr.print(clean(text), soft_wrap=not self.stderr.is_terminal, style="dim")

    def error(self, message: str, mend: str | None) -> None:
        """What is wrong and how to mend it; in JSON mode an object on stdout as well."""
        if self.json:
            self.object({"error": message, "mend": mend})
        from rich.text import Text

        text = Text("error: ", style="bold red").append(clean(message), style="default not bold")
        if mend:
            text.append(f"\n  → {clean(mend)}", style="default not bold")
        with contextlib.suppress(BrokenPipeError):
            self.stderr.print(text, soft_wrap=True)

    def stopped(self, kept: str) -> None:
        """Ended by the user's own wish, which is no error but no result either."""
        if self.json:
            self.object({"error": f"stopped: {kept}", "mend": None})
        with contextlib.suppress(BrokenPipeError):
            self.note(f"stopped: {kept}")

    def error_text(self, text: str) -> None:
        """Verbatim on stderr: a traceback, a help page."""
        with contextlib.suppress(BrokenPipeError):
            sys.stderr.write(text.rstrip("\n") + "\n")

    @contextlib.contextmanager
    def status(self, text: str) -> Iterator[None]:
        """A sign of life while something takes its time; on a terminal only."""
        if not self.stderr.is_terminal:
            yield
            return
        with self.stderr.status(text):
            yield

    @contextlib.contextmanager
    def progress(self, text: str, *, in_bytes: bool = False) -> Iterator[Progress]:
        """A bar on stderr, on a terminal only; yields what is to be called with (done, total)."""
        if not self.stderr.is_terminal:
            yield _ignore
            return
        from rich import progress as bars

        columns: list[bars.ProgressColumn] = [bars.TextColumn("{task.description}", markup=False)]
        columns.append(bars.BarColumn(bar_width=24))
        if in_bytes:
            columns += [bars.DownloadColumn(), bars.TransferSpeedColumn()]
        else:
            columns.append(bars.MofNCompleteColumn())
        columns.append(bars.TimeRemainingColumn(compact=True))
        with bars.Progress(*columns, console=self.stderr, transient=not in_bytes) as bar:
            # The end of a long path tells more than its start.
            name = text if len(text) <= _BAR_NAME else "…" + text[1 - _BAR_NAME :]
            task = bar.add_task(clean(name), total=None)

            def update(done: int, total: int | None) -> None:
                bar.update(task, completed=done, total=total)

            yield update

    # ------------------------------------------------------------------- the streams

    @cached_property
    def stdout(self) -> Console:
        return _console(stderr=False)

    @cached_property
    def stderr(self) -> Console:
        return _console(stderr=True)

    def make_safe(self) -> None:
        """No text can fail to be printed: what the encoding lacks is escaped."""
        for stream in (sys.stdout, sys.stderr):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                # In a JSON string such an escape is the character itself.
                reconfigure(errors="backslashreplace")

    def flush(self) -> None:
        sys.stdout.flush()

    def abandon(self) -> None:
        """The reader of stdout is gone: let the interpreter's last flush go nowhere."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def clean(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return text.translate(_CONTROLS)


def _ignore(_done: int, _total: int | None) -> None:
    pass


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def is_interactive() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _console(*, stderr: bool) -> Console:
    from rich import console

    class Console(console.Console):
        def on_broken_pipe(self) -> None:
            """Left to the frame: rich itself would end the process with a failure."""
            raise BrokenPipeError

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return sorted(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return asdict(value)
        case _ if hasattr(value, "item"):  # a numpy number
            return value.item()
        case _:
            return str(value)

"""`memflow chat`: a conversation that is remembered as it goes."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memflow.cli import records
from memflow.cli.invocation import Invocation, common, pass_invocation, width_of
from memflow.cli.output import is_interactive
from memflow.errors import MemFlowError

if TYPE_CHECKING:
    from memflow.memory import Space
    from memflow.types import Answer, Message

_HELP = """\
A question is answered from memory; anything else is noted.
  /ask TEXT    answer it even if it does not look like a question
  /note TEXT   only remember it
  /sources     what the last answer rests on
  /why         the last answer's trace
  /help        this
  /quit        end (as does end of input)"""

# How questions and requests begin where no question mark tells; "¿" and "؟" are marks too.
_ASKING = re.compile(
    r"(who|what|when|where|which|why|how|do|does|did|am|is|are|was|were|have|has|had|can|could|"
    r"should|shall|would|will|tell|list|remind|summari[sz]e|give|show|"
    r"quem|que|quando|onde|qual|quais|como|quanto|quantos|quantas|diz|lembra|resume|"
    r"quién|qué|cuándo|dónde|cuál|cuáles|cómo|cuánto|cuántos|cuántas|dime|recuérdame)\b",
    re.IGNORECASE,
)
_MARKS = ("?", "？", "؟", "¿", "⸮", ";?")
_LIVE_MESSAGES = 16


@click.command()
@click.option("--model", metavar="M", help="A catalogue name, a .gguf file or a server.")
@click.option("--no-model", is_flag=True, help="Only what code can do by itself.")
@click.option("--session", metavar="S", help="The session's name [chat and the time].")
@common
@pass_invocation
def chat(invocation: Invocation, model: str | None, no_model: bool, session: str | None) -> None:
    """Talk; what you say is remembered.

    What you tell it is kept, what you ask is looked up.
    """
    chosen = None if no_model else invocation.choose_model(model)
    invocation.kept = "what was said so far is kept"
    with invocation.open_space(create=True, model=chosen) as space:
        talk = _Talk(
            invocation, space, not no_model, session or f"chat {datetime.now():%Y-%m-%d %H:%M:%S}"
        )
        if is_interactive() and not invocation.json:
            invocation.output.note(f"space '{space.name}', session '{talk.session}'; /help")
        for line in _lines(invocation):
            if line in ("/quit", "/exit", "/q"):
                break
            if line:
                talk.hear(line)


@dataclass
class _Talk:
    """The conversation's state between two lines."""

    invocation: Invocation
    space: Space
    use_model: bool
    session: str
    live: list[Message] = field(default_factory=list)
    last: Answer | None = None

    def hear(self, line: str) -> None:
        """One line of the user. An error is shown, and the conversation goes on."""
        command, _, rest = line.partition(" ")
        try:
            match command:
                case "/help":
                    self.invocation.output.note(_HELP)
                case "/sources" | "/why":
                    self._look_back(command)
                case "/ask" if rest.strip():
                    self._ask(rest.strip())
                case "/note" if rest.strip():
                    self._note(rest.strip())
                case _ if command.startswith("/"):
                    self.invocation.output.note(f"{command} is no command or lacks its text; /help")
                case _ if looks_asked(line):
                    self._ask(line)
                case _:
                    self._note(line)
        except MemFlowError as error:
            message = str(error.args[0]) if error.args else type(error).__name__
            self.invocation.output.error(message, error.mend)
        self.invocation.output.flush()  # whoever listens behind a pipe is waiting for it

    def _ask(self, question: str) -> None:
        """Answered before it is stored: a question is no evidence for itself."""
        output = self.invocation.output
        start = time.perf_counter()
        with output.status("thinking …"):
            answer = self.space.ask(
                question, history=self.live[-_LIVE_MESSAGES:], use_model=self.use_model
            )
        self.last = answer
        said = [("user", question)]
        if not answer.abstained:  # "I do not know" is nothing to remember
            said.append(("assistant", answer.text))
        self._remember(said)
        if self.invocation.json:
            output.object(records.answered(answer))
            return
        from memflow.cli import views

        output.say(answer.text)
        output.note(views.cost(answer, time.perf_counter() - start))

    def _note(self, text: str) -> None:
        self._remember([("user", text)])
        if self.invocation.json:
            self.invocation.output.object({"noted": text})
        else:
            self.invocation.output.say("noted")

    def _remember(self, said: list[tuple[str, str]]) -> None:
        from memflow.types import Message

        now = self.invocation.clock.now() if self.invocation.clock else datetime.now().astimezone()
        self.space.add(
            [{"role": role, "content": text} for role, text in said],
            session=self.session,
            time=now,
            source="chat",
        )
        self.live += [Message(role, text) for role, text in said]

    def _look_back(self, command: str) -> None:
        output = self.invocation.output
        if self.last is None:
            output.note("nothing was asked yet")
            return
        if self.invocation.json:
            record = records.answered(self.last)
            output.object({"evidence": record["evidence"], "trace_id": record["trace_id"]})
            return
        width = width_of(self.invocation)
        if command == "/why":
            from memflow.cli.story import tell

            output.say(*tell(self.last.trace, width))
            return
        from memflow.cli import views

        output.say(*(views.source_line(source, width) for source in self.last.evidence))
        if not self.last.evidence:
            output.note("the last answer rests on nothing")


def looks_asked(line: str) -> bool:
    """Whether a line wants an answer: it has a question mark, or begins as questions do."""
    return line.endswith(_MARKS) or "¿" in line or _ASKING.match(line) is not None


def _lines(invocation: Invocation) -> Iterator[str]:
    """What is typed, or piped in, to the end of input."""
    if not is_interactive():
        for line in sys.stdin:
            yield line.strip()
        return
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives input() editing and history
    while True:
        invocation.output.flush()
        try:
            yield input("› ").strip()
        except EOFError:
            invocation.output.note("")
            return

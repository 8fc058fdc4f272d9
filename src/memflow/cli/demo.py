"""`memflow demo`: the main job, done before your eyes on an example history."""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memflow.cli import records
from memflow.cli.invocation import DEFAULT_MODEL, Invocation, common, pass_invocation, width_of
from memflow.cli.output import plural

if TYPE_CHECKING:
    from memflow.memory import Space
    from memflow.types import Answer


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the example. `all_of`: each inner tuple needs one of its alternatives."""

    text: str
    gold: str
    all_of: tuple[tuple[str, ...], ...]
    abstain: bool
    demo: bool

    def met(self, answer: Answer) -> bool:
        """Abstaining is right exactly where the history does not say."""
        if self.abstain or answer.abstained:
            return self.abstain and answer.abstained
        text = answer.text.casefold()
        return all(any(word.casefold() in text for word in words) for words in self.all_of)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    question: Question
    answer: Answer
    right: bool
    seconds: float


@click.command()
@click.option("--model", metavar="M", help=f"Which model answers [{DEFAULT_MODEL}].")
@click.option("--no-model", is_flag=True, help="Only what code can do by itself.")
@click.option("--all", "everything", is_flag=True, help="All questions of the example.")
@click.option("--keep", is_flag=True, help="Keep the memory, to look at it afterwards.")
@common
@pass_invocation
def demo(
    invocation: Invocation, model: str | None, no_model: bool, everything: bool, keep: bool
) -> None:
    """See it work on an example history.

    Ten months of an invented person's chats are remembered and asked about. Each answer is held
    to what it should have been. The model is pulled if it is not here.
    """
    now, questions = load_questions(everything=everything)
    chosen = None if no_model else _ready_model(invocation, model)
    start = time.perf_counter()
    with _place(invocation, keep=keep) as path:
        invocation.db = str(path)
        with invocation.open_space(create=True, model=chosen) as space:
            turns, ingest_seconds = _remember(invocation, space)
            _introduce(invocation, turns, ingest_seconds, chosen, no_model)
            outcomes = [
                outcome
                for number, question in enumerate(questions, start=1)
                for outcome in _ask(invocation, space, number, question, now, not no_model)
            ]
        _finish(invocation, outcomes, turns, ingest_seconds, time.perf_counter() - start, keep)


def load_questions(*, everything: bool = False) -> tuple[datetime, list[Question]]:
    """The moment at which they are asked, and the questions."""
    raw = json.loads(_example("questions.json").read_text(encoding="utf-8"))
    questions = [
        Question(
            text=row["question"],
            gold=row.get("gold", ""),
            all_of=tuple(tuple(words) for words in row.get("expect", {}).get("all_of", ())),
            abstain=bool(row.get("abstain", False)),
            demo=bool(row.get("demo", False)),
        )
        for row in raw["questions"]
    ]
    chosen = [question for question in questions if everything or question.demo]
    return datetime.fromisoformat(raw["now"]), chosen


def _example(name: str) -> Any:
    return files("memflow.cli").joinpath("example", name)


def _ready_model(invocation: Invocation, model: str | None) -> str | None:
    """The model's name; pulled first if it is one that can be pulled."""
    if invocation.chat_model is not None:
        return None
    from memflow.backends import catalogue
    from memflow.backends.specs import LocalSpec, parse_model_spec
    from memflow.cli.models import pull_model

    name = model or invocation.settings().model or DEFAULT_MODEL
    spec = parse_model_spec(name)
    if isinstance(spec, LocalSpec) and catalogue.locate(spec.source) is None:
        pull_model(invocation, spec.source)
    return name


@contextlib.contextmanager
def _place(invocation: Invocation, *, keep: bool) -> Iterator[Path]:
    """Where the memory is: the file that was named, or one that goes away again."""
    if invocation.db is not None:
        yield Path(invocation.db)
    elif keep:
        yield Path(tempfile.mkdtemp(prefix="memflow-demo-")) / "memories.db"
    else:
        with tempfile.TemporaryDirectory(prefix="memflow-demo-") as folder:
            yield Path(folder) / "memories.db"


def _remember(invocation: Invocation, space: Space) -> tuple[int, float]:
    """How many turns the space holds then, and how long it took."""
    start = time.perf_counter()
    with (
        as_file(_example("history.jsonl")) as path,
        invocation.output.progress("remembering") as progress,
    ):
        space.add_file(path, format="messages-jsonl", progress=progress)
    return int(space.stats()["turns"]), time.perf_counter() - start


def _introduce(
    invocation: Invocation, turns: int, seconds: float, model: str | None, no_model: bool
) -> None:
    if invocation.json:
        return
    invocation.output.say(
        "Ten months of Nora, who does not exist, talking with her assistant: "
        f"{plural(turns, 'turn')}, remembered in {seconds:.1f} s.",
        f"Asked of {'no model, code alone' if no_model else model or 'the given model'}.",
        "",
    )


def _ask(
    invocation: Invocation,
    space: Space,
    number: int,
    question: Question,
    now: datetime,
    use_model: bool,
) -> Iterator[Outcome]:
    start = time.perf_counter()
    with invocation.output.status(f"question {number} …"):
        answer = space.ask(question.text, now=now, use_model=use_model)
    outcome = Outcome(question, answer, question.met(answer), time.perf_counter() - start)
    if not invocation.json:
        _show(invocation, number, outcome)
    yield outcome


def _show(invocation: Invocation, number: int, outcome: Outcome) -> None:
    from rich.text import Text

    from memflow.cli import views
    from memflow.cli.output import clean

    output, answer = invocation.output, outcome.answer
    sign = Text("✓", style="green") if outcome.right else Text("✗", style="red")
    output.say(Text(f"{number}. {outcome.question.text}", style="cyan"))
    text = clean(answer.text)
    output.say(Text.assemble("   ", sign, " ", (text, "bold")))
    if not outcome.right:
        output.say(Text(f"     expected: {outcome.question.gold}", style="yellow"))
    if answer.reason:
        output.say(Text(f"     {clean(answer.reason)}", style="dim"))
    output.say(Text(f"     {views.cost(answer, outcome.seconds)}", style="dim"))
    width = width_of(invocation) or 100
    for source in answer.evidence[:3]:
        output.say(
            views.line(f"     {views.when(source.time)}  {source.speaker}:", source.text, width)
        )
    output.say("")
    output.flush()


def _finish(
    invocation: Invocation,
    outcomes: list[Outcome],
    turns: int,
    ingest_seconds: float,
    seconds: float,
    keep: bool,
) -> None:
    answerable = [outcome for outcome in outcomes if not outcome.question.abstain]
    unanswerable = [outcome for outcome in outcomes if outcome.question.abstain]
    right = sum(outcome.right for outcome in answerable)
    abstained = sum(outcome.right for outcome in unanswerable)
    if not invocation.json:
        parts = [f"answered right: {right}/{len(answerable)}"]
        if unanswerable:
            parts.append(f"abstained rightly: {abstained}/{len(unanswerable)}")
        invocation.output.say("; ".join(parts), f"{seconds:.0f} s in all")
        if keep:
            invocation.output.note(f'kept: memflow ask "…" --db {invocation.db}')
        return
    invocation.output.object(
        {
            "turns": turns,
            "ingest_s": round(ingest_seconds, 2),
            "answered_right": right,
            "answerable": len(answerable),
            "abstained_rightly": abstained,
            "unanswerable": len(unanswerable),
            "wall_s": round(seconds, 2),
            "db": invocation.db if keep else None,
            "questions": [
                {
                    "question": outcome.question.text,
                    "expected": outcome.question.gold,
                    "right": outcome.right,
                    "seconds": round(outcome.seconds, 2),
                    **records.answered(outcome.answer),
                }
                for outcome in outcomes
            ],
        }
    )

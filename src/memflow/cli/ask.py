"""Asking: ask, context, route, search, explain."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memflow.cli import records
from memflow.cli.invocation import Invocation, common, moment, not_empty, pass_invocation, width_of
from memflow.errors import InputError, UsageError

if TYPE_CHECKING:
    from memflow.types import Route

_MODEL = click.option("--model", metavar="M", help="A catalogue name, a .gguf file or a server.")
_NO_MODEL = click.option("--no-model", is_flag=True, help="Only what code can do by itself.")
_NOW = click.option("--now", callback=moment, metavar="T", help="The asker's time [this moment].")


@click.command()
@click.argument("question")
@_MODEL
@_NO_MODEL
@_NOW
@click.option("--show-context", is_flag=True, help="Also show what the model saw.")
@common
@pass_invocation
def ask(
    invocation: Invocation,
    question: str,
    model: str | None,
    no_model: bool,
    now: datetime | None,
    show_context: bool,
) -> None:
    """An answer with its sources, or an honest "not known"."""
    not_empty(question, "question")
    chosen = None if no_model else invocation.choose_model(model)
    start = time.perf_counter()
    with invocation.open_space(model=chosen) as space:
        with invocation.output.status("thinking …"):
            answer = space.ask(question, now=now, use_model=not no_model)
        seconds = time.perf_counter() - start
        shown = None
        if show_context:
            # As the last attempt saw it; with the intent given, no call is made to find it again.
            last = answer.trace.stages["attempts"][-1]["operation"]
            shown = space.context(question, now=now, intent=last, use_model=not no_model).text
    if invocation.json:
        record = records.answered(answer)
        invocation.output.object(record | ({"context": shown} if show_context else {}))
        return
    from memflow.cli import views

    output = invocation.output
    output.say(*views.answer_lines(answer, seconds, width_of(invocation)))
    output.note(f"  why: memflow explain {answer.trace.id}")
    if shown is not None:
        output.say("", "context:", shown or "(empty)")


@click.command()
@click.argument("question")
@_NOW
@common
@pass_invocation
def context(invocation: Invocation, question: str, now: datetime | None) -> None:
    """The packed context, without an answer.

    For whoever brings their own model: none is called.
    """
    not_empty(question, "question")
    with invocation.open_space() as space:
        compiled = space.context(question, now=now)
    if invocation.json:
        invocation.output.object(records.compiled(compiled))
        return
    route, packed = compiled.route, compiled.packed
    invocation.output.note(
        f"{route.intent.value} ({route.layer.value}); {len(packed.items)} items, "
        f"{packed.tokens:,} tokens"
    )
    invocation.output.say(compiled.text)


@click.command()
@click.argument("question", required=False)
@click.option("--file", metavar="F.jsonl", help='One question a line, as {"question": …}.')
@_MODEL
@_NO_MODEL
@common
@pass_invocation
def route(
    invocation: Invocation,
    question: str | None,
    file: str | None,
    model: str | None,
    no_model: bool,
) -> None:
    """Which memory operation a question asks for.

    And which layer of the router says so. No memory is opened.
    """
    if (question is None) == (file is None):
        raise UsageError("route takes a question or --file, one of the two")
    questions = (
        [not_empty(question, "question")] if question is not None else _questions(file or "")
    )
    from memflow.cli.routing import open_router

    with open_router(invocation, model, no_model=no_model) as router:
        for one in questions:
            _show_route(invocation, one, router(one).route, alone=file is None)


def _show_route(invocation: Invocation, question: str, found: Route, *, alone: bool) -> None:
    if invocation.json:
        invocation.output.object(
            {
                "question": question,
                "intent": found.intent,
                "layer": found.layer,
                "reason": found.reason,
            }
        )
    elif alone:
        reason = f": {found.reason}" if found.reason else ""
        invocation.output.say(f"{found.intent.value} ({found.layer.value}{reason})")
    else:
        invocation.output.say(f"{found.intent.value:<22} {found.layer.value:<10} {question}")


def _questions(file: str) -> list[str]:
    """Raises InputError for a file, or a line of it, that is not what it should be."""
    import json

    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise InputError(file, reason) from error
    questions = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            question = json.loads(line)["question"]
        except (ValueError, KeyError, TypeError):
            question = None
        if not isinstance(question, str) or not question.strip():
            raise InputError(
                f"{file}:{number}", "no question", mend='write {"question": "…"} on each line'
            )
        questions.append(question)
    if not questions:
        raise InputError(file, "no questions in it")
    return questions


@click.command()
@click.argument("text")
@click.option("-k", type=click.IntRange(min=1), default=8, show_default=True, help="How many.")
@common
@pass_invocation
def search(invocation: Invocation, text: str, k: int) -> None:
    """Ranked turns, and how each leg of the search ranked them."""
    not_empty(text, "text to search for")
    with invocation.open_space() as space:
        hits = space.search(text, k=k)
    if invocation.json:
        invocation.output.object({"hits": [records.hit(hit) for hit in hits]})
        return
    from memflow.cli import views

    if not hits:
        invocation.output.note("nothing found")
    for rank, hit in enumerate(hits, start=1):
        invocation.output.say(*views.hit_lines(rank, hit, width_of(invocation)))


@click.command()
@click.argument("trace_id")
@common
@pass_invocation
def explain(invocation: Invocation, trace_id: str) -> None:
    """Why an answer came out so, stage by stage."""
    with invocation.open_space() as space:
        trace = space.explain(trace_id)
    if invocation.json:
        invocation.output.object(
            {
                "id": trace.id,
                "question": trace.question,
                "created": trace.created,
                "stages": dict(trace.stages),
            }
        )
        return
    from memflow.cli.story import tell

    invocation.output.say(*tell(trace, width_of(invocation)))

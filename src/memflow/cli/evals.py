"""`memflow eval`: how well it does, in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memflow.cli import benchmark, download, results
from memflow.cli.frame import Group
from memflow.cli.invocation import Invocation, common, pass_invocation

if TYPE_CHECKING:
    from memflow.evals.routing import RoutingReport

_WRONG_SHOWN = 10


@click.group(name="eval", cls=Group)
@common
def eval_() -> None:
    """Benchmarks."""


@eval_.command()
@click.argument("file", metavar="FILE.jsonl")
@click.option("--model", metavar="M", help="A catalogue name, a .gguf file or a server.")
@click.option("--no-model", is_flag=True, help="Rules, examples and keywords only.")
@common
@pass_invocation
def routing(invocation: Invocation, file: str, model: str | None, no_model: bool) -> None:
    """Route labelled questions; each line has `question` and `intent`."""
    from memflow.cli.routing import open_router
    from memflow.evals.routing import Routed, evaluate, load_routing

    rows = load_routing(file)
    output = invocation.output
    with (
        open_router(invocation, model, no_model=no_model) as route,
        output.progress("routing") as progress,
    ):
        done = 0

        def counted(question: str) -> Routed:
            nonlocal done
            found = route(question)
            done += 1
            progress(done, len(rows))
            return found

        report = evaluate(rows, counted)
    if invocation.json:
        output.object(_routing_record(report))
    else:
        _show_routing(invocation, report)


def _routing_record(report: RoutingReport) -> dict[str, Any]:
    return {
        "n": report.n,
        "accuracy": report.accuracy,
        "accuracy_ci": report.accuracy_ci,
        "macro_f1": report.macro_f1,
        "per_intent": {
            intent: {"precision": f.precision, "recall": f.recall, "f1": f.f1, "n": f.n}
            for intent, f in report.per_intent.items()
        },
        "confusion": report.confusion,
        "model_call_share": report.model_call_share,
        "prompt_tokens_mean": report.prompt_tokens_mean,
        "prompt_tokens_per_call": report.prompt_tokens_per_call,
        "layers": report.layers,
        "wrong": [
            {
                "line": row.line,
                "question": row.question,
                "intent": row.intent,
                "predicted": route.intent,
                "layer": route.layer,
            }
            for row, route in report.wrong
        ],
    }


def _show_routing(invocation: Invocation, report: RoutingReport) -> None:
    from memflow.cli import views

    output = invocation.output
    low, high = report.accuracy_ci
    layers = ", ".join(f"{layer} {count}" for layer, count in report.layers.items())
    output.say(
        f"accuracy {report.accuracy:.1%} ({low:.1%} to {high:.1%}) of {report.n:,}; "
        f"macro F1 {report.macro_f1:.3f}",
        f"decided by: {layers}",
        f"the model was asked for {report.model_call_share:.1%}; "
        f"{report.prompt_tokens_mean:,.0f} prompt tokens a question, "
        f"{report.prompt_tokens_per_call:,.0f} a call",
        "",
        views.table(
            ("intent", ">n", ">precision", ">recall", ">F1", "taken for"),
            (
                (
                    intent,
                    f"{f.n:,}",
                    f"{f.precision:.3f}",
                    f"{f.recall:.3f}",
                    f"{f.f1:.3f}",
                    _mistaken(report.confusion[intent], intent),
                )
                for intent, f in report.per_intent.items()
            ),
        ),
    )
    if report.wrong:
        output.say("", "wrong:")
    for row, route in report.wrong[:_WRONG_SHOWN]:
        output.say(f"  line {row.line}: {row.intent.value} → {route.intent.value}: {row.question}")
    if len(report.wrong) > _WRONG_SHOWN:
        output.say(f"  … and {len(report.wrong) - _WRONG_SHOWN:,} more (--json has them all)")


def _mistaken(guesses: Any, intent: str) -> str:
    """Which other intents its questions were taken for, most frequent first."""
    others = sorted(
        ((count, guess) for guess, count in guesses.items() if guess != intent and count),
        reverse=True,
    )
    return ", ".join(f"{guess} {count}" for count, guess in others[:2])


for _name, _about in (
    ("locomo", "LoCoMo: questions about the long correspondence of two people."),
    ("longmemeval", "LongMemEval: questions to an assistant about many earlier sessions."),
    ("longbench", "LongBench: questions about long documents, and summaries."),
    ("realmem", "RealMem: projects that go on over many sessions."),
    ("multichallenge", "MultiChallenge: the last turn of a conversation, by a criterion."),
):
    eval_.add_command(benchmark.command(_name, _about))

for _command in (results.judge_answers, results.report, results.publish, download.download):
    eval_.add_command(_command)

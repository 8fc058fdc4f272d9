"""`memflow eval locomo` and `longmemeval`: whether the evidence is found and packed, no model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.errors import UsageError


def command(name: str, about: str) -> click.Command:
    """The command that evaluates on the set of that name."""

    @click.command(name=name, help=about)
    @click.argument("files", nargs=-1, required=True, metavar="FILE...")
    @click.option("--retrieval-only", is_flag=True, help="What is found and packed; no model.")
    @click.option(
        "--systems", default="memflow", show_default=True, metavar="A,B", help="Compared."
    )
    @click.option(
        "--packed-budget",
        type=click.IntRange(min=1),
        metavar="N",
        help="Cap the context, in tokens.",
    )
    @click.option("--limit", type=click.IntRange(min=1), metavar="N", help="So many questions.")
    @click.option(
        "--seed", type=int, default=0, show_default=True, help="Which ones --limit takes."
    )
    @click.option("--out", metavar="DIR", help="Keep a line for each question there.")
    @click.option("--resume", is_flag=True, help="Go on with what DIR holds.")
    @common
    @pass_invocation
    def evaluate(invocation: Invocation, /, files: tuple[str, ...], **options: Any) -> None:
        report = _run(invocation, name, files, options)
        if invocation.json:
            invocation.output.object(report)
        else:
            _show(invocation, report)

    return evaluate


def _run(
    invocation: Invocation, name: str, files: tuple[str, ...], options: dict[str, Any]
) -> dict[str, Any]:
    if not options["retrieval_only"]:
        raise UsageError(
            f"answers are not evaluated on {name} yet",
            mend=f"memflow eval {name} FILE --retrieval-only",
        )
    out = options["out"]
    if options["resume"] and out is None:
        raise UsageError("--resume needs --out, the folder to go on with")
    from memflow.evals import datasets
    from memflow.evals.retrieval import Options, run

    dataset = datasets.load(name, files)
    for note in dataset.notes:
        invocation.output.note(f"{note.what}: {note.count:,}")
    invocation.kept = (
        f"what is done is in {out}; --resume goes on from there"
        if out
        else "nothing is kept without --out DIR"
    )
    settings = invocation.settings()
    chosen = Options(
        systems=tuple(part.strip() for part in options["systems"].split(",") if part.strip()),
        packed_budget=options["packed_budget"] or settings.packed_budget,
        limit=options["limit"],
        seed=options["seed"],
        out=Path(out) if out else None,
        resume=options["resume"],
    )
    with invocation.output.progress(f"{name}: questions") as progress:
        return run(
            dataset,
            chosen,
            replace(settings, model=""),
            progress=progress,
            encoder=invocation.sentence_encoder,
        )


def _show(invocation: Invocation, report: dict[str, Any]) -> None:
    from memflow.cli import views

    output = invocation.output
    budget = report["packed_budget"]
    output.say(
        f"{report['data']}; encoder {report['encoder']}; "
        f"{f'at most {budget:,} tokens' if budget else 'own budgets'}; {report['wall_s']:.0f} s"
    )
    heads = ("type", ">n", ">any", ">95%", ">all", ">95%", ">tokens", ">ms")
    for system, figures in report["systems"].items():
        rows = {"all": figures, **figures["by_type"]}
        table = views.table(heads, (_row(kind, row) for kind, row in rows.items()))
        output.say("", f"{system}: evidence covered", table)
        if figures["without_gold_turns"]:
            output.note(f"{figures['without_gold_turns']:,} questions have no gold turns")


def _row(kind: str, figures: dict[str, Any]) -> tuple[str, ...]:
    return (
        kind,
        f"{figures['n']:,}",
        f"{figures['evidence_any']:.1%}",
        _interval(figures["evidence_any_ci"]),
        f"{figures['evidence_all']:.1%}",
        _interval(figures["evidence_all_ci"]),
        f"{figures['packed_tokens_mean']:,.0f}",
        f"{figures['milliseconds_mean']:,.0f}",
    )


def _interval(bounds: tuple[float, float]) -> str:
    return f"{bounds[0]:.1%}–{bounds[1]:.1%}"

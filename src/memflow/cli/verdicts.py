"""Who judges a run's answers, and how its figures are shown."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memflow.cli.invocation import Invocation
from memflow.errors import UsageError

if TYPE_CHECKING:
    from memflow.evals.results import Folder
    from memflow.evals.verdicts import Judge


_SIDE_BY_SIDE = 4  # systems that fit beside each other on a terminal; the report has them all


def judged_by(
    invocation: Invocation, folder: Folder, named: str | None, answering: str
) -> str | None:
    """Judge what the folder holds; the judge's name, "" for none.

    Without a name it is the model that answers, if that is a local one, else overlap: to send all
    questions to a server once more is for the user to say.
    """
    from memflow.cli.benchmark import progress
    from memflow.evals.verdicts import NONE, judge_answers

    if named == NONE:
        return NONE
    with ExitStack() as stack:
        judge = _judge(invocation, named, answering, stack)
        with progress(invocation, f"judge: {judge.name}") as report:
            judge_answers(folder, judge, progress=report)
        return judge.name


def _judge(invocation: Invocation, named: str | None, answering: str, stack: ExitStack) -> Judge:
    from memflow.evals.provenance import model_record
    from memflow.evals.runner import opened
    from memflow.evals.verdicts import OVERLAP, Judge

    if named == OVERLAP:
        return Judge()
    if invocation.chat_model is not None:
        model = invocation.chat_model
        record = model_record("", model)
    else:
        spec = named or answering
        if not spec:
            raise UsageError("no judge is named", mend=f"--judge MODEL, or --judge {OVERLAP}")
        model = opened(replace(invocation.settings(), model=spec), stack)
        record = model_record(spec, model)
    if named is None and not model.info.local:
        invocation.output.note(
            "the answering model is a server's: judged by overlap; --judge names a model"
        )
        return Judge()
    return Judge(str((record or {})["name"]), model)


def show(invocation: Invocation, found: dict[str, Any]) -> None:
    """A run's figures for a reader: accuracy first, then cost; evidence in a table of its own."""
    from memflow.cli import views

    output = invocation.output
    output.say(*_about(found))
    judged = found["judge"] is not None
    heads = ["system", ">n", *([">acc.", ">95%"] if judged else [])]
    heads += [">packed", ">spent", ">calls", ">abst.", ">s"]
    rows = []
    for system, row in found["systems"].items():
        accuracy = [f"{row['accuracy']:.1%}", _interval(row["accuracy_ci"])] if judged else []
        cost = [row["packed_tokens_mean"], row["pipeline_tokens_mean"]]
        rows.append(
            (
                system,
                f"{row['n']:,}",
                *accuracy,
                *(f"{tokens:,.0f}" for tokens in cost),
                f"{row['model_calls_mean']:.1f}",
                f"{row['abstained']:,}",
                f"{row['milliseconds_mean'] / 1000:,.1f}",
            )
        )
    output.say("", views.table(heads, rows))
    for system, row in found["systems"].items():
        for name, count in row["errors"].items():
            output.say(f"{system} failed on {count:,} of {row['n']:,}, counted as wrong: {name}")
    if judged and len(found["systems"]) <= _SIDE_BY_SIDE:
        _show_types(invocation, found)
    _show_evidence(invocation, found)
    for difference in found["differences"]:
        low, high = difference["ci"]
        output.say(
            f"{difference['first']} against {difference['second']}: "
            f"{100 * difference['difference']:+.1f} points "
            f"({100 * low:+.1f} to {100 * high:+.1f}), p = {difference['p']:.3g}, "
            f"n = {difference['n']:,}"
        )


def _about(found: dict[str, Any]) -> list[str]:
    model = (found["model"] or {}).get("name", "no model")
    encoder = found["encoder"].partition("|")[0]
    lines = [f"{found['data']}, {found['questions']:,} questions; {model}; {encoder}"]
    judge = found["judge"]
    if judge is None:
        return [*lines, "not judged: there is no accuracy"]
    same = ", the model that answered" if judge["same_as_model"] else ""
    agreement = judge["agreement"]
    known = (
        f"agrees with larger judges on {agreement['accuracy']:.1%}"
        if agreement and "accuracy" in agreement
        else "its agreement with larger judges is not measured"
    )
    return [*lines, f"judged by {judge['name']}{same}; {known}"]


def _show_types(invocation: Invocation, found: dict[str, Any]) -> None:
    from memflow.cli import views

    kinds = sorted({kind for row in found["systems"].values() for kind in row["by_type"]})
    heads = ("accuracy by type", ">n", *(f">{system}" for system in found["systems"]))
    rows = []
    for kind in kinds:
        cells = [row["by_type"].get(kind) for row in found["systems"].values()]
        n = max(cell["n"] for cell in cells if cell)
        shown = (f"{cell['accuracy']:.1%}" if cell else "" for cell in cells)
        rows.append((kind, f"{n:,}", *shown))
    invocation.output.say("", views.table(heads, rows))


def _show_evidence(invocation: Invocation, found: dict[str, Any]) -> None:
    from memflow.cli import views

    rows = [
        (
            system,
            f"{row['evidence_n']:,}",
            f"{row['evidence_any']:.1%}",
            f"{row['evidence_all']:.1%}",
        )
        for system, row in found["systems"].items()
        if row["evidence_n"]
    ]
    if rows:
        heads = ("evidence covered", ">n", ">any", ">all")
        invocation.output.say("", views.table(heads, rows), "")


def _interval(bounds: tuple[float, float]) -> str:
    return f"{100 * bounds[0]:.0f}–{100 * bounds[1]:.0f}"

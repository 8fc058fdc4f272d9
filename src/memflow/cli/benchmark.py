"""`memflow eval SET FILE…`: the systems' answers to a benchmark's questions, and their judgement.

With --retrieval-only just what is found and packed, without any model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from memflow.cli.invocation import Invocation, common, pass_invocation
from memflow.errors import UsageError

if TYPE_CHECKING:
    from memflow.evals.cases import Dataset
    from memflow.evals.runner import Progress

_OPTIONS = (
    click.argument("files", nargs=-1, required=True, metavar="FILE..."),
    click.option(
        "--systems", default="memflow", show_default=True, metavar="A,B", help="Compared."
    ),
    click.option("--retrieval-only", is_flag=True, help="What is found and packed; no model."),
    click.option("--model", metavar="M", help="Who answers: a name, a .gguf file or a server."),
    click.option(
        "--judge", metavar="J", help="Who judges: a model, 'overlap' or 'none' [who answers]."
    ),
    click.option(
        "--packed-budget",
        type=click.IntRange(min=1),
        metavar="N",
        help="Cap the context, in tokens.",
    ),
    click.option("--categories", metavar="A,B", help="Only questions of these, by number or name."),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="So many questions."),
    click.option("--seed", type=int, default=0, show_default=True, help="Which --limit takes."),
    click.option("--fillers", metavar="POOL", help="Put sessions of this file among the evidence."),
    click.option(
        "--n-fillers",
        type=click.IntRange(min=1),
        default=40,
        show_default=True,
        metavar="N",
        help="So many a question.",
    ),
    click.option("--out", metavar="DIR", help="Keep a line for each question there."),
    click.option("--resume", is_flag=True, help="Go on with what DIR holds."),
)


def command(name: str, about: str) -> click.Command:
    """The command that evaluates on the set of that name."""

    @common
    @pass_invocation
    def evaluate(invocation: Invocation, /, **options: Any) -> None:
        _run(invocation, name, _Chosen(**options))

    for option in reversed(_OPTIONS):
        evaluate = option(evaluate)
    return click.command(name=name, help=about)(evaluate)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The options, as they were given."""

    files: tuple[str, ...]
    systems: str
    retrieval_only: bool
    model: str | None
    judge: str | None
    packed_budget: int | None
    categories: str | None
    limit: int | None
    seed: int
    fillers: str | None
    n_fillers: int
    out: str | None
    resume: bool

    @property
    def names(self) -> tuple[str, ...]:
        return _parts(self.systems)


def _parts(text: str | None) -> tuple[str, ...]:
    """Of a list with commas, each once."""
    parts = [part.strip() for part in (text or "").split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))


def _run(invocation: Invocation, name: str, chosen: _Chosen) -> None:
    if chosen.resume and chosen.out is None:
        raise UsageError("--resume needs --out, the folder to go on with")
    invocation.kept = (
        f"what is done is in {chosen.out}; --resume goes on from there"
        if chosen.out
        else "nothing is kept without --out DIR"
    )
    if chosen.retrieval_only:
        _retrieval(invocation, name, chosen)
    else:
        _answers(invocation, name, chosen)


def _loaded(invocation: Invocation, name: str, chosen: _Chosen) -> Dataset:
    from memflow.evals import datasets

    among: dict[str, Any] = {}
    if chosen.fillers:
        among = {"fillers": chosen.fillers, "n_fillers": chosen.n_fillers, "seed": chosen.seed}
    dataset = datasets.load(name, chosen.files, **among)
    for note in dataset.notes:
        invocation.output.note(f"{note.what}: {note.count:,}")
    return dataset


# --------------------------------------------------------------------------- answers


def _answers(invocation: Invocation, name: str, chosen: _Chosen) -> None:
    from memflow.cli.verdicts import judged_by, show
    from memflow.evals import runner
    from memflow.evals.choices import check_systems
    from memflow.evals.results import Folder
    from memflow.evals.summary import read_run, summarise
    from memflow.evals.systems import SYSTEMS

    check_systems(chosen.names, SYSTEMS)
    settings = invocation.settings(model=invocation.choose_model(chosen.model))
    dataset = _loaded(invocation, name, chosen)
    options = runner.Options(
        systems=chosen.names,
        packed_budget=chosen.packed_budget or settings.packed_budget,
        categories=_parts(chosen.categories),
        limit=chosen.limit,
        seed=chosen.seed,
        fillers=chosen.n_fillers if chosen.fillers else None,
        resume=chosen.resume,
    )
    with ExitStack() as stack:
        out = chosen.out or stack.enter_context(TemporaryDirectory(prefix="memflow-eval-"))
        folder = Folder(Path(out))
        with progress(invocation, f"{name}: answers") as report:
            runner.run(
                dataset,
                options,
                settings,
                folder,
                model=invocation.chat_model,
                encoder=invocation.sentence_encoder,
                progress=report,
            )
        revisions = folder.required_header()["revisions"]
        if len(revisions) > 1:
            invocation.output.note(f"made by several revisions: {', '.join(revisions)}")
        judge = judged_by(invocation, folder, chosen.judge, settings.model)
        found = summarise(read_run(folder.path, judge), wanted=chosen.names)
    if invocation.json:
        invocation.output.object(found)
    else:
        show(invocation, found)


@contextmanager
def progress(invocation: Invocation, text: str) -> Iterator[Progress]:
    """A bar on a terminal; elsewhere a line now and then, for a run of hours leaves a log."""
    output = invocation.output
    with output.progress(text) as bar:
        if output.stderr.is_terminal:
            yield bar
            return
        yield _Log(text, output.note)


class _Log:
    """Progress as lines: at most one in two minutes, with the time that is left at this pace."""

    EVERY_S = 120.0

    def __init__(self, text: str, note: Callable[[str], None]) -> None:
        self._text, self._note = text, note
        self._started = self._said = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done and now - self._said < self.EVERY_S and done < total:
            return
        self._said = now
        left = (now - self._started) / done * (total - done) if done else 0.0
        about = f", about {left / 60:,.0f} min left" if left >= 60 else ""
        self._note(f"{self._text}: {done:,} of {total:,}{about}")


# --------------------------------------------------------------------------- retrieval only


def _retrieval(invocation: Invocation, name: str, chosen: _Chosen) -> None:
    from memflow.evals.choices import of_categories
    from memflow.evals.retrieval import Options, run

    settings = invocation.settings()
    dataset = _loaded(invocation, name, chosen)
    options = Options(
        systems=chosen.names,
        packed_budget=chosen.packed_budget or settings.packed_budget,
        limit=chosen.limit,
        seed=chosen.seed,
        out=Path(chosen.out) if chosen.out else None,
        resume=chosen.resume,
    )
    with invocation.output.progress(f"{name}: questions") as progress:
        report = run(
            dataset.only(of_categories(dataset.cases, _parts(chosen.categories))),
            options,
            replace(settings, model=""),
            progress=progress,
            encoder=invocation.sentence_encoder,
        )
    if invocation.json:
        invocation.output.object(report)
    else:
        _show_retrieval(invocation, report)


def _show_retrieval(invocation: Invocation, report: dict[str, Any]) -> None:
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

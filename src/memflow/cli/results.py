"""`memflow eval judge-answers`, `report` and `publish`: what is done with a run that is kept."""

from __future__ import annotations

import os
from pathlib import Path

import click

from memflow.cli.invocation import Invocation, common, pass_invocation

_JUDGE = click.option("--judge", metavar="J", help="A model, or 'overlap'.")
_FOLDER = click.argument("folder", metavar="DIR")


@click.command("judge-answers")
@_FOLDER
@_JUDGE
@common
@pass_invocation
def judge_answers(invocation: Invocation, folder: str, judge: str | None) -> None:
    """Judge the answers in DIR, once more by another judge.

    Each judge's verdicts are kept beside the others'; what it has judged already is not judged
    again.
    """
    from memflow.cli.verdicts import judged_by, show
    from memflow.evals.results import Folder
    from memflow.evals.summary import read_run, summarise

    kept = Folder(Path(folder))
    kept.required_header()
    invocation.kept = f"the verdicts given are in {folder}; the same call goes on from there"
    if judge is None and invocation.chat_model is None:
        judge = invocation.choose_model(None)
    name = judged_by(invocation, kept, judge, "")
    found = summarise(read_run(kept.path, name))
    if invocation.json:
        invocation.output.object(found)
    else:
        show(invocation, found)


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option("--out", metavar="FILE.md", help="Where to [stdout].")
@click.option("--figures", metavar="DIR", help="Also draw pictures there (extra 'eval').")
@click.option("--judge", metavar="J", help="Whose verdicts [the only judge's].")
@common
@pass_invocation
def report(
    invocation: Invocation,
    folders: tuple[str, ...],
    out: str | None,
    figures: str | None,
    judge: str | None,
) -> None:
    """Tables of runs, in Markdown.

    DIR is what --out named, or a folder of such folders.
    """
    from memflow.evals.report import report as told
    from memflow.evals.study import read_study
    from memflow.evals.summary import summarise

    study = read_study(_runs(folders), judge)
    drawn: list[Path] = []
    if figures is not None:
        from memflow.evals.figures import draw

        drawn = draw(study, Path(figures))
    beside = Path(out).parent if out else Path()
    links = [Path(os.path.relpath(path, beside)).as_posix() for path in drawn]
    text = told(study, figures=links)
    if out is not None:
        from memflow.evals.journal import write_whole

        write_whole(Path(out), text)
    if invocation.json:
        summaries = [summarise(run) for run in study.runs]
        record = {"runs": summaries, "out": out, "figures": [str(path) for path in drawn]}
        invocation.output.object(record | ({} if out else {"report": text}))
    elif out is None:
        invocation.output.say(text.rstrip("\n"))
    else:
        invocation.output.say(f"the report is in {out}")


@click.command()
@_FOLDER
@click.argument("target", metavar="TARGET")
@common
@pass_invocation
def publish(invocation: Invocation, folder: str, target: str) -> None:
    """Copy a run without the set's texts, so that it may be shared.

    Ids, predictions, verdicts and figures stay; questions, gold and raw replies go.
    """
    from memflow.evals.publish import publish as stripped

    written = stripped(Path(folder), Path(target))
    if invocation.json:
        invocation.output.object({"written": [str(path) for path in written]})
    else:
        invocation.output.say(*(str(path) for path in written))


def _runs(folders: tuple[str, ...]) -> list[Path]:
    """Those named, and of a folder without a run those within that have one."""
    found: list[Path] = []
    for name in folders:
        folder = Path(name)
        within = sorted(path.parent for path in folder.glob("*/run.json"))
        if (folder / "run.json").is_file() or not within:
            found.append(folder)
        else:
            found += within
    return found

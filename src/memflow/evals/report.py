"""Runs told as tables, in Markdown: the same folders give the same text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memflow.evals import costs, tables
from memflow.evals import markdown as md
from memflow.evals.study import Measured, Study, systems_of
from memflow.evals.summary import judge_record


def report(study: Study, *, figures: Sequence[str] = ()) -> str:
    """The whole report; `figures` are paths of pictures as they are to be linked."""
    parts = ["# Evaluation"]
    parts += _section("What was measured", _measured(study), _judges(study), _remarks(study))
    for model in study.models:
        measured = study.by(model)
        judged = [each for each in measured if each.judged]
        if judged:
            parts += _section(
                f"Results: {model}",
                tables.main_results(judged),
                tables.against_the_rest(judged),
                tables.ablations(judged),
                *(tables.by_type(each) for each in judged),
                costs.intents(judged),
            )
        parts += _section(
            f"Cost and course: {model}",
            costs.stages(measured),
            costs.pipeline(measured),
            costs.building(measured),
            costs.routing(measured),
            costs.escalation(measured),
            costs.failures(measured),
        )
    parts += _section("Models", tables.models(study))
    official = (tables.official(study.by(model)) for model in study.models)
    parts += _section("Official metrics", *official)
    recall = (tables.evidence(study.by(model)) for model in study.models)
    parts += _section("Retrieval recall", *recall)
    if figures:
        note = f"**Accuracy with Wilson's 95% intervals.** {md.judged(study.measured)}"
        parts += _section("Figures", [note, *(f"![{Path(path).stem}]({path})" for path in figures)])
    return "\n\n".join(parts) + "\n"


def _section(title: str, *blocks: Iterable[str]) -> list[str]:
    """With nothing in it, no section."""
    texts = [text for block in blocks for text in block]
    return [f"## {title}", *texts] if texts else []


def _measured(study: Study) -> list[str]:
    heads = ["set", "data", ">questions", ">haystacks", ">turns", "which", "model", "systems"]
    rows = []
    for each in study.measured:
        configuration = each.configuration
        rows.append(
            [
                each.label,
                str(configuration["data"]),
                f"{configuration['questions']:,}",
                f"{configuration['haystacks']:,}",
                f"{configuration['turns']:,}",
                md.scope(each),
                _model(each),
                ", ".join(systems_of([each])),
            ]
        )
    return [md.table(heads, rows), *_conditions(study)]


def _model(measured: Measured) -> str:
    record = measured.configuration["model"] or {}
    file = f", file {record['sha256'][:12]}" if record.get("sha256") else ""
    return f"{record.get('name', md.NONE)} (window {record.get('window', 0):,}{file})"


def _conditions(study: Study) -> list[str]:
    """Encoder, settings, revisions and machines, once for those that share them."""
    lines: dict[str, None] = {}
    for run in study.runs:
        configuration = run.configuration
        settings = configuration["settings"]
        changed = ", ".join(f"{name} = {value}" for name, value in settings.items())
        machines = [entry["machine"] for entry in run.header["runs"]]
        on = "; ".join(
            dict.fromkeys(
                f"{one['cores']} cores, {one['system']} {one['architecture']}, "
                f"Python {one['python']}"
                for one in machines
            )
        )
        lines[
            f"- Encoder {configuration['encoder'].partition('|')[0]}; "
            f"settings {changed or 'as by default'}; "
            f"revision {', '.join(run.header['revisions'])}; {on}."
        ] = None
    return ["\n".join(lines)]


def _judges(study: Study) -> list[str]:
    heads = ["set", "answers by", "judge", "agreement", ">answers", ">by overlap, %", "decided by"]
    rows = []
    for each in study.measured:
        for run in each.runs:
            record = judge_record(run)
            if record is None:
                rows.append([each.label, each.model, "none", *[md.NONE] * 4])
                continue
            name = record["name"]
            if record["same_as_model"]:
                name += " (the model that answered)"
            ways = ", ".join(f"{way} {count:,}" for way, count in record["by"].items())
            share = md.percent(record["overlap_share"])
            n = f"{sum(record['by'].values()):,}"
            known = md.agreement(record["agreement"])
            rows.append([each.label, each.model, name, known, n, share, ways])
    return ["**Judges.** A model's verdict is only worth its agreement.", md.table(heads, rows)]


def _remarks(study: Study) -> list[str]:
    """What the loaders dropped, mended or found odd."""
    rows: dict[tuple[str, str, str], None] = {}
    for each in study.measured:
        for note in each.runs[0].header.get("notes", []):
            rows[each.label, note["what"], f"{note['count']:,}"] = None
    if not rows:
        return []
    heads = ["set", "remark", ">count"]
    return ["**Remarks on the data.**", md.table(heads, [list(row) for row in rows])]

"""Markdown as reports need it: tables, shares, intervals, and captions that say by whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from memflow.evals.study import Measured
from memflow.evals.summary import judge_record

NONE = "–"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Heads that start with ">" are of columns aligned to the right."""
    marks = ["---:" if head.startswith(">") else "---" for head in heads]
    names = [head.removeprefix(">") for head in heads]
    lines = [names, marks, *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def interval(bounds: Sequence[float]) -> str:
    return f"[{100 * bounds[0]:.1f}, {100 * bounds[1]:.1f}]"


def points(difference: float) -> str:
    return f"{100 * difference:+.1f}"


def p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def number(value: float) -> str:
    return f"{value:,.0f}"


def caption(title: str, measured: Sequence[Measured], *notes: str) -> str:
    """What the figures below are: title, models, sets with n and categories, judges."""
    models = list(dict.fromkeys(each.model for each in measured))
    sets = dict.fromkeys(f"{each.label}: {scope(each)}." for each in measured)
    return " ".join([f"**{title}.**", f"Answers by {', '.join(models)}.", *sets, *notes])


def judged(measured: Sequence[Measured]) -> str:
    """Who judged, how well it agrees with larger judges, and how much it did not decide itself."""
    sentences: dict[str, None] = {}
    for each in measured:
        for run in each.runs:
            record = judge_record(run)
            sentences[judge_sentence(record)] = None
    return " ".join(sentences)


def judge_sentence(record: dict[str, Any] | None) -> str:
    if record is None:
        return "Not judged."
    same = ", the model that answered" if record["same_as_model"] else ""
    return f"Judged by {record['name']}{same} ({agreement(record['agreement'])})."


def agreement(found: dict[str, Any] | None) -> str:
    if not found:
        return "its agreement with larger judges is not measured"
    share = f"agrees with larger judges on {percent(found['accuracy'])}%"
    return share + (f" of {found['n']:,} answers" if "n" in found else "")


def scope(measured: Measured) -> str:
    """The data as it calls itself, how many questions, which of them, and around what."""
    configuration = measured.configuration
    n, whole = configuration["questions"], configuration["of"]
    parts = []
    if configuration["data"].lower() != measured.label.lower():
        parts.append(configuration["data"])
    sample = f" of {whole:,}, a stratified sample (seed {configuration['seed']})"
    parts.append(f"n = {n:,}" + (sample if n < whole else ""))
    if measured.set == "locomo":
        parts.append("categories " + ", ".join(_number(name) for name in measured.categories))
    if configuration["fillers"]:
        parts.append(f"{configuration['fillers']} filler sessions a question")
    if configuration["packed_budget"]:
        parts.append(f"at most {configuration['packed_budget']:,} packed tokens")
    return ", ".join(parts)


def _number(category: str) -> str:
    return category.partition(" ")[0]

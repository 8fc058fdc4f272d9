"""Tables of what answers cost and how they came about: tokens, routing, escalation, time."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from memflow.evals import markdown as md
from memflow.evals.results import STAGES
from memflow.evals.study import PRODUCT, Measured, systems_of
from memflow.evals.summary import Scored, figures, stage_figures
from memflow.evals.tables import accuracy_cell
from memflow.types import Intent, RouteLayer

_STAGE_NAMES = {
    "route": "router",
    "answer": "answer, with tool rounds",
    "check": "validator",
    "retry": "escalation answer",
}


def stages(measured: Sequence[Measured]) -> list[str]:
    """Tokens by stage and how often each is called, as the paper's Table 4."""
    lines = [one.line for each in measured for one in each.of(PRODUCT)]
    if not lines:
        return []
    rows = []
    for stage in STAGES:
        found = stage_figures(lines, stage)
        numbers = [md.number(found["tokens_mean"]), md.number(found["tokens_median"])]
        shares = [md.percent(found["weight"]), md.percent(found["share"])]
        rows.append([_STAGE_NAMES[stage], *numbers, *shares])
    whole = figures([one for each in measured for one in each.of(PRODUCT)], judged=False)
    rows.append(
        [
            "total pipeline",
            md.number(whole["pipeline_tokens_mean"]),
            md.number(whole["pipeline_tokens_median"]),
            "100.0",
            md.NONE,
        ]
    )
    rows.append(
        [
            "packed context",
            md.number(whole["packed_tokens_mean"]),
            md.number(whole["packed_tokens_median"]),
            md.NONE,
            md.NONE,
        ]
    )
    heads = ["stage", ">mean tokens", ">median", ">share of tokens, %", ">invoked, %"]
    note = (
        f"memflow, n = {len(lines):,}. Tokens are prompt plus generated, as the model counts "
        "them, over the questions for which the stage called the model."
    )
    return [md.caption("Tokens by stage", measured, note), md.table(heads, rows)]


def pipeline(measured: Sequence[Measured]) -> list[str]:
    """Every system's tokens by stage and set, as the paper's Table 10."""
    heads = ["set", "system", ">n", ">packed mean", ">packed median", ">pipeline mean"]
    heads += [">prompt", *(f">{stage}" for stage in STAGES), ">calls", ">most calls", ">s"]
    rows = []
    for each in measured:
        for system in systems_of([each]):
            found = figures(each.of(system), judged=False)
            cells = [found["packed_tokens_mean"], found["packed_tokens_median"]]
            cells += [found["pipeline_tokens_mean"], found["prompt_tokens_mean"]]
            cells += [found["tokens"][stage] for stage in STAGES]
            calls = [f"{found['model_calls_mean']:.2f}", f"{found['model_calls_max']:,}"]
            seconds = f"{found['milliseconds_mean'] / 1000:,.1f}"
            shown = [md.number(cell) for cell in cells]
            rows.append([each.label, system, f"{found['n']:,}", *shown, *calls, seconds])
    note = (
        "Tokens and seconds a question, mean unless said; stages are means over all questions. "
        "What built a system's memory before its questions is not in them."
    )
    return [md.caption("Token cost", measured, note), md.table(heads, rows)]


def building(measured: Sequence[Measured]) -> list[str]:
    """What systems spent on their memories before any question."""
    rows = []
    for each in measured:
        for system in systems_of([each]):
            if found := each.built(system):
                numbers = (found.haystacks, found.calls, found.tokens)
                rows.append([each.label, system, *(f"{value:,}" for value in numbers)])
    if not rows:
        return []
    heads = ["set", "system", ">haystacks", ">model calls", ">tokens"]
    return [md.caption("Memories built with the model", measured), md.table(heads, rows)]


def routing(measured: Sequence[Measured]) -> list[str]:
    """Where the router sends each set's questions and which layer decides, for Table 8's place.

    The sets do not label questions with an operation, so there is no accuracy here:
    `memflow eval routing` measures it on labelled questions.
    """
    having = [each for each in measured if each.of(PRODUCT)]
    if not having:
        return []
    heads = ["", *(f">{each.label}" for each in having)]
    rows = [["questions", *(f"{len(each.of(PRODUCT)):,}" for each in having)]]
    for name, values in (
        ("intent", [intent.value for intent in Intent]),
        ("layer", [layer.value for layer in RouteLayer]),
    ):
        for value in values:
            shares = [_share_of(each.of(PRODUCT), name, value) for each in having]
            if any(shares):
                rows.append([f"{name}: {value}", *(md.percent(share) for share in shares)])
    note = "memflow, % of questions by the operation chosen and by the layer that chose it."
    return [md.caption("Routing by set", having, note), md.table(heads, rows)]


def _share_of(scored: Sequence[Scored], name: str, value: str) -> float:
    return fmean(getattr(one.line, name) == value for one in scored)


def intents(measured: Sequence[Measured]) -> list[str]:
    """Accuracy by the operation that answered."""
    rows = []
    for each in measured:
        for intent in Intent:
            part = [one for one in each.of(PRODUCT) if one.line.intent == intent.value]
            if part:
                tokens = md.number(fmean(one.line.packed_tokens for one in part))
                rows.append(
                    [each.label, intent.value, f"{len(part):,}", accuracy_cell(part), tokens]
                )
    if not rows:
        return []
    heads = ["set", "operation", ">n", ">accuracy, %", ">packed tokens"]
    text = md.caption("memflow by operation", measured, md.judged(measured))
    return [text, md.table(heads, rows)]


def escalation(measured: Sequence[Measured]) -> list[str]:
    """What the validator caught and what the retry made of it, as the paper's section E.4."""
    heads = ["set", ">n", ">validated, %", ">model checks, %", ">escalated, %", ">adopted, %"]
    heads += [">abstained, %", ">accuracy escalated", ">accuracy not escalated"]
    heads += [">abstained of answerable, %", ">abstained of unanswerable, %"]
    rows = []
    for each in measured:
        scored = each.of(PRODUCT)
        if not scored:
            continue
        escalated = [one for one in scored if one.line.escalated]
        validated = [one for one in scored if one.line.layer != RouteLayer.CONTEXT.value]
        shares = [
            len(validated) / len(scored),
            fmean(bool(one.line.tokens.get("check")) for one in scored),
            len(escalated) / len(scored),
            fmean(one.line.escalated and not one.line.abstained for one in scored),
            fmean(one.line.abstained for one in scored),
        ]
        rest = [one for one in scored if not one.line.escalated]
        rows.append(
            [
                each.label,
                f"{len(scored):,}",
                *(md.percent(share) for share in shares),
                accuracy_cell(escalated),
                accuracy_cell(rest),
                _abstained([one for one in scored if one.line.answerable]),
                _abstained([one for one in scored if not one.line.answerable]),
            ]
        )
    if not rows:
        return []
    note = "Adopted: the retry's answer passed the check. Declining the unanswerable is right."
    text = md.caption("Validator and escalation, memflow", measured, md.judged(measured), note)
    return [text, md.table(heads, rows)]


def _abstained(scored: Sequence[Scored]) -> str:
    if not scored:
        return md.NONE
    return f"{md.percent(fmean(one.line.abstained for one in scored))} of {len(scored):,}"


def failures(measured: Sequence[Measured]) -> list[str]:
    """Questions for which a system gave no answer, all counted as wrong; and those for which a
    model call failed, whatever the system made of that."""
    rows = []
    for each in measured:
        for system in systems_of([each]):
            found = figures(each.of(system), judged=False)
            errors = dict(found["errors"])
            if found["call_errors"]:
                errors["a model call failed"] = found["call_errors"]
            for name, count in errors.items():
                rows.append([each.label, system, name, f"{count:,}", f"{found['n']:,}"])
    if not rows:
        return []
    heads = ["set", "system", "failure", ">questions", ">of"]
    note = "No answer is counted as wrong; a failed model call may still have led to an answer."
    return [f"**Failures.** {note}", md.table(heads, rows)]

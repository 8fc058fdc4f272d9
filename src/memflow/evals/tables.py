"""Tables of accuracy: main results, models, ablations, question types, official metrics.

Recall of evidence has a table of its own: it is no accuracy and never stands beside one.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from memflow.evals import markdown as md
from memflow.evals.stats import Paired, wilson
from memflow.evals.study import PRODUCT, Measured, Study, systems_of
from memflow.evals.summary import Scored, figures, metric_means, pair_up

ABLATIONS = {
    "memflow-no-retrieval-strategy": "– retrieval strategy",
    "memflow-uniform-rag": "– uniform RAG",
    "memflow-no-router": "– router",
    "memflow-no-tools": "– tools",
    "memflow-no-validator": "– escalation and validator",
    "memflow-no-packer": "– packer",
}
_DIRECT = ("direct-full", "direct-short")
_CI = "In brackets: Wilson's 95% interval."
_BOOTSTRAP = "In brackets: 95% interval, bootstrap over questions."
_PAIRED = (
    "Differences are over the questions that both answered, with a 95% bootstrap interval of the "
    "pairs; p is McNemar's exact test."
)


def is_variant(system: str) -> bool:
    return system.startswith(f"{PRODUCT}-")


def accuracy_cell(scored: Sequence[Scored]) -> str:
    """Per cent and interval of the judged; says how many are not."""
    judged = [each.correct for each in scored if each.verdict is not None]
    if not judged:
        return md.NONE
    missing = len(scored) - len(judged)
    note = f", {missing:,} unjudged" if missing else ""
    bounds = md.interval(wilson(sum(judged), len(judged)))
    return f"{md.percent(fmean(judged))} {bounds}{note}"


def pooled(measured: Sequence[Measured], system: str) -> list[Scored] | None:
    """All its answers; None when one of the sets has none, for a mean over fewer sets is not
    comparable with the others'."""
    parts = [each.of(system) for each in measured]
    return [one for part in parts for one in part] if all(parts) else None


def pooled_pair(measured: Sequence[Measured], first: str, second: str) -> Paired:
    """Over all sets that have both; questions of different sets never meet."""
    left: list[Scored] = []
    right: list[Scored] = []
    for each in measured:
        ids = {one.line.id for one in each.of(first)} & {one.line.id for one in each.of(second)}
        left += [one for one in each.of(first) if one.line.id in ids]
        right += [one for one in each.of(second) if one.line.id in ids]
    return pair_up(left, right)


# --------------------------------------------------------------------------- the tables


def main_results(measured: Sequence[Measured]) -> list[str]:
    """Systems by sets, as the paper's Table 1; the mean weighs every question alike."""
    systems = [name for name in systems_of(measured) if not is_variant(name)]
    heads = ["system", *(f">{each.label}" for each in measured)]
    heads += [">all"] if len(measured) > 1 else []
    heads += [">answer tokens", ">pipeline tokens"]
    rows = []
    for system in systems:
        row = [system, *(accuracy_cell(each.of(system)) for each in measured)]
        everything = pooled(measured, system)
        if len(measured) > 1:
            row.append(accuracy_cell(everything or []))
        present = [one for each in measured for one in each.of(system)]
        found = figures(present, judged=True)
        row.append(md.number(found["packed_tokens_mean"]))
        row.append(md.number(found["pipeline_tokens_mean"]))
        rows.append(row)
    notes = (_CI, "Answer tokens: the packed memory text that the answering model saw, mean.")
    text = md.caption("Accuracy, %", measured, md.judged(measured), *notes)
    return [text, md.table(heads, rows)]


def against_the_rest(measured: Sequence[Measured]) -> list[str]:
    """The product against every other system, paired."""
    others = [name for name in systems_of(measured) if name != PRODUCT and not is_variant(name)]
    rows = []
    for each in measured:
        for system in others:
            if each.of(system) and each.of(PRODUCT):
                found = pair_up(each.of(PRODUCT), each.of(system))
                rows.append([each.label, system, *paired_cells(found)])
    if not rows:
        return []
    heads = ["set", "memflow against", ">n", ">difference, points", ">95%"]
    heads += [">only memflow right", ">only the other right", ">p"]
    text = md.caption("Paired differences", measured, md.judged(measured), _PAIRED)
    return [text, md.table(heads, rows)]


def paired_cells(found: Paired) -> list[str]:
    return [
        f"{found.n:,}",
        md.points(found.difference),
        md.interval(found.interval),
        f"{found.first_only:,}",
        f"{found.second_only:,}",
        md.p_value(found.p),
    ]


def models(study: Study) -> list[str]:
    """Each model alone and with memflow, as the paper's Table 2; only sets that have both."""
    rows = []
    used: list[Measured] = []
    for model in study.models:
        for each in study.by(model):
            direct = next((name for name in _DIRECT if name in each.systems), None)
            if direct is None or PRODUCT not in each.systems or not each.judged:
                continue
            used.append(each)
            alone, whole = each.of(direct), each.of(PRODUCT)
            found = pair_up(whole, alone)
            cells = [accuracy_cell(alone), accuracy_cell(whole)]
            cells += [f"{md.points(found.difference)} {md.interval(found.interval)}"]
            rows.append([model, each.label, direct, *cells, md.p_value(found.p)])
    if len({row[0] for row in rows}) < 2:
        return []
    heads = ["model", "set", "direct mode", ">direct", ">memflow", ">difference", ">p"]
    text = md.caption("Models, accuracy in %", used, md.judged(used), _CI, _PAIRED)
    return [text, md.table(heads, rows)]


def ablations(measured: Sequence[Measured]) -> list[str]:
    """What each part is worth, as the paper's Tables 3 and 12."""
    names = [name for name in systems_of(measured) if is_variant(name)]
    ordered = sorted(names, key=lambda name: ([*ABLATIONS, name].index(name), name))
    having = [each for each in measured if PRODUCT in each.systems]
    if not names or not having:
        return []
    heads = ["configuration", *(f">{each.label}" for each in having)]
    heads += [">n", ">difference, points", ">95%", ">p"]
    full = ["memflow", *(accuracy_cell(each.of(PRODUCT)) for each in having)]
    full.append(f"{sum(len(each.of(PRODUCT)) for each in having):,}")
    rows = [full + [md.NONE] * 3]
    for name in ordered:
        found = pooled_pair(having, name, PRODUCT)
        cells = [accuracy_cell(each.of(name)) for each in having]
        tail = [md.points(found.difference), md.interval(found.interval), md.p_value(found.p)]
        rows.append([ABLATIONS.get(name, name), *cells, f"{found.n:,}", *tail])
    note = "Differences are to memflow, over all sets together."
    text = md.caption("Ablations, accuracy in %", having, md.judged(having), _CI, note, _PAIRED)
    return [text, md.table(heads, rows)]


def by_type(measured: Measured) -> list[str]:
    """Accuracy and packed tokens by type of question, as the paper's Table 9."""
    systems = [name for name in systems_of([measured]) if not is_variant(name)]
    kinds = sorted({one.line.category for name in systems for one in measured.of(name)})
    pack = PRODUCT if PRODUCT in systems else systems[-1]
    heads = ["type", ">n", *(f">{name}" for name in systems), f">{pack}: packed tokens"]

    def row(name: str, kind: str | None) -> list[str]:
        parts = {
            system: [one for one in measured.of(system) if kind in (None, one.line.category)]
            for system in systems
        }
        tokens = [one.line.packed_tokens for one in parts[pack]]
        cells = [accuracy_cell(part) for part in parts.values()]
        n = max(len(part) for part in parts.values())
        return [name, f"{n:,}", *cells, md.number(fmean(tokens)) if tokens else md.NONE]

    rows = [row(kind, kind) for kind in kinds] + [row("all", None)]
    title = f"{measured.label} by type of question, accuracy in %"
    return [md.caption(title, [measured], md.judged([measured]), _CI), md.table(heads, rows)]


def official(measured: Sequence[Measured]) -> list[str]:
    """The sets' own metrics, which no judge has a part in."""
    rows = []
    for each in measured:
        for system in systems_of([each]):
            means = metric_means([one.line for one in each.of(system)])
            for name, found in means.items():
                mean, bounds = md.percent(found["mean"]), md.interval(found["ci"])
                rows.append([each.label, system, name, f"{found['n']:,}", f"{mean} {bounds}"])
    if not rows:
        return []
    heads = ["set", "system", "metric", ">n", ">mean, %"]
    return [md.caption("Official metrics", measured, _BOOTSTRAP), md.table(heads, rows)]


def evidence(measured: Sequence[Measured]) -> list[str]:
    """Evidence covered: whether the packed text held it, whatever the model made of it."""
    rows = []
    for each in measured:
        for system in systems_of([each]):
            found = figures(each.of(system), judged=False)
            if found["evidence_n"]:
                shares = [md.percent(found[name]) for name in ("evidence_any", "evidence_all")]
                tokens = md.number(found["packed_tokens_mean"])
                rows.append([each.label, system, f"{found['evidence_n']:,}", *shares, tokens])
    if not rows:
        return []
    heads = ["set", "system", ">n", ">any, %", ">all, %", ">packed tokens"]
    note = (
        "Retrieval recall, not accuracy: of answerable questions with gold turns, the share whose "
        "packed text held at least half of the content words of one, or of every, gold turn."
    )
    return [md.caption("Evidence covered", measured, note), md.table(heads, rows)]

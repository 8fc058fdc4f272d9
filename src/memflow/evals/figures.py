"""Pictures of a study: accuracy against answer tokens; accuracy and tokens by type of question.

Drawn with matplotlib (extra `eval`) as SVG, byte for byte the same for the same results.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from memflow.errors import MissingExtra
from memflow.evals import markdown as md
from memflow.evals.stats import wilson
from memflow.evals.study import PRODUCT, Measured, Study, systems_of
from memflow.evals.summary import Scored
from memflow.evals.tables import is_variant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, which the colour-blind can tell apart; the product is always the first.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")
_MARKS = "osD^vPX*"


def draw(study: Study, folder: Path) -> list[Path]:
    """The files written, none where nothing was judged. Raises MissingExtra without matplotlib."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("drawing figures", "eval")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for model in study.models:
        measured = [each for each in study.by(model) if each.judged]
        if measured:
            path = folder / f"tokens-{_slug(model)}.svg"
            written.append(_save(_accuracy_by_tokens(measured), path))
        for each in measured:
            path = folder / f"types-{_slug(each.label)}-{_slug(model)}.svg"
            written.append(_save(_by_type(each), path))
    return written


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def _figure(width: float, height: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False)
    return figure, list(axes[0])


def _save(figure: Figure, path: Path) -> Path:
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "memflow", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    return path


def _styles(systems: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Colour and mark of each system, the product's the same in every picture."""
    ordered = sorted(systems, key=lambda name: (name != PRODUCT, name))
    return {
        name: (_COLOURS[place % len(_COLOURS)], _MARKS[place % len(_MARKS)])
        for place, name in enumerate(ordered)
    }


def _accuracy(scored: Sequence[Scored]) -> tuple[float, float, float] | None:
    """Per cent, and how far the interval reaches below and above."""
    judged = [each.correct for each in scored if each.verdict is not None]
    if not judged:
        return None
    low, high = wilson(sum(judged), len(judged))
    mean = fmean(judged)
    return 100 * mean, 100 * max(mean - low, 0.0), 100 * max(high - mean, 0.0)


def _accuracy_by_tokens(measured: Sequence[Measured]) -> Figure:
    figure, axes = _figure(4.2 * len(measured) + 0.6, 3.8, len(measured))
    styles = _styles([name for name in systems_of(measured) if not is_variant(name)])
    for each, ax in zip(measured, axes, strict=True):
        for system, (colour, mark) in styles.items():
            scored = each.of(system)
            found = _accuracy(scored)
            if found is None:
                continue
            tokens = max(fmean(one.line.packed_tokens for one in scored), 1.0)
            mean, below, above = found
            error = [[below], [above]]
            ax.errorbar(tokens, mean, yerr=error, fmt=mark, color=colour, capsize=3, label=system)
        _log_axis(ax)
        ax.set_ylim(-2, 102)
        ax.set_xlabel("answer tokens, mean")
        ax.set_title(f"{each.label}, n = {each.configuration['questions']:,}")
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("accuracy, %")
    axes[-1].legend(fontsize="small")
    figure.suptitle(_title(f"{measured[0].model}.", measured), fontsize="x-small")
    return figure


def _title(about: str, measured: Sequence[Measured]) -> str:
    return textwrap.fill(f"{about} {md.judged(measured)}", 64)


def _log_axis(ax: Axes) -> None:
    """Tokens from tens to tens of thousands, written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _by_type(measured: Measured) -> Figure:
    """Accuracy as marks with their intervals, the product's packed tokens as bars behind them."""
    systems = [name for name in systems_of([measured]) if not is_variant(name)]
    styles = _styles(systems)
    kinds = sorted({one.line.category for name in systems for one in measured.of(name)})
    figure, [bars] = _figure(1.5 + 1.1 * max(len(kinds), 3), 3.8)
    pack = PRODUCT if PRODUCT in systems else systems[-1]
    tokens = [_mean_tokens(_of_kind(measured.of(pack), kind)) for kind in kinds]
    bars.bar(range(len(kinds)), tokens, color="0.88", hatch="//", edgecolor="0.7", width=0.6)
    bars.set_ylabel(f"{pack}: packed tokens, mean")
    bars.set_xticks(range(len(kinds)), kinds, rotation=30, ha="right", fontsize="small")
    marks = bars.twinx()
    for index, (system, (colour, mark)) in enumerate(styles.items()):
        aside = (index - (len(styles) - 1) / 2) * 0.5 / max(len(styles), 1)
        found = [_accuracy(_of_kind(measured.of(system), kind)) for kind in kinds]
        drawn = [(place + aside, value) for place, value in enumerate(found) if value is not None]
        marks.errorbar(
            [place for place, _ in drawn],
            [mean for _, (mean, _, _) in drawn],
            yerr=[[below for _, (_, below, _) in drawn], [above for _, (_, _, above) in drawn]],
            fmt=mark,
            color=colour,
            capsize=2,
            label=system,
        )
    marks.set_ylim(-2, 102)
    marks.set_ylabel("accuracy, %")
    marks.legend(fontsize="small")
    title = _title(f"{measured.label}, {measured.model}.", [measured])
    bars.set_title(title, fontsize="x-small")
    return figure


def _of_kind(scored: Sequence[Scored], kind: str) -> list[Scored]:
    return [one for one in scored if one.line.category == kind]


def _mean_tokens(scored: Sequence[Scored]) -> float:
    return fmean(one.line.packed_tokens for one in scored) if scored else 0.0

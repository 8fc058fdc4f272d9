"""Pictures of a study: accuracy against answer tokens; accuracy and tokens by type of question.

Drawn with matplotlib (extra `eval`) as SVG, byte for byte the same for the same results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from memflow.errors import MissingExtra
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
        ax.set_xscale("log")
        ax.set_ylim(0, 100)
        ax.set_xlabel("answer tokens, mean")
        ax.set_title(f"{each.label}, n = {each.configuration['questions']:,}")
        ax.grid(alpha=0.3)
    axes[0].set_ylabel("accuracy, %")
    axes[-1].legend(fontsize="small")
    figure.suptitle(f"{measured[0].model}, judged by {', '.join(measured[0].judges)}", fontsize=9)
    return figure


def _by_type(measured: Measured) -> Figure:
    """Accuracy as lines, the product's packed tokens as bars behind them."""
    systems = [name for name in systems_of([measured]) if not is_variant(name)]
    styles = _styles(systems)
    kinds = sorted({one.line.category for name in systems for one in measured.of(name)})
    figure, [bars] = _figure(1.5 + 1.1 * max(len(kinds), 3), 3.8)
    pack = PRODUCT if PRODUCT in systems else systems[-1]
    tokens = [_mean_tokens(_of_kind(measured.of(pack), kind)) for kind in kinds]
    bars.bar(range(len(kinds)), tokens, color="0.88", hatch="//", edgecolor="0.7", width=0.6)
    bars.set_ylabel(f"{pack}: packed tokens, mean")
    bars.set_xticks(range(len(kinds)), kinds, rotation=30, ha="right", fontsize="small")
    lines = bars.twinx()
    for system, (colour, mark) in styles.items():
        found = [_accuracy(_of_kind(measured.of(system), kind)) for kind in kinds]
        places = [place for place, value in enumerate(found) if value is not None]
        values = [value[0] for value in found if value is not None]
        lines.plot(places, values, marker=mark, color=colour, label=system)
    lines.set_ylim(0, 100)
    lines.set_ylabel("accuracy, %")
    lines.legend(fontsize="small")
    judges = ", ".join(measured.judges)
    bars.set_title(f"{measured.label}: {measured.model}, judged by {judges}", fontsize=9)
    return figure


def _of_kind(scored: Sequence[Scored], kind: str) -> list[Scored]:
    return [one for one in scored if one.line.category == kind]


def _mean_tokens(scored: Sequence[Scored]) -> float:
    return fmean(one.line.packed_tokens for one in scored) if scored else 0.0

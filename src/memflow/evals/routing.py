"""How well questions are routed: accuracy, per-intent figures, and what it cost.

A set is JSON lines with `question` and `intent`; further fields are kept as they are. Intervals
are Wilson's at 95%, which hold for small sets and for shares near one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memflow.errors import InputError
from memflow.evals.stats import wilson
from memflow.types import Intent, Route, RouteLayer


@dataclass(frozen=True, slots=True)
class RoutingRow:
    """One labelled question; `line` counts from 1, `extra` holds the row's other fields."""

    question: str
    intent: Intent
    line: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Routed:
    """What routing one question gave: the route, and the calls and prompt tokens it took."""

    route: Route
    model_calls: int = 0
    prompt_tokens: int = 0


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """Shares between 0 and 1; `n` rows have this intent by their label."""

    precision: float
    recall: float
    f1: float
    n: int


@dataclass(frozen=True, slots=True)
class RoutingReport:
    """`confusion[label][predicted]` counts rows. `prompt_tokens_mean` is over all rows, and
    `prompt_tokens_per_call` over those that called the model. `layers` counts who decided."""

    n: int
    accuracy: float
    accuracy_ci: tuple[float, float]
    macro_f1: float
    per_intent: Mapping[str, IntentFigures]
    confusion: Mapping[str, Mapping[str, int]]
    model_call_share: float
    prompt_tokens_mean: float
    prompt_tokens_per_call: float
    layers: Mapping[str, int]
    wrong: tuple[tuple[RoutingRow, Route], ...]


def evaluate(rows: Sequence[RoutingRow], route: Callable[[str], Routed | Route]) -> RoutingReport:
    """Route every question. A bare Route counts as one call when its layer is the model.

    Raises InputError for an empty set: it has no accuracy.
    """
    if not rows:
        raise InputError("routing set", "no rows to evaluate")
    results = [_routed(route(row.question)) for row in rows]
    confusion = {label.value: {guess.value: 0 for guess in Intent} for label in Intent}
    layers = {layer.value: 0 for layer in RouteLayer}
    for row, result in zip(rows, results, strict=True):
        confusion[row.intent.value][result.route.intent.value] += 1
        layers[result.route.layer.value] += 1
    right = sum(confusion[intent.value][intent.value] for intent in Intent)
    figures = {intent.value: _figures(intent, confusion) for intent in Intent}
    seen = [each for each in figures.values() if each.n]
    calls = sum(result.model_calls for result in results)
    prompted = sum(result.prompt_tokens for result in results)
    n = len(rows)
    return RoutingReport(
        n=n,
        accuracy=right / n,
        accuracy_ci=wilson(right, n),
        macro_f1=sum(each.f1 for each in seen) / len(seen),
        per_intent=figures,
        confusion=confusion,
        model_call_share=sum(result.model_calls > 0 for result in results) / n,
        prompt_tokens_mean=prompted / n,
        prompt_tokens_per_call=prompted / calls if calls else 0.0,
        layers={layer: count for layer, count in layers.items() if count},
        wrong=tuple(
            (row, result.route)
            for row, result in zip(rows, results, strict=True)
            if row.intent is not result.route.intent
        ),
    )


def load_routing(path: str | Path) -> list[RoutingRow]:
    """The rows of a JSON-lines file; blank lines are skipped.

    Raises InputError naming file and line for broken JSON, missing fields and unknown intents.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(str(path), "no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"cannot be read: {error}") from error
    return [
        _row(line, f"{path}, line {number}", number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


def _row(line: str, where: str, number: int) -> RoutingRow:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(where, f"not valid JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(data, dict):
        raise InputError(where, "expected an object with 'question' and 'intent'")
    for key in ("question", "intent"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise InputError(where, f"'{key}' is missing or not a text")
    try:
        intent = Intent(data["intent"].strip())
    except ValueError:
        known = ", ".join(Intent)
        raise InputError(
            where, f"unknown intent '{data['intent']}'", mend=f"one of {known}"
        ) from None
    extra = {key: value for key, value in data.items() if key not in ("question", "intent")}
    return RoutingRow(data["question"], intent, number, extra)


def _routed(result: Routed | Route) -> Routed:
    if isinstance(result, Routed):
        return result
    return Routed(result, model_calls=int(result.layer is RouteLayer.MODEL))


def _figures(intent: Intent, confusion: Mapping[str, Mapping[str, int]]) -> IntentFigures:
    hit = confusion[intent.value][intent.value]
    n = sum(confusion[intent.value].values())
    claimed = sum(row[intent.value] for row in confusion.values())
    precision = hit / claimed if claimed else 0.0
    recall = hit / n if n else 0.0
    f1 = 2 * hit / (n + claimed) if n + claimed else 0.0
    return IntentFigures(precision, recall, f1, n)

"""The routing evaluation: figures, intervals, and errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from memflow.errors import InputError
from memflow.evals.routing import Routed, RoutingRow, evaluate, load_routing
from memflow.evals.stats import wilson
from memflow.types import Intent, Route, RouteLayer

FACT, TIME = Intent.TARGETED_EXTRACTION, Intent.TEMPORAL_REASONING


def test_figures_of_a_small_set() -> None:
    rows = [RoutingRow("a", FACT), RoutingRow("b", FACT), RoutingRow("c", TIME)]

    def route(question: str) -> Routed:
        layer = RouteLayer.MODEL if question == "b" else RouteLayer.RULES
        calls = int(question == "b")
        return Routed(Route(FACT, layer), calls, 300 * calls)

    report = evaluate(rows, route)
    assert report.n == 3
    assert report.accuracy == pytest.approx(2 / 3)
    assert report.model_call_share == pytest.approx(1 / 3)
    assert report.prompt_tokens_mean == pytest.approx(100)
    assert report.prompt_tokens_per_call == pytest.approx(300)
    assert report.per_intent[FACT].precision == pytest.approx(2 / 3)
    assert report.per_intent[FACT].recall == 1.0
    assert report.per_intent[TIME].f1 == 0.0
    assert report.macro_f1 == pytest.approx(0.4)
    assert report.confusion[TIME][FACT] == 1
    assert report.layers == {"rules": 2, "model": 1}
    assert [row.question for row, _ in report.wrong] == ["c"]


def test_wilson_interval_is_the_textbook_one() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(10, 10)[1] == 1.0


def test_an_empty_set_has_no_accuracy() -> None:
    with pytest.raises(InputError, match="no rows"):
        evaluate([], lambda _: Route(FACT, RouteLayer.RULES))


def test_rows_load_with_their_line_and_other_fields(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text('\n{"question": "Who?", "intent": "targeted-extraction", "style": "plain"}\n')
    (row,) = load_routing(file)
    assert (row.question, row.intent, row.line) == ("Who?", FACT, 2)
    assert row.extra == {"style": "plain"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{oops", "not valid JSON"),
        ("[1]", "expected an object"),
        ('{"intent": "state-tracking"}', "'question' is missing"),
        ('{"question": "Who?"}', "'intent' is missing"),
        ('{"question": "Who?", "intent": "nonsense"}', "unknown intent 'nonsense'"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text('{"question": "Who?", "intent": "state-tracking"}\n' + line + "\n")
    with pytest.raises(InputError, match=reason) as caught:
        load_routing(file)
    assert "line 2" in caught.value.where


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_routing(tmp_path / "absent.jsonl")

"""Settings out of range are refused where they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from memflow.errors import SettingsError
from memflow.settings import load


@pytest.mark.parametrize(
    ("name", "value"),
    [("reader_budget", -5), ("chunk_words", 0), ("duplicate_jaccard", 7.0), ("ceiling", -1)],
)
def test_out_of_range(name: str, value: float, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=name):
        load({name: value}, environ={})
    with pytest.raises(SettingsError, match="environment"):
        load(environ={f"MEMFLOW_{name.upper()}": str(value)})


def test_the_bounds_themselves_are_allowed() -> None:
    assert load({"reader_budget": 0, "duplicate_jaccard": 1.0}, environ={}).reader_budget == 0

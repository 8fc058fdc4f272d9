"""What the model sees for one question of each operation, word for word.

A change here is a change of every answer: look at it, then `UPDATE_GOLDEN=1 pytest
tests/test_golden.py` writes it down.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memflow import Memory, Space
from memflow.testing import CountingIds, FixedClock, HashEncoder
from memflow.types import Intent

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
QUESTIONS = {
    Intent.PROFILE_INJECTION: "Could you suggest a glaze for my next vase?",
    Intent.TARGETED_EXTRACTION: "Who is the vet of Pimenta?",
    Intent.TEMPORAL_REASONING: (
        "How many days were there between adopting the dog and her vaccination?"
    ),
    Intent.CONFLICT_RESOLUTION: "How much is the rent now?",
    Intent.BROAD_SUMMARIZATION: "How many things have I made at the pottery studio?",
    Intent.CONSTRAINT_VALIDATION: "May I leave the dog alone in the flat for six hours?",
    Intent.STATE_TRACKING: "How has my work at Ponte Books changed?",
}


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    with Memory.open(
        tmp_path_factory.mktemp("golden") / "m.db",
        sentence_encoder=HashEncoder(),
        clock=FixedClock(datetime(2025, 7, 1, 12, tzinfo=UTC)),
        ids=CountingIds(),
    ) as memory:
        space = memory.space("eva")
        space.add_file(HERE / "fixtures" / "history.jsonl")
        yield space


@pytest.mark.parametrize("intent", list(Intent))
def test_the_context_is_as_written_down(space: Space, intent: Intent) -> None:
    context = space.context(QUESTIONS[intent], intent=intent)
    text = f"{QUESTIONS[intent]}\n\n{context.text}\n"
    file = GOLDEN / f"{intent}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), "no golden context yet: UPDATE_GOLDEN=1 writes it"
    assert text == file.read_text(encoding="utf-8")


def test_there_is_a_file_for_each_operation_and_none_besides() -> None:
    assert {file.name for file in GOLDEN.iterdir()} == {f"{intent}.txt" for intent in Intent}

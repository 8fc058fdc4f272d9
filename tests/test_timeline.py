"""A progression's dates come from the evidence, whatever the model wrote."""

from __future__ import annotations

from datetime import UTC, datetime

from memflow.answering.timeline import redated
from memflow.types import Item, Packed, SessionKind, Slot, Turn


def said(day: int, month: int, text: str) -> Item:
    time = datetime(2026, month, day, 9, tzinfo=UTC)
    turn = Turn(f"t{month}-{day}", "s", 0, "user", "user", text, time, SessionKind.ASSISTANT)
    return Item(slot=Slot.RAW, text=text, turns=(turn,), score=1.0)


PACKED = Packed(
    "",
    0,
    (
        said(5, 1, "Iron test: mine is 11, she wants more"),
        said(9, 3, "Blood test back, iron 24!"),
        said(1, 5, "41!!! iron, stop the tablets"),
    ),
)


def test_each_step_takes_the_date_of_the_line_that_says_it() -> None:
    reply = "3 September 2025: iron 24\n14 January 2026: iron 11\n3 May 2026: iron 41"
    assert redated(reply, PACKED) == (
        "5 January 2026: iron 11\n9 March 2026: iron 24\n1 May 2026: iron 41"
    )


def test_a_step_is_told_once_and_what_nothing_says_is_left_out() -> None:
    reply = "9 March 2026: iron 24\n10 March 2026: blood test iron 24\n2 June 2026: bought a piano"
    assert redated(reply, PACKED) == "9 March 2026: iron 24"


def test_nothing_matched() -> None:
    assert redated("I do not know", PACKED) is None

"""The answer call, its tool rounds, counting by code, and what code answers alone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.answering import Draft, answer, extract
from memflow.answering.counting import counted, items
from memflow.answering.tools import run_tools
from memflow.calls import CallBudget, Finish, ModelCall, Purpose
from memflow.operations import OPERATIONS, Tool
from memflow.settings import Settings
from memflow.types import Evidence, Intent, Item, Packed, Slot
from tests.making import at, hit, packed, play, raw, turn

EVERY = tuple(Tool)
CONTEXT = packed("Saw a heron by the lake.", "Another heron! And two ducks.")


def ask(
    replies: list[str | Exception],
    *,
    intent: Intent = Intent.TEMPORAL_REASONING,
    budget: CallBudget | None = None,
    details: dict[str, Any] | None = None,
    settings: Settings | None = None,
) -> tuple[Draft, list[ModelCall], CallBudget]:
    budget = budget or CallBudget(4)
    stage = answer(
        "How long between the two?",
        CONTEXT,
        OPERATIONS[intent],
        Evidence(CONTEXT.items, details=details or {}),
        at(2025, 7, 1),
        budget,
        settings or Settings(),
    )

    def spending() -> Any:
        # The flow's ledger spends a call before it is made; here we do.
        made = next(stage)
        while True:
            budget.spend(made.purpose)
            try:
                received = yield made
            except Exception as error:
                made = stage.throw(error)
                continue
            try:
                made = stage.send(received)
            except StopIteration as stop:
                return stop.value

    draft, calls = play(spending(), replies)
    return draft, calls, budget


# ------------------------------------------------------------------- tools


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("TOOL: days_between | 2025-05-04 | 2025-05-23", "19 days"),
        ("TOOL: days_between | 2025-05-23 | 2025-05-04", "19 days"),
        ("tool: weeks_between(2025-05-04, 2025-05-23)", "2 weeks and 5 days"),
        ("- TOOL: months_between | 2025-01-31 | 2025-04-30", "3 months"),
        ("Let me see.\nTOOL: days_between | 2025-05-04 | 2025-05-04", "0 days"),
        ('TOOL: count_occurrences | "heron"', "2"),
        ("TOOL: count_occurrences | two ducks", "1"),
        ("TOOL: count_occurrences | swan", "0"),
    ],
)
def test_tools_compute(call: str, expected: str) -> None:
    result = run_tools(call, EVERY, CONTEXT.text)
    assert result is not None
    assert result.error is None
    assert result.result.startswith(expected)


@pytest.mark.parametrize(
    "call",
    [
        "TOOL: hours_between | 2025-05-04 | 2025-05-23",
        "TOOL: days_between | 2025-05-04",
        "TOOL: days_between | the wedding | the opera",
        "TOOL: days_between | 2025-13-45 | 2025-05-04",
        "TOOL: days_between | | |",
        "TOOL: days_between | 2025-05-04 | 2025-05-05 | 2025-05-06",
        "TOOL: count_occurrences | ...",
        "TOOL: count_occurrences()",
    ],
)
def test_what_cannot_be_understood_says_why(call: str) -> None:
    result = run_tools(call, EVERY, CONTEXT.text)
    assert result is not None
    assert result.error
    assert result.result == ""


def test_a_tool_that_the_row_does_not_have_is_named_with_those_it_has() -> None:
    result = run_tools("TOOL: count_occurrences | heron", (Tool.DAYS_BETWEEN,), CONTEXT.text)
    assert result is not None
    assert "days_between" in (result.error or "")


def test_prose_is_no_tool_call() -> None:
    assert run_tools("I used a tool: my hammer | nails", EVERY, "") is None
    assert run_tools("19 days", EVERY, "") is None


@given(st.sampled_from([*EVERY, "nothing"]), st.text(max_size=60))
def test_no_arguments_ever_raise(tool: str, rest: str) -> None:
    for call in (f"TOOL: {tool} | {rest}", f"TOOL: {tool}({rest})"):
        result = run_tools(call, EVERY, "some text")
        if result is not None:
            assert bool(result.error) != bool(result.result)


DATES = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@given(DATES, DATES)
def test_days_between_is_what_the_calendar_says(one: date, two: date) -> None:
    result = run_tools(f"TOOL: days_between | {one} | {two}", EVERY, "")
    assert result is not None
    number = int(result.result.split()[0])
    assert number == abs((one - two).days)


# ------------------------------------------------------------------- rounds

CALL = "TOOL: days_between | 2025-05-04 | 2025-05-23"


def test_the_result_goes_back_to_the_model_which_phrases_it() -> None:
    draft, calls, _ = ask([CALL, "It was 19 days."])
    assert [call.purpose for call in calls] == [Purpose.ANSWER, Purpose.TOOL]
    assert "19 days" in calls[1].messages[-1].content
    assert draft.text == "It was 19 days."
    assert [tool.result.split(" (")[0] for tool in draft.tools] == ["19 days"]


def test_an_error_goes_back_too_and_stays_in_the_record() -> None:
    draft, calls, _ = ask(["TOOL: days_between | soon | later", "I cannot say."])
    assert "ERROR" in calls[1].messages[-1].content
    assert draft.tools[0].error


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 9])
def test_a_model_that_only_calls_tools_is_stopped(limit: int) -> None:
    draft, calls, budget = ask([CALL] * 9, budget=CallBudget(limit))
    assert len(calls) == min(limit, Settings().tool_rounds)
    assert len(draft.tools) <= 3
    assert budget.left >= 0
    assert draft.text.startswith("19 days")


def test_an_operation_without_tools_takes_a_tool_line_as_text() -> None:
    draft, calls, _ = ask([CALL], intent=Intent.TARGETED_EXTRACTION)
    assert len(calls) == 1
    assert draft.tools == ()


def test_labels_are_taken_off_and_the_finish_is_kept() -> None:
    assert ask(["Answer: 19 days"])[0].text == "19 days"
    assert ask(["Resposta: 19 dias"])[0].text == "19 dias"
    assert ask([" "])[0].text == ""
    assert ask(["19"])[0].finish is Finish.STOP


def test_the_call_holds_the_context_the_date_and_the_question() -> None:
    _, [call], _ = ask(["19 days"])
    assert call.messages[0].role == "system"
    last = call.messages[-1].content
    assert CONTEXT.text in last
    assert "1 July 2025" in last
    assert last.rstrip().endswith("How long between the two?")
    assert call.max_tokens == OPERATIONS[Intent.TEMPORAL_REASONING].answer_tokens


# ------------------------------------------------------------------- counting


def test_listed_items_are_counted_once_each() -> None:
    listed = (
        "- the bee film\n- The heist film (9 March 2025)\n* bee film\n3. an opera.\nThat is all."
    )
    assert items(listed) == ("the bee film", "The heist film (9 March 2025)", "an opera")
    assert (counted(listed) or "").startswith("3: ")
    assert counted("I saw three films.") is None


def test_a_count_is_made_only_where_the_evidence_is_to_be_counted() -> None:
    listed = "- bee film\n- heist film"
    yes, _, _ = ask([listed], intent=Intent.BROAD_SUMMARIZATION, details={"count": True})
    no, _, _ = ask([listed], intent=Intent.BROAD_SUMMARIZATION, details={"count": False})
    assert (yes.counted, yes.text.split(":")[0]) == (True, "2")
    assert (no.counted, no.text) == (False, listed)


@given(st.lists(st.sampled_from(["bee film", "heist film", "opera", "long walk"]), min_size=1))
def test_the_count_is_the_number_of_distinct_items(listed: list[str]) -> None:
    text = "\n".join(f"- {item}" for item in listed)
    assert (counted(text) or "").split(":")[0] == str(len(set(listed)))


# ------------------------------------------------------------------- without a model


def test_a_computed_answer_comes_first() -> None:
    said = turn("x")
    found = extract("q", CONTEXT, Evidence(CONTEXT.items, answer="19 days", answer_turns=(said,)))
    assert found is not None
    assert (found.text, found.turns) == ("19 days", (said,))


def test_else_the_sentence_that_shares_most_with_the_question() -> None:
    context = packed("Nice day. Ana left the bicycle at the station. So it goes.", "Tom has a car.")
    found = extract("Where did Ana leave the bicycle?", context, Evidence(context.items))
    assert found is not None
    assert found.text == "Ana left the bicycle at the station."
    assert [said.id for said in found.turns] == ["t0"]


def test_stale_and_prepared_lines_are_not_quoted() -> None:
    stale = Item(Slot.RAW, "My rent is 700.", (turn("My rent is 700.", id="old"),), 2.0, stale=True)
    new = raw("My rent is 820 now.", id="new")
    made = Item(Slot.PREPARED, "rent rent rent", (turn("x", id="made"),), 9.0)
    context = Packed("…", 1, (made, stale, new))
    found = extract("What is my rent?", context, Evidence(context.items))
    assert found is not None
    assert found.turns[0].id == "new"


def test_nothing_shared_is_no_answer_unless_the_meaning_is_near() -> None:
    context = packed("Tom likes rain.")
    assert extract("Where is the bicycle?", context, Evidence(context.items)) is None
    [item] = context.items
    near = hit(item.turns[0])
    near = type(near)(near.chunk, near.score, {}, {"dense": 0.6})
    found = extract("Where is the bicycle?", context, Evidence(context.items, hits=(near,)))
    assert found is not None
    assert found.text == "Tom likes rain."

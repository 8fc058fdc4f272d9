"""What each preparation makes of the hits: dates, newest values, rules, changes, profile."""

from __future__ import annotations

import pytest

from memflow.evidence import prepare
from memflow.operations import OPERATIONS
from memflow.types import Evidence, Intent, Item, Slot
from tests.making import at, fact, hits, material, turn

NOW = at(2025, 7, 1)


def prepared_text(evidence: Evidence) -> str:
    return "\n".join(item.text for item in evidence.items if item.slot is Slot.PREPARED)


def shown(evidence: Evidence, slot: Slot = Slot.RAW) -> list[Item]:
    """In presentation order."""
    return sorted((i for i in evidence.items if i.slot is slot), key=lambda item: item.order)


def ids(evidence: Evidence) -> list[str]:
    return [item.turns[0].id for item in shown(evidence)]


# ------------------------------------------------------------------- chronology

BIKE = turn("I bought the racing bike yesterday.", id="bike", session="a", time=at(2025, 5, 5))
RACE = turn("Ran the mountain race last Friday!", id="race", session="b", time=at(2025, 5, 27))


def chronology(question: str, *events: str) -> Evidence:
    return prepare(
        material(
            question,
            Intent.TEMPORAL_REASONING,
            hits([RACE, BIKE]),
            events=events,
            now=NOW,
        )
    )


def test_the_interval_between_two_events_told_by_relative_dates() -> None:
    evidence = chronology(
        "How many days passed between buying the racing bike and the mountain race?",
        "bought the racing bike",
        "the mountain race",
    )
    # 4 May (yesterday, said on the 5th) to Friday 23 May (said on Tuesday the 27th).
    assert evidence.answer is not None
    assert "19 days" in evidence.answer
    assert "19 days" in prepared_text(evidence)
    assert [event["date"] for event in evidence.details["events"]] == ["2025-05-04", "2025-05-23"]
    assert {said.id for said in evidence.answer_turns} == {"bike", "race"}


def test_the_interval_is_the_same_whichever_event_is_named_first() -> None:
    one = chronology("How many days between A and B?", "bought the racing bike", "mountain race")
    two = chronology("How many days between A and B?", "mountain race", "bought the racing bike")
    assert one.answer == two.answer is not None


def test_the_unit_asked_is_the_unit_answered() -> None:
    evidence = chronology(
        "How many weeks between the bike and the race?", "bought the racing bike", "mountain race"
    )
    assert (evidence.answer or "").startswith("2 weeks and 5 days")


def test_which_came_first_is_answered_with_the_order() -> None:
    evidence = chronology(
        "Which did I do first: the mountain race or bought the racing bike?",
        "the mountain race",
        "bought the racing bike",
    )
    assert evidence.answer is not None
    assert evidence.answer.index("racing bike") < evidence.answer.index("mountain race")
    assert "Order:" in prepared_text(evidence)


def test_how_long_ago_is_counted_to_now() -> None:
    evidence = chronology("How long ago was the mountain race?")
    assert "39 days" in prepared_text(evidence)  # 23 May to 1 July
    assert "1 July 2025" in prepared_text(evidence)


def test_how_many_days_ago_is_answered_by_code() -> None:
    evidence = chronology("How many days ago was the mountain race?")
    assert evidence.answer is not None
    assert "39 days" in evidence.answer
    assert evidence.answer.endswith("ago")


def test_when_is_answered_with_the_date_and_not_with_the_day_it_was_told() -> None:
    evidence = chronology("When was the mountain race?")
    assert evidence.answer is not None
    assert "23 May 2025" in evidence.answer


def test_the_timeline_runs_oldest_first_with_dates_written_out() -> None:
    evidence = chronology("When was the mountain race?")
    assert ids(evidence) == ["bike", "race"]
    assert "yesterday [" in shown(evidence)[0].text
    assert "4 May 2025" in shown(evidence)[0].text


def test_an_event_that_nobody_told_of_computes_nothing() -> None:
    evidence = chronology(
        "How many days between the opera and the wedding?", "the opera night", "Eva's wedding"
    )
    assert evidence.answer is None
    assert prepared_text(evidence) == ""
    assert len(evidence.items) == 2


def test_one_event_found_of_two_gives_no_interval() -> None:
    evidence = chronology(
        "How many days between the mountain race and the opera?", "mountain race", "the opera night"
    )
    assert evidence.answer is None
    assert "days" not in prepared_text(evidence)


def test_what_the_assistant_or_an_undated_turn_says_dates_nothing() -> None:
    echo = turn("You ran the mountain race yesterday.", id="e", role="assistant", time=NOW)
    undated = turn("I ran the mountain race yesterday.", id="u")
    evidence = prepare(
        material("When was the mountain race?", Intent.TEMPORAL_REASONING, hits([echo, undated]))
    )
    assert evidence.answer is None
    assert evidence.details["events"] == []


# ------------------------------------------------------------------- recency

OLD = turn("My rent is 700 euros.", id="old", session="a", time=at(2024, 2, 1))
NEW = turn("My rent is 820 euros now.", id="new", session="b", time=at(2025, 3, 1))
ECHO = turn("Your rent is 900 euros.", id="echo", session="c", role="assistant", time=NOW)


def test_the_older_value_is_stale_and_the_newest_leads() -> None:
    evidence = prepare(
        material("What is my rent?", Intent.CONFLICT_RESOLUTION, hits([OLD, NEW, ECHO]))
    )
    stale = {item.turns[0].id: item.stale for item in shown(evidence)}
    assert stale == {"old": True, "new": False, "echo": False}
    [old] = [item for item in shown(evidence) if item.stale]
    assert "1 March 2025" in (old.note or "")
    assert "820" in prepared_text(evidence)
    assert "900" not in prepared_text(evidence)  # the assistant's word is no value
    assert evidence.details["newest"] == "new"
    assert ids(evidence) == ["old", "new", "echo"]


def test_another_topic_is_not_marked_stale() -> None:
    other = turn("The garden is lovely.", id="other", session="z", time=at(2023, 1, 1))
    evidence = prepare(
        material("What is my rent in euros?", Intent.CONFLICT_RESOLUTION, hits([NEW, OLD, other]))
    )
    assert {item.turns[0].id for item in shown(evidence) if item.stale} == {"old"}


def test_without_any_time_nothing_is_newest() -> None:
    undated = turn("My rent is 700 euros.", id="u")
    evidence = prepare(material("What is my rent?", Intent.CONFLICT_RESOLUTION, hits([undated])))
    assert prepared_text(evidence) == ""
    assert not any(item.stale for item in evidence.items)


def test_a_later_turn_that_only_says_now_is_not_the_newest_value() -> None:
    told = turn("The rent is 610 euros a month.", id="rent", session="a", time=at(2025, 2, 3))
    later = turn("I now edit the poetry list.", id="job", session="b", time=at(2025, 5, 26))
    evidence = prepare(
        material("What is my rent now?", Intent.CONFLICT_RESOLUTION, hits([told, later]))
    )
    assert evidence.details["newest"] == "rent"


# ------------------------------------------------------------------- summaries


def test_repetitions_are_said_once_and_by_the_better_hit() -> None:
    first = turn("Saw the bee film at the cinema with Tom", id="best", session="a", time=NOW)
    again = turn("saw the bee film at the cinema, with Tom!", id="again", session="b", time=NOW)
    other = turn("Baked bread on Sunday", id="other", session="c", time=NOW)
    evidence = prepare(
        material("What did I do?", Intent.BROAD_SUMMARIZATION, hits([first, again, other]))
    )
    assert {item.turns[0].id for item in evidence.items} == {"best", "other"}


def test_a_crowded_session_steps_back_for_the_others() -> None:
    loud = [
        turn(f"The {word} festival was lovely", id=f"loud{n}", session="loud", position=n, time=NOW)
        for n, word in enumerate(["jazz", "film", "food", "wine"])
    ]
    quiet = turn("A poetry evening downtown", id="quiet", session="quiet", time=at(2025, 1, 1))
    evidence = prepare(
        material(
            "Which events did I go to?",
            Intent.BROAD_SUMMARIZATION,
            hits([*loud, quiet], [3.0, 2.9, 2.8, 2.7, 2.6]),
        )
    )
    best = sorted(evidence.items, key=lambda item: -item.score)
    assert [item.turns[0].id for item in best[:3]] == ["loud0", "loud1", "quiet"]
    assert ids(evidence)[0] == "quiet"  # shown oldest first


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("How many films did I see?", True),
        ("Quantos filmes vi?", True),
        ("¿Cuántas películas vi?", True),
        ("Which films did I see?", False),
    ],
)
def test_a_question_for_a_number_is_known_as_one(question: str, counts: bool) -> None:
    evidence = prepare(material(question, Intent.BROAD_SUMMARIZATION, hits([NEW])))
    assert evidence.details["count"] is counts


# ------------------------------------------------------------------- constraints


def test_a_rule_outranks_a_chunk_that_is_somewhat_more_relevant() -> None:
    chat = turn("The van was at the beach, lovely day", id="chat", session="a")
    rule = turn("The van must never leave the city without my consent.", id="rule", session="b")
    evidence = prepare(
        material(
            "May my cousin take the van to the beach?",
            Intent.CONSTRAINT_VALIDATION,
            hits([chat, rule], [2.0, 1.5]),
        )
    )
    assert [item.turns[0].id for item in evidence.items] == ["rule", "chat"]


def test_instructions_on_the_topic_are_pinned_others_are_not() -> None:
    evidence = prepare(
        material(
            "May I book a flight for Eva?",
            Intent.CONSTRAINT_VALIDATION,
            (),
            facts=(
                fact("Always ask me before you book a flight.", id=1, kind="instruction"),
                fact("Never use emoji.", id=2, kind="instruction"),
                fact("I took a flight to Porto.", id=3, kind="identity"),
            ),
        )
    )
    assert [item.turns[0].id for item in evidence.items] == ["turn-of-fact-1"]
    assert evidence.items[0].slot is Slot.PINNED


# ------------------------------------------------------------------- changes


def test_changes_stand_in_time_order_with_undated_last() -> None:
    said = [
        turn("Now I run my own stall.", id="c", session="c", time=at(2025, 6, 20)),
        turn("I used to work mornings.", id="u", session="u"),
        turn("Started at the bakery.", id="a", session="a", time=at(2025, 1, 7)),
        turn("They moved me to cakes.", id="b", session="b", time=at(2025, 3, 9)),
    ]
    evidence = prepare(material("How has my job changed?", Intent.STATE_TRACKING, hits(said)))
    assert ids(evidence) == ["a", "b", "c", "u"]


def test_a_statement_of_change_gains_rank() -> None:
    said = [
        turn("The bakery smells nice.", id="plain", session="a", time=NOW),
        turn("I switched from bread to cakes.", id="change", session="b", time=NOW),
    ]
    evidence = prepare(
        material("How has my job changed?", Intent.STATE_TRACKING, hits(said, [1.0, 0.9]))
    )
    assert evidence.items[0].turns[0].id == "change"


# ------------------------------------------------------------------- profile


def test_facts_that_bear_on_the_question_are_pinned_first() -> None:
    many = tuple(
        fact(f"I own gadget number {n}.", id=n, key=f"gadget{n}", time=at(2025, 1, 1))
        for n in range(20)
    )
    diet = fact("I can't eat peanuts.", id=99, key="diet", kind="preference", time=at(2024, 1, 1))
    own = turn("Had a lovely peanut-free dinner", id="own")
    echo = turn("Peanuts are tasty", id="echo", role="assistant")
    evidence = prepare(
        material(
            "Any dinner ideas, with or without peanuts?",
            Intent.PROFILE_INJECTION,
            hits([own, echo]),
            facts=(*many, diet),
        )
    )
    pinned = [item for item in evidence.items if item.slot is Slot.PINNED]
    assert [item.turns[0].id for item in pinned] == ["turn-of-fact-99"]
    assert "peanuts" in pinned[0].text
    assert [item.turns[0].id for item in evidence.items if item.slot is Slot.RAW] == ["own"]


def test_among_people_only_the_one_named_is_described() -> None:
    facts = (
        fact("I live in Porto.", id=1, subject="Ana"),
        fact("I live in Oslo.", id=2, subject="Ben"),
    )
    named = prepare(
        material("Where should Ana eat?", Intent.PROFILE_INJECTION, (), facts=facts)
    ).items
    assert [item.turns[0].speaker for item in named] == ["Ana"]
    nobody = prepare(
        material("Where should we eat?", Intent.PROFILE_INJECTION, (), facts=facts)
    ).items
    assert {item.turns[0].speaker for item in nobody} == {"Ana", "Ben"}


# ------------------------------------------------------------------- all of them


@pytest.mark.parametrize("intent", list(Intent))
def test_every_preparation_takes_nothing_and_gives_nothing(intent: Intent) -> None:
    evidence = prepare(material("What is there?", intent, ()))
    assert evidence.items == ()
    assert evidence.answer is None


@pytest.mark.parametrize("intent", list(Intent))
def test_every_item_rests_on_turns_and_no_more_than_the_row_keeps(intent: Intent) -> None:
    said = [
        turn(
            f"On day {n} I moved box {n} to shelf {n * 7}",
            id=f"t{n}",
            session=f"s{n % 9}",
            position=n,
            time=at(2025, 1 + n % 6, 1 + n % 20),
        )
        for n in range(90)
    ]
    evidence = prepare(material("How many boxes did I move to which shelf?", intent, hits(said)))
    assert evidence.items
    assert all(item.turns for item in evidence.items)
    row = OPERATIONS[intent]
    if row.pool > 1:
        assert len([item for item in evidence.items if item.slot is Slot.RAW]) == row.top_k

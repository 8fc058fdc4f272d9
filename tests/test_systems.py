"""The compared systems: what a model says, however strange, must never break one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memflow.calls import ModelCall, ModelReply, Purpose
from memflow.errors import ModelError, ModelTimeout, ModelUnavailable
from memflow.evals.systems import SYSTEMS, compilers
from memflow.evals.systems.ablations import CONCATENATED, VARIANTS
from memflow.evals.systems.base import Asker, Compiled, Reply
from memflow.evals.systems.history import cut
from memflow.evals.systems.memobase import memobase
from memflow.evals.systems.profiling import Profile, compress, facts
from memflow.evals.systems.reader import Reader
from memflow.ingest.readers import read_file
from memflow.pipeline import drivers
from memflow.settings import Settings
from memflow.testing import CountingIds, FixedClock, HashEncoder, ScriptedModel
from memflow.tokens import HeuristicCounter
from memflow.types import Intent, Item, NewTurn, Packed, SessionKind, Slot
from memflow.wiring import Assembly, assemble
from tests.making import turn

NOW = datetime(2025, 7, 1, 12, tzinfo=UTC)
FIRST = datetime(2025, 1, 6, 9, tzinfo=UTC)
TOPICS = (
    "the vet of Pimenta is Dr Sousa on Harbour Street",
    "my rent went up to 655 euros a month",
    "I glazed a lopsided bowl at the pottery studio",
    "the train to Braga leaves at ten past eight",
    "grandmother's soup needs two leeks and no cream",
)
WORDS = "and then we talked about the weather the garden and the neighbours again".split()
QUESTIONS = ("Who is the vet of Pimenta?", "What is my rent now?", "When does the train leave?")
SPACE = "haystack"
Script = Callable[[ModelCall], str | ModelReply | ModelError]


def history(count: int = 60, *, kind: SessionKind = SessionKind.ASSISTANT) -> list[NewTurn]:
    """Numbered turns, five a session and a session a week, every twelfth on one of the topics."""
    turns: list[NewTurn] = []
    for n in range(count):
        topic = TOPICS[n // 12 % len(TOPICS)] if n % 12 == 4 else " ".join(WORDS[n % 7 :])
        turns.append(
            NewTurn(
                text=f"Line {n}: {topic}.",
                session=f"s{n // 5:03}",
                role="assistant" if n % 2 and kind is SessionKind.ASSISTANT else "user",
                speaker=["Ana", "Rui"][n % 2] if kind is SessionKind.PEER else None,
                time=FIRST + timedelta(weeks=n // 5, minutes=n % 5),
                id=f"t{n}",
                kind=kind,
            )
        )
    return turns


@contextmanager
def remembered(
    script: Script, turns: Sequence[NewTurn] | None = None, *, window: int = 4096, batch: int = 1
) -> Iterator[tuple[Assembly, ScriptedModel]]:
    model = ScriptedModel(script, window=window, batch=batch)
    with TemporaryDirectory() as folder:
        assembly = assemble(
            Settings(db=str(Path(folder) / "m.db"), model_window=window),
            encoder=HashEncoder(),
            model=model,
            clock=FixedClock(NOW),
            ids=CountingIds(),
        )
        try:
            assembly.rememberer.add(SPACE, history() if turns is None else turns)
            yield assembly, model
        finally:
            assembly.close()


def built(name: str, assembly: Assembly) -> Asker:
    return drivers.run(SYSTEMS[name](assembly, SPACE), assembly.model())


def asked(name: str, assembly: Assembly, question: str) -> Reply:
    return drivers.run(built(name, assembly)(question, NOW), assembly.model())


def says(text: str) -> Script:
    return lambda _: text


BASELINES = ("direct-short", "direct-full", "rag", "react", "memgpt", "memobase")
ONE_CALL = ("direct-short", "direct-full", "rag")


# ------------------------------------------------------------------- one call over a memory


@pytest.mark.parametrize("name", ONE_CALL)
def test_one_call_is_made_and_accounted_for(name: str) -> None:
    with remembered(says("Answer: Dr Sousa")) as (assembly, model):
        reply = asked(name, assembly, QUESTIONS[0])
        assert reply.text == "Dr Sousa"
        assert not reply.abstained
        [call] = [call for call in model.calls if call.purpose is Purpose.ANSWER]
        assert reply.packed.text in call.messages[-1].content
        assert call.messages[-1].content.endswith(f"Question: {QUESTIONS[0]}")
        assert "1 July 2025" in call.messages[-1].content
        assert reply.usage.model_calls == 1
        assert reply.usage.prompt == HeuristicCounter().count_messages(call.messages)
        assert reply.usage.answer == reply.usage.total
        assert [made["purpose"] for made in reply.calls] == ["answer"]


def test_rag_shows_the_eight_best_turns_with_dates_and_speakers() -> None:
    with remembered(says("Dr Sousa")) as (assembly, _):
        packed = asked("rag", assembly, QUESTIONS[0]).packed
        assert len({item.turns[0].id for item in packed.items}) == 8
        assert "user: Line 4: the vet of Pimenta is Dr Sousa" in packed.text
        assert "[Mon 6 January 2025]" in packed.text
        # The best session stands last, next to the question.
        assert packed.items[-1].turns[0].session == "s000"


def test_rag_shows_whole_turns_and_the_found_part_of_one_that_has_no_room() -> None:
    long = " ".join(f"Sentence {n} is about nothing in particular at all." for n in range(60))
    turns = [NewTurn(f"{long} Pimenta's vet is Dr Sousa. {long}", "s1", id="long", time=FIRST)]
    for window, whole in ((8192, True), (1500, False)):
        with remembered(says("Dr Sousa"), turns, window=window) as (assembly, _):
            [item] = asked("rag", assembly, QUESTIONS[0]).packed.items
            assert (item.text == turns[0].text) is whole
            assert "Dr Sousa" in item.text


def test_direct_gives_all_questions_of_a_haystack_the_same_bytes() -> None:
    for name in ("direct-short", "direct-full"):
        with remembered(says("655"), history(400)) as (assembly, model):
            asker = built(name, assembly)
            for question in (*QUESTIONS, "And? " * 30):
                drivers.run(asker(question, NOW), model)
            texts = {call.messages[-1].content.partition("\n\nToday")[0] for call in model.calls}
            assert len(texts) == 1
            assert len({call.messages[:-1] for call in model.calls}) == 1


def test_direct_keeps_the_most_recent_turns_up_to_its_tokens() -> None:
    with remembered(says("655"), history(600), window=32_768) as (assembly, _):
        short = asked("direct-short", assembly, QUESTIONS[1]).packed
        full = asked("direct-full", assembly, QUESTIONS[1]).packed
    assert 2_233 <= short.tokens <= 2_333
    assert 9_700 <= full.tokens <= 9_800
    for packed in (short, full):
        ids = [item.turns[0].id for item in packed.items]
        assert ids == [f"t{n}" for n in range(600 - len(ids), 600)]


def test_direct_says_when_the_window_holds_less_than_it_asks_for() -> None:
    with remembered(says("655"), history(600)) as (assembly, _):
        assert asked("direct-short", assembly, QUESTIONS[1]).reason == ""
        reply = asked("direct-full", assembly, QUESTIONS[1])
        assert "window leaves" in reply.reason
        assert 2_333 < reply.packed.tokens < 4_096


def test_direct_shows_both_ends_of_a_document_that_is_too_long() -> None:
    turns = [
        NewTurn(text, "report", speaker="report.txt", kind=SessionKind.DOCUMENT, id=f"p{n}")
        for n, text in enumerate([" ".join(f"word{n}x{m}" for m in range(400)) for n in range(10)])
    ]
    with remembered(says("it")) as _, remembered(says("it"), turns) as (assembly, _):
        text = asked("direct-short", assembly, "What is it?").packed.text
    assert "word0x0 " in text
    assert "word9x399" in text
    assert "word5x0 " not in text
    assert text.count("…") == 2


def texts() -> st.SearchStrategy[str]:
    return st.text(st.sampled_from("ab .!\n日本é<>/:"), max_size=80)


@given(
    said=st.lists(texts(), max_size=12),
    budget=st.integers(0, 120),
    document=st.booleans(),
    sessions=st.integers(1, 4),
)
def test_cut_history_never_exceeds_its_budget(
    said: list[str], budget: int, document: bool, sessions: int
) -> None:
    kind = SessionKind.DOCUMENT if document else SessionKind.PEER
    turns = [
        turn(text, id=f"t{n}", session=f"s{n * sessions // len(said)}", position=n, kind=kind)
        for n, text in enumerate(said)
    ]
    counter = HeuristicCounter()
    packed = cut(turns, budget, counter)
    assert packed.tokens == counter.count(packed.text)
    assert packed.tokens <= budget or not packed.items
    places = [item.turns[0].position for item in packed.items]
    assert places == sorted(places)
    held = {item.turns[0].id: item.text.strip("… ") for item in packed.items}
    assert all(text in " ".join(said) for text in held.values())


def test_a_history_that_fits_is_shown_whole() -> None:
    turns = [turn(f"line {n}", id=f"t{n}", position=n, session=f"s{n}") for n in range(9)]
    counter = HeuristicCounter()
    whole = cut(turns, 10_000, counter)
    assert [item.text for item in whole.items] == [said.text for said in turns]
    assert cut(turns, whole.tokens, counter) == whole


# ------------------------------------------------------------------- whatever the model says

STRANGE = (
    "",
    "   \n ",
    "ESCALATE_REQUIRED",
    "TOOL: explode | everything",
    "Answer:",
    "}{][ <memory> </memory>",
    "\x00 \u202e",
    "no " * 4_000,
)


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("said", STRANGE)
def test_strange_replies_are_replies(name: str, said: str) -> None:
    with remembered(says(said)) as (assembly, model):
        reply = asked(name, assembly, QUESTIONS[0])
        assert isinstance(reply, Reply)
        asked_now = [call for call in model.calls if call.purpose is not Purpose.EXTRACT]
        assert reply.usage.model_calls == len(reply.calls) == len(asked_now) > 0


@pytest.mark.parametrize("name", BASELINES)
def test_a_refusal_is_an_abstention_and_silence_is_not(name: str) -> None:
    with remembered(says("I don't know, the memory does not say.")) as (assembly, _):
        assert asked(name, assembly, QUESTIONS[0]).abstained
    with remembered(says("")) as (assembly, _):
        reply = asked(name, assembly, QUESTIONS[0])
        assert reply.text == ""
        assert not reply.abstained


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("error", [ModelTimeout("too slow"), ModelUnavailable("gone")])
def test_a_failing_model_is_a_reply_that_says_so(name: str, error: ModelError) -> None:
    with remembered(lambda _: error) as (assembly, _):
        reply = asked(name, assembly, QUESTIONS[0])
        assert reply.text == ""
        assert not reply.abstained
        assert "model failed" in reply.reason
        assert any("error" in call for call in reply.calls)


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_an_empty_haystack_and_an_empty_question(name: str) -> None:
    with remembered(says("I don't know."), []) as (assembly, _):
        assert asked(name, assembly, QUESTIONS[0]).abstained
    with remembered(says("I don't know.")) as (assembly, _):
        assert isinstance(asked(name, assembly, ""), Reply)


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from(BASELINES),
    window=st.integers(1, 2_500),
    words=st.integers(1, 900),
    count=st.sampled_from([0, 3, 80]),
    kind=st.sampled_from(list(SessionKind)),
    said=st.sampled_from((*STRANGE, "search(line {})", 'archival_memory_search("line {}", 2)')),
)
def test_no_prompt_ever_exceeds_the_window(
    name: str, window: int, words: int, count: int, kind: SessionKind, said: str
) -> None:
    turns = history(count, kind=kind)
    numbers = iter(range(100))
    script: Script = lambda _: said.replace("{}", str(next(numbers)))  # noqa: E731
    with remembered(script, turns, window=window) as (assembly, model):
        reply = asked(name, assembly, "rent " * words)
        counter = HeuristicCounter()
        for call in model.calls:
            assert counter.count_messages(call.messages) + call.max_tokens <= window
        if not model.calls:
            assert "window" in reply.reason


# ------------------------------------------------------------------- the product


def test_memflow_replies_with_what_its_flow_answered() -> None:
    with remembered(says("yes")) as (assembly, _):
        assert asked("memflow", assembly, QUESTIONS[0]).text == "yes"
    script = {Purpose.ANSWER: "Dr Sousa on Harbour Street", Purpose.CHECK: "yes"}
    with remembered(lambda call: script[call.purpose]) as (assembly, model):
        reply = asked("memflow", assembly, QUESTIONS[0])
        assert reply.text == "Dr Sousa on Harbour Street"
        assert reply.intent in set(Intent)
        assert reply.layer
        assert not reply.abstained
        assert reply.packed.text in model.calls[0].messages[-1].content
        assert reply.packed.items
        assert [call["purpose"] for call in reply.calls] == ["answer", "check"]
        assert reply.usage.model_calls == 2


def test_memflow_tells_of_the_memory_that_the_kept_answer_was_given_from() -> None:
    script: dict[Purpose, str | ModelError] = {
        Purpose.ANSWER: "ESCALATE_REQUIRED",
        Purpose.RETRY: "Dr Sousa on Harbour Street",
        Purpose.CHECK: "yes",
    }
    with remembered(lambda call: script[call.purpose]) as (assembly, model):
        reply = asked("memflow", assembly, QUESTIONS[0])
        [retry] = [call for call in model.calls if call.purpose is Purpose.RETRY]
        assert reply.escalated
        assert reply.packed.text in retry.messages[-1].content


def test_questions_in_lockstep_get_the_replies_they_get_alone() -> None:
    def script(call: ModelCall) -> str:
        return f"it is {len(call.messages[-1].content)}"

    for name in SYSTEMS:
        with remembered(script, batch=3) as (assembly, model):
            asker = built(name, assembly)
            alone = [drivers.run(asker(question, NOW), model).text for question in QUESTIONS]
            flows = (asker(question, NOW) for question in QUESTIONS)
            together = dict(drivers.run_lockstep(flows, model, width=3))
            assert [together[n].text for n in range(len(QUESTIONS))] == alone


# ------------------------------------------------------------------- contexts without a model


@pytest.mark.parametrize("name", list(compilers))
@pytest.mark.parametrize("budget", [0, 150])
def test_every_compiler_packs_within_the_budget(name: str, budget: int) -> None:
    with remembered(says("")) as (assembly, model):
        assembly.settings = replace(assembly.settings, packed_budget=budget)
        compile_ = compilers[name](assembly, SPACE)
        for question in QUESTIONS:
            packed = compile_(question, NOW).packed
            assert packed.items
            assert packed.tokens == HeuristicCounter().count(packed.text)
            assert not budget or packed.tokens <= budget
        assert model.calls == []


@pytest.mark.parametrize("name", ["rag", "rag-rrf"])
def test_flat_retrieval_fills_a_given_budget(name: str) -> None:
    with remembered(says("")) as (assembly, _):
        assembly.settings = replace(assembly.settings, packed_budget=800)
        packed = compilers[name](assembly, SPACE)(QUESTIONS[0], NOW).packed
        assert len(packed.items) > 8
        assert 700 < packed.tokens <= 800


# ------------------------------------------------------------------- ablations

EVA = Path(__file__).parent / "fixtures" / "history.jsonl"
INTERVAL = "How many days were there between adopting the dog and her vaccination?"
COUNT = "How many things have I made at the pottery studio?"
RENT = "What is my rent now?"
RULE = "May I leave the dog alone in the flat for six hours?"
OF_EVA = (INTERVAL, COUNT, RENT, RULE)


@pytest.fixture(scope="module")
def eva() -> list[NewTurn]:
    return [row for row in read_file(EVA) if isinstance(row, NewTurn)]


def contexts(name: str, turns: list[NewTurn]) -> dict[str, Compiled]:
    with remembered(says(""), turns) as (assembly, _):
        compile_ = compilers[name](assembly, SPACE)
        return {question: compile_(question, NOW) for question in OF_EVA}


@pytest.mark.parametrize("name", [name for name in VARIANTS if name in compilers])
def test_ablations_change_the_context_and_only_one_the_route(name: str, eva: list[NewTurn]) -> None:
    full = contexts("memflow", eva)
    changed = contexts(name, eva)
    routes = [compiled.route for compiled in changed.values()]
    if name == "memflow-no-router":
        assert {route.intent for route in routes} == {Intent.TARGETED_EXTRACTION}
    else:
        assert routes == [compiled.route for compiled in full.values()]
    assert any(changed[q].packed.text != full[q].packed.text for q in OF_EVA)


def test_without_retrieval_strategy_the_newest_turns_are_shown(eva: list[NewTurn]) -> None:
    many = [*eva, *(replace(turn, time=NOW, session=f"z{turn.session}") for turn in history(200))]
    for reply in contexts("memflow-no-retrieval-strategy", many).values():
        ids = {item.turns[0].id for item in reply.packed.items}
        assert "t199" in ids
        assert not any(item.heading for item in reply.packed.items)
        assert all(id.startswith("t") for id in ids)


def test_uniform_rag_shows_eight_chunks_as_they_are(eva: list[NewTurn]) -> None:
    for reply in contexts("memflow-uniform-rag", eva).values():
        assert 1 <= len(reply.packed.items) <= 8
        assert not any(item.heading or item.note for item in reply.packed.items)


def test_without_tools_nothing_is_computed(eva: list[NewTurn]) -> None:
    full = contexts("memflow", eva)
    bare = contexts("memflow-no-tools", eva)
    assert "Computed:" in full[INTERVAL].packed.text
    assert "Computed:" not in bare[INTERVAL].packed.text
    said = {turn.text for turn in eva}
    for item in bare[INTERVAL].packed.items:
        assert all(piece.strip() in " ".join(said) for piece in item.text.split(" … "))


def test_without_tools_a_tool_line_is_words_and_lists_are_not_counted(eva: list[NewTurn]) -> None:
    line = "TOOL: days_between | 2025-02-15 | 2025-04-05"
    for question, said, counted in (
        (INTERVAL, line, "49 days"),
        (COUNT, "- a lopsided bowl\n- a big platter", "2: "),
    ):

        def script(call: ModelCall, said: str = said) -> str:
            return "yes" if call.choices else said

        with remembered(script, eva) as (assembly, _):
            assert counted in asked("memflow", assembly, question).text
        with remembered(script, eva) as (assembly, model):
            assert counted not in asked("memflow-no-tools", assembly, question).text
            assert all("TOOL" not in call.messages[0].content for call in model.calls)


def test_without_the_validator_the_first_answer_stands(eva: list[NewTurn]) -> None:
    for said, abstained in (("ESCALATE_REQUIRED", True), ("The moon is made of cheese.", False)):
        with remembered(says(said), eva) as (assembly, model):
            reply = asked("memflow-no-validator", assembly, RENT)
            assert len(model.calls) == 1
            assert reply.text == said
            assert reply.abstained is abstained
            assert not reply.escalated


def test_without_the_packer_pieces_are_whole_and_in_order(eva: list[NewTurn]) -> None:
    long = [replace(turn, text=f"{turn.text} " * 3, id=None, session="again") for turn in eva]
    for reply in contexts("memflow-no-packer", [*eva, *long]).values():
        assert 0 < reply.packed.tokens <= CONCATENATED
        scores = [item.score for item in reply.packed.items if not item.heading]
        assert scores == sorted(scores, reverse=True)
        assert not any(" … " in item.text for item in reply.packed.items)


# ------------------------------------------------------------------- agents


def in_turn(*lines: str | ModelError) -> Script:
    """One line after the other, the last one for ever."""
    left = list(lines)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def observed(call: ModelCall) -> str:
    return call.messages[-1].content


def test_react_searches_computes_and_finishes() -> None:
    script = in_turn(
        'Thought: I look it up.\nAction: search("vet Pimenta")\nObservation: made up',
        'Action: days_between("2025-02-15", "2025-04-05")',
        'Action: finish("Dr Sousa, 49 days")',
    )
    with remembered(script) as (assembly, model):
        reply = asked("react", assembly, QUESTIONS[0])
        assert reply.text == "Dr Sousa, 49 days"
        assert not reply.abstained
        assert [call.purpose for call in model.calls] == ["answer", "tool", "tool"]
        assert "the vet of Pimenta is Dr Sousa" in observed(model.calls[1])
        assert observed(model.calls[2]) == "Observation: 49 days (7 weeks)"
        assert "made up" not in model.calls[1].messages[-2].content
        assert reply.usage.model_calls == len(reply.calls) == 3
        assert reply.usage.total == reply.usage.answer
        assert "Dr Sousa" in reply.packed.text
        assert "t4" in {item.turns[0].id for item in reply.packed.items}


def test_react_counts_words_in_what_it_found() -> None:
    with remembered(in_turn("search(weather)", "count(weather)", "finish(it)")) as (
        assembly,
        model,
    ):
        asked("react", assembly, "How often did we talk about the weather?")
        said = observed(model.calls[1]).count("weather")
        assert observed(model.calls[2]) == f"Observation: {said}"


@pytest.mark.parametrize("name", ["react", "memgpt"])
def test_an_agent_that_never_answers_is_stopped(name: str) -> None:
    calls = iter(range(100))
    with remembered(lambda _: f"Thought: hm {next(calls)}\nAction: search(line)") as (
        assembly,
        model,
    ):
        reply = asked(name, assembly, QUESTIONS[0])
        assert len(model.calls) == 5
        assert f"answer to: {QUESTIONS[0]}" in observed(model.calls[-1])
        assert all("are left" not in observed(call) for call in model.calls[:-1])
        assert reply.text == "hm 4"
        assert reply.reason


@pytest.mark.parametrize("name", ["react", "memgpt"])
def test_words_alone_are_an_answer_once_something_was_looked_up(name: str) -> None:
    search = 'search("rent")' if name == "react" else 'recall_memory("rent")'
    with remembered(in_turn("655 euros", search, "655 euros")) as (assembly, model):
        reply = asked(name, assembly, QUESTIONS[1])
        assert reply.text == "655 euros"
        assert len(model.calls) == 3
        assert "no command" in observed(model.calls[1])


@pytest.mark.parametrize("name", ["react", "memgpt"])
@pytest.mark.parametrize(
    "line",
    [
        "Action: search()",
        "Action: explode(everything)",
        "Action: days_between(yesterday)",
        'Action: days_between("2025-13-40", "?")',
        "Action: count()",
        'archival_memory_search("rent", 99)',
        'archival_memory_search("rent", page="two")',
        'recall_memory("", -1)',
        'recall_memory("rent", 99999999999999999999)',
        "core_memory_append()",
        '{"name": "archival_memory_search", "arguments": {"query": null, "page": 1e400}}',
        "Thought: I had better not act.",
        "🙂" * 50,
    ],
)
def test_strange_commands_are_observed_and_the_agent_goes_on(name: str, line: str) -> None:
    with remembered(in_turn(line, "Final Answer: 655 euros")) as (assembly, model):
        reply = asked(name, assembly, QUESTIONS[1])
        assert reply.text == "655 euros"
        assert observed(model.calls[1]).startswith("Observation: ")


@pytest.mark.parametrize("name", ["react", "memgpt"])
def test_a_time_out_between_turns_is_a_reply(name: str) -> None:
    script = in_turn("search(rent)", ModelTimeout("too slow"))
    with remembered(script) as (assembly, _):
        reply = asked(name, assembly, QUESTIONS[1])
        assert reply.text == ""
        assert "model failed" in reply.reason
        assert [("error" in call) for call in reply.calls] == [False, True]


def test_react_is_told_that_it_searched_for_this_before() -> None:
    with remembered(in_turn("search(Rent)", "search(rent)", "finish(x)")) as (assembly, model):
        asked("react", assembly, QUESTIONS[1])
        assert "already" in observed(model.calls[2])
        assert "<memory>" not in observed(model.calls[2])


def test_react_shortens_its_oldest_observations_first() -> None:
    script = in_turn(*(f"search({word})" for word in ("weather", "garden", "rent", "train")), "x")
    with remembered(script, history(200), window=1_500) as (assembly, model):
        asked("react", assembly, QUESTIONS[1])
        first = model.calls[1].messages[-1].content
        seen = [m.content for m in model.calls[-1].messages if m.content.startswith("Observation")]
        assert len(seen[-4]) < len(first)
        assert seen[-1].count("\n") > 6


def test_memgpt_shows_the_newest_turns_and_pages_through_the_rest() -> None:
    script = in_turn(
        'archival_memory_search("weather", 1)',
        'archival_memory_search("weather", 2)',
        'recall_memory(query="weather", page=3)',
        'send_message("the weather")',
    )
    with remembered(script, history(200)) as (assembly, model):
        reply = asked("memgpt", assembly, "What did we talk about?")
        opening = model.calls[0].messages[-1].content
        assert "Line 199:" in opening
        assert "200 messages of user, assistant, 6 January 2025 to" in opening
        pages = [observed(call) for call in model.calls[1:]]
        assert [page.split("\n")[0] for page in pages] == [
            f"Observation: page {n} of 6" for n in (1, 2, 3)
        ]
        lines = [set(re.findall(r"Line \d+", page)) for page in pages]
        assert [len(found) for found in lines] == [5, 5, 5]
        assert not lines[0] & lines[1]
        # The first page has been put away for the third.
        last = "\n".join(message.content for message in model.calls[-1].messages)
        assert "put away" in last
        held = {f"Line {item.turns[0].id[1:]}" for item in reply.packed.items}
        assert lines[1] | lines[2] <= held
        assert not lines[0] & held
        assert reply.packed.tokens <= 1_500


def test_memgpt_turns_the_page_for_who_asks_the_same_again() -> None:
    script = in_turn(*['recall_memory("weather", 1)'] * 2, "send_message(rain)")
    with remembered(script, history(200)) as (assembly, model):
        asked("memgpt", assembly, "What did we talk about?")
        pages = [observed(call).split("\n")[0] for call in model.calls[1:]]
        assert pages == ["Observation: page 1 of 6", "Observation: page 2 of 6"]


def test_memgpts_core_memory_lasts_for_one_question() -> None:
    script = in_turn(
        'core_memory_append("the rent is 655")',
        'core_memory_append("' + "long " * 200 + '")',
        "send_message(655)",
    )
    with remembered(script) as (assembly, model):
        asker = built("memgpt", assembly)
        drivers.run(asker(QUESTIONS[1], NOW), model)
        drivers.run(asker(QUESTIONS[1], NOW), model)
    core = ["- the rent is 655" in "".join(m.content for m in c.messages) for c in model.calls]
    assert core == [False, True, True, False]
    assert "full" in observed(model.calls[2])


# ------------------------------------------------------------------- the compressed profile


def profiled(*lines: str) -> Script:
    """Extracts these lines from every part, answers with "655 euros"."""

    def script(call: ModelCall) -> str:
        if call.purpose is not Purpose.EXTRACT:
            return "655 euros"
        return "\n".join(lines)

    return script


def test_memobase_reads_the_history_once_and_answers_from_its_profile_alone() -> None:
    def script(call: ModelCall) -> str:
        if call.purpose is not Purpose.EXTRACT:
            return "655 euros"
        told = re.search(r"my rent went up to (\d+)", call.messages[-1].content)
        return f"user | home | rent | {told[1]} euros a month\n" if told else "none"

    with remembered(script) as (assembly, model):
        asker = built("memobase", assembly)
        reading = list(model.calls)
        assert all(call.purpose is Purpose.EXTRACT and call.grammar for call in reading)
        shown = "\n".join(call.messages[-1].content for call in reading)
        assert all(f"Line {n}:" in shown for n in range(60))
        reply = drivers.run(asker(QUESTIONS[1], NOW), model)
        assert len(model.calls) == len(reading) + 1
        assert reply.packed.text in model.calls[-1].messages[-1].content
        assert reply.packed.text == (
            "<memory>\nProfile:\n"
            "- user, home, rent: 655 euros a month (said 27 January 2025)\n</memory>"
        )
        assert "t16" in {turn.id for turn in reply.packed.items[0].turns}
        assert reply.usage.model_calls == 1
        assert reply.reason == ""


def test_memobase_merges_what_is_told_again_and_bounds_a_subtopic() -> None:
    numbers = iter(range(1_000))

    def script(call: ModelCall) -> str:
        same = "user | home | rent | the rent of the flat is 655 euros"
        return f"{same}\nuser | events | walk | went to place{next(numbers)} by tram"

    with remembered(script) as (assembly, model):
        turns = assembly.store.turns(SPACE)
        profile = drivers.run(compress(turns, 10_000, Reader.of(assembly)), model)
        parts = len(model.calls)
        assert profile.parts == parts > 6
        rents = [entry for entry in profile.entries if entry.subtopic == "rent"]
        walks = [entry.fact for entry in profile.entries if entry.subtopic == "walk"]
        assert [entry.place for entry in rents] == [parts]
        assert walks == [f"went to place{n} by tram" for n in range(parts - 6, parts)]


def test_memobase_ranks_entries_by_the_questions_words_within_its_tokens() -> None:
    numbers = iter(range(1_000))

    def script(call: ModelCall) -> str:
        if call.purpose is not Purpose.EXTRACT:
            return "it"
        part = (next(numbers) for _ in range(5))
        return "\n".join(f"user | other | topic{n} | says this of subject{n} now" for n in part)

    with remembered(script) as (assembly, _):
        reply = asked("memobase", assembly, "What about subject7?")
        assert "subject7 " in reply.packed.text
        assert 200 < reply.packed.tokens <= 260
        best = max(reply.packed.items, key=lambda item: item.score)
        assert "subject7 " in best.text


def test_memobase_says_what_it_did_not_read() -> None:
    with remembered(profiled("none")) as (assembly, model):
        system = memobase(history_tokens=300)
        asker = drivers.run(system(assembly, SPACE), model)
        shown = "\n".join(call.messages[-1].content for call in model.calls)
        assert "Line 59:" in shown
        assert "Line 2:" not in shown
        assert "profile of the newest" in drivers.run(asker(RENT, NOW), model).reason


def test_memobase_goes_on_without_the_parts_that_fail() -> None:
    def script(call: ModelCall) -> str | ModelError:
        if call.purpose is Purpose.EXTRACT and "Line 4:" in call.messages[-1].content:
            return ModelTimeout("too slow")
        return "user | home | rent | 655" if call.purpose is Purpose.EXTRACT else "655"

    with remembered(script) as (assembly, _):
        reply = asked("memobase", assembly, RENT)
        assert reply.text == "655"
        assert re.search(r"1 of \d+ parts", reply.reason)


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("Ana | home | rent | 655 euros", ("Ana", "home", "rent", "655 euros")),
        ("- **Ana** | Home | rent | 655 | a month", ("Ana", "home", "rent", "655 a month")),
        ("| Ana | dwelling | rent | 655 |", ("Ana", "other", "rent", "655")),
        ("home | rent | 655 euros", ("user", "home", "rent", "655 euros")),
        ("Ana pays 655 euros", None),
        ("| | |", None),
        ("none", None),
        ("", None),
    ],
)
def test_profile_lines_are_read_leniently(line: str, entry: tuple[str, ...] | None) -> None:
    said = turn("I am Ana and I pay 655 euros")
    packed = Packed("", 0, (Item(Slot.RAW, said.text, (said,), 0.0),))
    found = [(e.person, e.topic, e.subtopic, e.fact) for e in facts(line, packed, 1)]
    assert found == ([entry] if entry else [])


@given(st.text(max_size=300))
def test_no_extraction_breaks_the_profile(text: str) -> None:
    said = turn("hello")
    packed = Packed("", 0, (Item(Slot.RAW, said.text, (said,), 0.0),))
    profile = Profile()
    for place in (1, 2):
        for entry in facts(text, packed, place):
            profile.add(entry)
    entries = profile.entries()
    assert [entry.place for entry in entries] == sorted(entry.place for entry in entries)
    for held in profile.slots.values():
        assert 1 <= len(held) <= 6

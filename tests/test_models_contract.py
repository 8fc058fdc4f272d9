"""What every `ChatModel` owes its callers, held against all of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from memflow.backends.catalogue import pull
from memflow.backends.gguf import read_header
from memflow.backends.llama_cpp import LlamaCppModel
from memflow.backends.openai_compatible import OpenAICompatibleModel
from memflow.calls import Finish, ModelCall, Purpose
from memflow.errors import ModelTimeout, ModelUnavailable, WindowExceeded
from memflow.protocols import ChatModel, TokenCounter
from memflow.testing import ScriptedModel
from memflow.tokens import HeuristicCounter
from memflow.types import Message
from tests.fake_server import Answer, Request, as_json, completion, serving

WINDOW = 1024
SYSTEM = "You answer in one short sentence."
CAPITAL = "What is the capital of France?"


def call(text: str = CAPITAL, *, max_tokens: int = 24, **options: Any) -> ModelCall:
    messages = (Message("system", SYSTEM), Message("user", text))
    return ModelCall(Purpose.ANSWER, messages, max_tokens, **options)


def say(call: ModelCall) -> str:
    """What the fakes say: lists when asked to count, otherwise a fact."""
    if call.choices:
        return call.choices[0]
    question = call.messages[-1].content
    if "Count" in question:
        return " ".join(f"{number}," for number in range(1, 200))
    number = re.search(r"number (\d+)", question)
    return f"Number {number[1]}." if number else "The capital of France is Paris."


def respond(request: Request) -> Answer:
    """The same fake behind HTTP, without any extras of a particular server."""
    if request.path != "/v1/chat/completions":
        return as_json({"error": "no such route"}, 404)
    messages = tuple(Message(**m) for m in request.body["messages"])
    schema = request.body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    said = say(ModelCall(Purpose.ANSWER, messages, 1, choices=tuple(schema.get("enum", ()))))
    limit = request.body["max_tokens"]
    words = said.split()
    counted = HeuristicCounter().count_messages(messages)
    return as_json(
        completion(
            f'"{said}"' if schema else " ".join(words[:limit]),
            finish="length" if len(words) > limit else "stop",
            prompt=counted,
        )
    )


@pytest.fixture(
    scope="module",
    params=[
        "scripted",
        "http",
        pytest.param("smollm2-135m", marks=pytest.mark.slow),
        pytest.param("qwen2.5-coder-0.5b", marks=pytest.mark.slow),
    ],
)
def model(request: pytest.FixtureRequest) -> Iterator[ChatModel]:
    match request.param:
        case "scripted":
            yield ScriptedModel(say, window=WINDOW, batch=2)
        case "http":
            with serving(respond) as url:
                http = OpenAICompatibleModel(url, "m", window=WINDOW, parallel=2)
                yield http
                http.close()
        case name:
            local = LlamaCppModel(pull(name), window=WINDOW, parallel=2, name=name)
            yield local
            local.close()


def test_info(model: ChatModel) -> None:
    assert model.info.name
    assert model.info.window == WINDOW
    assert model.info.batch == 2


def test_it_answers_in_text_with_its_counts(model: ChatModel) -> None:
    (reply,) = model.complete([call()])
    assert "Paris" in reply.text
    assert reply.text == reply.text.strip()
    assert reply.finish is Finish.STOP
    assert reply.completion_tokens > 0
    assert reply.milliseconds >= 0


def test_the_counter_agrees_with_what_a_call_costs(model: ChatModel) -> None:
    for text in (CAPITAL, "Where did I put my keys? " * 12, "Où est-elle ? 東京 😂"):
        (reply,) = model.complete([call(text)])
        counted = model.counter.count_messages(call(text).messages)
        assert reply.prompt_tokens <= counted <= reply.prompt_tokens * 1.5


def test_the_counter(model: ChatModel) -> None:
    assert isinstance(model.counter, TokenCounter)
    assert model.counter.count("") == 0
    few, many = model.counter.count("one word"), model.counter.count("one word " * 50)
    assert 0 < few < many
    assert model.counter.count_messages(call().messages) > model.counter.count(SYSTEM + CAPITAL)


def test_the_token_limit_is_kept(model: ChatModel) -> None:
    (reply,) = model.complete([call("Count from 1 to 200 in words.", max_tokens=8)])
    assert reply.finish is Finish.LENGTH
    assert reply.text
    assert model.counter.count(reply.text) <= 8 * 3  # an HTTP server's tokens are not ours


def test_choices_are_kept(model: ChatModel) -> None:
    for choices in (("yes", "no"), ("temporal-reasoning", "conflict-resolution", "other")):
        (reply,) = model.complete([call("Which one?", max_tokens=2, choices=choices)])
        assert reply.text in choices
        assert reply.finish is Finish.STOP
        assert set(reply.choice_logprobs) in (set(), set(choices))


def test_the_same_call_has_the_same_reply(model: ChatModel) -> None:
    first, second = (model.complete([call()])[0] for _ in range(2))
    assert first.text == second.text


def test_replies_come_in_the_order_of_the_calls(model: ChatModel) -> None:
    texts = [f"Repeat exactly: number {number}." for number in (11, 22, 33, 44, 55)]
    alone = [model.complete([call(text)])[0].prompt_tokens for text in texts]
    together = model.complete([call(text + " word" * i) for i, text in enumerate(texts)])
    assert len(together) == 5
    for i, (reply, tokens) in enumerate(zip(together, alone, strict=True)):
        assert (reply.prompt_tokens > tokens) == (i > 0)
    assert model.complete([]) == []


def test_a_prompt_beyond_the_window_is_refused(model: ChatModel) -> None:
    with pytest.raises(WindowExceeded):
        model.complete([call("word " * (WINDOW + 100))])
    with pytest.raises(WindowExceeded):
        model.complete([call(max_tokens=WINDOW)])
    assert model.complete([call()])[0].text  # and the model still works


# --------------------------------------------------------------------------- llama.cpp alone


@pytest.fixture(scope="module")
def small() -> Iterator[LlamaCppModel]:
    model = LlamaCppModel(pull("smollm2-135m"), window=2048)
    yield model
    model.close()


@pytest.mark.slow
def test_a_grammar_is_kept(small: LlamaCppModel) -> None:
    (reply,) = small.complete([call("Name a fruit.", grammar='root ::= "quince" | "medlar"')])
    assert reply.text in ("quince", "medlar")


@pytest.mark.slow
def test_choices_are_weighed(small: LlamaCppModel) -> None:
    (reply,) = small.complete([call("Is Paris in France?", choices=("yes", "no"))])
    weights = reply.choice_logprobs
    assert reply.text == max(weights, key=weights.__getitem__)
    assert reply.completion_tokens == 1
    (swapped,) = small.complete([call("Is Paris in France?", choices=("no", "yes"))])
    assert swapped.text == reply.text


@pytest.mark.slow
def test_a_prefix_is_not_read_twice(small: LlamaCppModel) -> None:
    notes = " ".join(f"On day {day} I visited city number {day * 7}." for day in range(90))
    (cold,) = small.complete([call(f"{notes} What did I visit on day 3?", max_tokens=1)])
    (warm,) = small.complete([call(f"{notes} What did I visit on day 20?", max_tokens=1)])
    assert cold.prompt_tokens > 1000
    assert warm.milliseconds < cold.milliseconds / 3


@pytest.mark.slow
def test_time_runs_out_and_the_model_goes_on() -> None:
    model = LlamaCppModel(pull("smollm2-135m"), window=2048, timeout_s=0.4)
    model.counter.count("loads the model")
    with pytest.raises(ModelTimeout):
        model.complete([call("Write a very long story about ships.", max_tokens=1500)])
    model.close()
    assert model.counter.count("closed models load again") > 0
    model.close()


@pytest.mark.slow
def test_nothing_is_printed_and_the_listener_is_locked() -> None:
    script = (
        "import sys, httpx\n"
        "from memflow.backends.llama_cpp import LlamaCppModel\n"
        "from memflow.calls import ModelCall, Purpose\n"
        "from memflow.types import Message\n"
        "m = LlamaCppModel(sys.argv[1], window=512)\n"
        "m.complete([ModelCall(Purpose.ANSWER, (Message('user', 'hi'),), 4)])\n"
        "url = m._runtime.listening_address\n"
        "assert '127.0.0.1' in url\n"
        "body = {'messages': [{'role': 'user', 'content': 'hi'}]}\n"
        "assert httpx.post(url + '/v1/chat/completions', json=body).status_code == 401\n"
        "assert httpx.post(url + '/tokenize', json={'content': 'hi'}).status_code == 401\n"
        "m.close()\n"
    )
    path = str(pull("smollm2-135m"))
    run = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, env={**os.environ}
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.slow
def test_the_trained_length_bounds_the_window() -> None:
    path = pull("smollm2-135m")
    assert read_header(path).context == 8192
    assert LlamaCppModel(path, window=100_000).info.window == 8192


def test_a_bad_file_is_unavailable_before_any_loading(tmp_path: Any) -> None:
    with pytest.raises(ModelUnavailable, match="no model file"):
        LlamaCppModel(tmp_path / "absent.gguf")
    for content in (b"", b"GGUF", b"PK\x03\x04 not a model", b"GGUF\x03\0\0\0" + b"\xff" * 40):
        file = tmp_path / "bad.gguf"
        file.write_bytes(content)
        with pytest.raises(ModelUnavailable, match="not a readable GGUF"):
            LlamaCppModel(file)
    with pytest.raises(ModelUnavailable, match="cannot read"):
        LlamaCppModel(tmp_path)


# --------------------------------------------------------------------------- the script alone


def test_a_script_by_purpose_is_used_up() -> None:
    model = ScriptedModel({Purpose.ANSWER: ["one", ModelTimeout("late")], Purpose.CHECK: "yes"})
    assert model.complete([call()])[0].text == "one"
    with pytest.raises(ModelTimeout):
        model.complete([call()])
    with pytest.raises(Exception, match="no reply left for 'answer'"):
        model.complete([call()])
    check = ModelCall(Purpose.CHECK, call().messages, 8)
    assert [model.complete([check])[0].text for _ in range(3)] == ["yes"] * 3
    assert [c.purpose for c in model.calls].count(Purpose.ANSWER) == 3


def test_a_script_keeps_stops_and_limits() -> None:
    model = ScriptedModel(lambda _: "first line\nsecond line")
    (reply,) = model.complete([call(stop=("\n",))])
    assert (reply.text, reply.finish) == ("first line", Finish.STOP)
    (empty,) = ScriptedModel(lambda _: " ").complete([call()])
    assert empty.finish is Finish.EMPTY

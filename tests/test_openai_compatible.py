"""The HTTP backend against servers that misbehave in every way we know of."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memflow.backends.counters import LearningCounter
from memflow.backends.endpoint import Refused
from memflow.backends.openai_compatible import OpenAICompatibleModel
from memflow.backends.wire import ServerKind
from memflow.calls import Finish, ModelCall, Purpose
from memflow.errors import ModelTimeout, ModelUnavailable, WindowExceeded
from memflow.types import Message
from tests.fake_server import Answer, Request, as_json, completion, serving

CHAT = "/v1/chat/completions"


def call(text: str = "Where do I live?", **options: Any) -> ModelCall:
    return ModelCall(Purpose.ANSWER, (Message("user", text),), 20, **options)


class Server:
    """Answers chats with `replies` in turn (the last for ever); owned by `owner`."""

    def __init__(self, *replies: Answer | Callable[[Request], Answer], owner: str = "") -> None:
        self.replies = list(replies)
        self.owner = owner
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.path == "/v1/models":
            if not self.owner:
                return as_json({"error": "no such route"}, 404)
            return as_json({"data": [{"id": "served", "owned_by": self.owner}]})
        if request.path != CHAT:
            return as_json({"error": "no such route"}, 404)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(request) if callable(reply) else reply

    @property
    def chats(self) -> list[Any]:
        return [request.body for request in self.requests if request.path == CHAT]


@contextmanager
def model_of(server: Server, **options: Any) -> Iterator[OpenAICompatibleModel]:
    with serving(server) as url:
        model = OpenAICompatibleModel(url, "m", **({"sleep": lambda _: None} | options))
        try:
            yield model
        finally:
            model.close()


def test_a_plain_reply() -> None:
    server = Server(as_json(completion("In Lisbon.", prompt=12, said=4)))
    with model_of(server, api_key="secret") as model:
        (reply,) = model.complete([call(stop=("\n",))])
    assert (reply.text, reply.finish) == ("In Lisbon.", Finish.STOP)
    assert (reply.prompt_tokens, reply.completion_tokens) == (12, 4)
    assert reply.milliseconds > 0
    (body,) = server.chats
    assert body["temperature"] == 0
    assert body["max_tokens"] == 20
    assert body["stop"] == ["\n"]
    assert body["messages"] == [{"role": "user", "content": "Where do I live?"}]
    assert {r.headers["authorization"] for r in server.requests} == {"Bearer secret"}


def test_nothing_is_sent_before_it_is_needed() -> None:
    server = Server(as_json(completion("x")))
    with model_of(server) as model:
        assert model.info.name == "m"
        assert server.requests == []


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_every_spelling_of_the_address(ending: str) -> None:
    server = Server(as_json(completion("x")))
    with serving(server) as url:
        model = OpenAICompatibleModel(url + ending, "m")
        assert model.complete([call()])[0].text == "x"
        model.close()


def test_thinking_and_missing_text() -> None:
    server = Server(
        as_json(completion("<think>hm</think>Lisbon")),
        as_json(completion(None)),
        as_json(completion("<think>too long", finish="length")),
        as_json(completion("In Lis", finish="length")),
    )
    with model_of(server) as model:
        replies = [model.complete([call()])[0] for _ in range(4)]
    assert [(r.text, r.finish) for r in replies] == [
        ("Lisbon", Finish.STOP),
        ("", Finish.EMPTY),
        ("", Finish.EMPTY),
        ("In Lis", Finish.LENGTH),
    ]


# --------------------------------------------------------------------------- failures


def test_a_server_error_is_tried_again() -> None:
    waits: list[float] = []
    server = Server(Answer(500), Answer(503), as_json(completion("ok")))
    with model_of(server, retries=2, sleep=waits.append) as model:
        assert model.complete([call()])[0].text == "ok"
    assert waits == [0.5, 1.0]


def test_retries_are_bounded_and_honour_retry_after() -> None:
    waits: list[float] = []
    server = Server(as_json({"error": {"message": "busy"}}, 429, **{"Retry-After": "3600"}))
    with (
        model_of(server, retries=1, sleep=waits.append) as model,
        pytest.raises(ModelUnavailable, match="429: busy"),
    ):
        model.complete([call()])
    assert len(server.chats) == 2
    assert waits == [8.0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_for_good_is_not_tried_again(status: int) -> None:
    server = Server(as_json({"error": "model 'm' not found"}, status))
    with (
        model_of(server, kind=ServerKind.OLLAMA) as model,
        pytest.raises(ModelUnavailable, match=r"not found\n.*ollama pull m"),
    ):
        model.complete([call()])
    assert len(server.chats) == 1


def test_no_server_at_all() -> None:
    model = OpenAICompatibleModel(
        "http://127.0.0.1:9", "m", kind=ServerKind.OLLAMA, retries=1, sleep=lambda _: None
    )
    assert model.counter.count("some words here") > 0  # counting never raises
    with pytest.raises(ModelUnavailable, match=r"cannot reach[^→]*\n  → is Ollama running"):
        model.complete([call()])
    model.close()


@pytest.mark.parametrize("address", ["ftp://x/", "nonsense", "http://"])
def test_an_address_that_is_none(address: str) -> None:
    model = OpenAICompatibleModel(address, "m", retries=0)
    with pytest.raises(ModelUnavailable):
        model.complete([call()])
    model.close()


def test_a_slow_server_times_out_once() -> None:
    release = threading.Event()

    def slow(_: Request) -> Answer:
        release.wait(5)
        return as_json(completion("late"))

    server = Server(slow)
    with model_of(server, timeout_s=0.2, retries=3) as model:
        started = time.monotonic()
        with pytest.raises(ModelTimeout, match=r"0\.2 s"):
            model.complete([call()])
        assert time.monotonic() - started < 2
        release.set()
    assert len(server.chats) == 1


@pytest.mark.parametrize("answer", [Answer(body=b"<html>"), as_json({"choices": []}), as_json([])])
def test_an_answer_that_is_no_completion(answer: Answer) -> None:
    with model_of(Server(answer)) as model, pytest.raises(ModelUnavailable):
        model.complete([call()])


def test_redirects_are_not_followed() -> None:
    elsewhere = Server(as_json(completion("gotcha")))
    with serving(elsewhere) as other:
        server = Server(Answer(307, headers={"Location": other + CHAT}))
        with model_of(server) as model, pytest.raises(ModelUnavailable, match="307"):
            model.complete([call()])
    assert elsewhere.requests == []


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with model_of(Server(as_json(completion("direct")))) as model:
        assert model.complete([call()])[0].text == "direct"


# --------------------------------------------------------------------------- the window


def test_a_prompt_beyond_the_window_is_not_sent() -> None:
    server = Server(as_json(completion("x")))
    with model_of(server, window=100) as model, pytest.raises(WindowExceeded, match="of 100"):
        model.complete([call("word " * 200)])
    assert server.chats == []


def test_the_servers_own_words_on_its_window() -> None:
    said = {"error": {"message": "This model's maximum context length is 512 tokens"}}
    server = Server(as_json(said, 400))
    with model_of(server) as model, pytest.raises(WindowExceeded, match="512"):
        model.complete([call()])


def test_a_window_that_the_server_states_holds() -> None:
    class Vllm(Server):
        def __call__(self, request: Request) -> Answer:
            if request.path == "/v1/models":
                row = {"id": "m", "owned_by": "vllm", "max_model_len": 64}
                return as_json({"data": [row]})
            if request.path == "/tokenize":
                return as_json({"count": 60, "tokens": [1] * 60})
            return super().__call__(request)

    with model_of(Vllm(as_json(completion("x")))) as model:
        before = model.info
        assert before.window == 4096
        with pytest.raises(WindowExceeded, match=r"has 60 tokens.*of 64"):
            model.complete([call()])
        assert model.info.window == 64
        assert model.counter.count("anything") == 60


def test_estimates_learn_from_what_the_server_counted() -> None:
    counter = LearningCounter()
    messages = [Message("user", "some words of a prompt that is long enough to learn from " * 3)]
    before = counter.count_messages(messages)
    counter.observe(messages, before * 3)
    assert counter.count_messages(messages) >= before * 3
    assert counter.count("words") >= 3
    counter.observe([Message("user", "short")], 1000)
    assert counter.count_messages(messages) < before * 4


def test_counting_does_not_pester_a_server_without_a_tokenizer() -> None:
    for owner in ("", "llamacpp"):  # no list of models; a list, but no tokenizer
        server = Server(as_json(completion("x")), owner=owner)
        with model_of(server) as model:
            assert all(model.counter.count(f"text {number}") > 0 for number in range(50))
        assert len(server.requests) <= 2


# --------------------------------------------------------------------------- constrained output


def test_choices_go_out_as_a_schema_and_come_back_unquoted() -> None:
    server = Server(as_json(completion('"no"')))
    with model_of(server) as model:
        (reply,) = model.complete([call(choices=("yes", "no"))])
    assert reply.text == "no"
    assert server.chats[0]["max_tokens"] > 20  # room for the quotes around the choice
    schema = server.chats[0]["response_format"]["json_schema"]["schema"]
    assert schema == {"type": "string", "enum": ["yes", "no"]}


def test_a_refused_schema_is_left_out_and_not_tried_again() -> None:
    def strict(request: Request) -> Answer:
        if "response_format" in request.body:
            return as_json({"error": "response_format is not supported"}, 400)
        return as_json(completion("No."))

    server = Server(strict)
    with model_of(server) as model:
        before = model.info
        assert before.constrained
        for _ in range(2):
            assert model.complete([call(choices=("yes", "no"))])[0].text == "no"
        assert not model.info.constrained
    assert ["response_format" in body for body in server.chats] == [True, False, False]


def test_a_request_that_is_wrong_in_itself_teaches_nothing() -> None:
    server = Server(as_json({"error": "bad"}, 400))
    with model_of(server) as model:
        with pytest.raises(Refused, match="bad"):
            model.complete([call(choices=("yes", "no"))])
        assert model.info.constrained


def test_a_grammar_goes_to_a_llama_server_only() -> None:
    for owner, sent in (("llamacpp", True), ("library", False)):
        server = Server(as_json(completion("x")), owner=owner)
        with model_of(server) as model:
            model.complete([call(grammar='root ::= "x"')])
        assert ("grammar" in server.chats[0]) is sent


class Weighing(Server):
    """A llama-server that weighs tokens: a text's first token is its first letter's code."""

    weights: tuple[tuple[str, float], ...] = (("y", 0.2), ("n", 0.8))

    def __call__(self, request: Request) -> Answer:
        if request.path == "/tokenize":
            return as_json({"tokens": [ord(c) for c in request.body["content"]]})
        if request.path == "/apply-template":
            return as_json({"prompt": request.body["messages"][0]["content"]})
        if request.path == CHAT and "logit_bias" in request.body:
            self.requests.append(request)
            answer = completion("n", said=1)
            listed = [{"id": ord(c), "prob": p} for c, p in self.weights]
            answer["choices"][0]["logprobs"] = {"content": [{"top_probs": listed}]}
            return as_json(answer)
        return super().__call__(request)


def test_a_llama_server_weighs_the_choices() -> None:
    server = Weighing(as_json(completion("unused")), owner="llamacpp")
    with model_of(server) as model:
        (reply,) = model.complete([call(choices=("yes", "no"))])
    assert (reply.text, reply.finish, reply.completion_tokens) == ("no", Finish.STOP, 1)
    assert reply.choice_logprobs == pytest.approx({"yes": -1.6094, "no": -0.2231}, abs=1e-3)
    (body,) = server.chats
    assert body["max_tokens"] == 1
    assert {token for token, _ in body["logit_bias"]} == {ord("y"), ord("n")}


def test_choices_that_start_alike_are_written_out() -> None:
    server = Weighing(as_json(completion("nothing", said=3)), owner="llamacpp")
    with model_of(server) as model:
        (reply,) = model.complete([call(choices=("yes", "no", "nothing"))])
    assert reply.text == "nothing"
    assert reply.completion_tokens == 4
    assert reply.choice_logprobs["no"] == reply.choice_logprobs["nothing"]
    assert server.chats[1]["grammar"] == 'root ::= "no" | "nothing"'


def test_an_older_llama_server_gets_the_grammar() -> None:
    class Older(Weighing):
        weights = ()

    server = Older(as_json(completion("yes")), owner="llamacpp")
    with model_of(server) as model:
        for _ in range(2):
            assert model.complete([call(choices=("yes", "no"))])[0].text == "yes"
    assert ["logit_bias" in body for body in server.chats] == [True, False, False]
    assert server.chats[1]["grammar"] == 'root ::= "yes" | "no"'


def test_thinking_is_switched_off_where_the_server_can() -> None:
    for owner, field in (("llamacpp", "chat_template_kwargs"), ("library", "reasoning_effort")):
        server = Server(as_json(completion("x")), owner=owner)
        with model_of(server) as model:
            model.complete([call()])
        assert field in server.chats[0]
    server = Server(as_json(completion("x")), owner="someone")
    with model_of(server) as model:
        model.complete([call()])
    assert not {"chat_template_kwargs", "reasoning_effort"} & server.chats[0].keys()


# --------------------------------------------------------------------------- batches


def test_calls_run_at_once_and_keep_their_order() -> None:
    together = threading.Barrier(3, timeout=5)

    def echo(request: Request) -> Answer:
        together.wait()
        return as_json(completion(request.body["messages"][0]["content"]))

    with model_of(Server(echo), parallel=3) as model:
        assert model.info.batch == 3
        replies = model.complete([call(word) for word in ("one", "two", "three")])
    assert [reply.text for reply in replies] == ["one", "two", "three"]

"""The chat-completions format: a `ModelCall` out, a `ModelReply` in, server dialects between."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from memflow.backends.replies import make_reply
from memflow.calls import ModelCall, ModelReply
from memflow.errors import ModelUnavailable
from memflow.types import Message

_ENVELOPE_TOKENS = 4  # the quotes of a JSON string, beyond what the caller allows
_LEAST_PROBABILITY = 1e-30


class ServerKind(StrEnum):
    """Whose dialect the server speaks, beyond the common format."""

    LLAMA_CPP = "llama-server"
    VLLM = "vllm"
    OLLAMA = "ollama"
    LM_STUDIO = "lmstudio"
    OTHER = "openai"


def wire_messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def no_thinking(kind: ServerKind) -> dict[str, Any]:
    """What switches a thinking model's thinking off, by server; {} where nothing is known."""
    match kind:
        case ServerKind.LLAMA_CPP | ServerKind.VLLM:
            return {"chat_template_kwargs": {"enable_thinking": False}}
        case ServerKind.OLLAMA:
            return {"reasoning_effort": "none"}
        case _:
            return {}


def request_body(call: ModelCall, model: str, kind: ServerKind) -> dict[str, Any]:
    """What every server takes."""
    body: dict[str, Any] = {
        "model": model,
        "messages": wire_messages(call.messages),
        "max_tokens": call.max_tokens,
        "temperature": 0,
        "stream": False,
    }
    if call.stop:
        body["stop"] = list(call.stop)
    if kind is ServerKind.LLAMA_CPP:
        body["cache_prompt"] = True
    return body


def optional_fields(call: ModelCall, kind: ServerKind) -> dict[str, Any]:
    """What only some servers take: left out again when one refuses it."""
    fields = no_thinking(kind)
    if kind is ServerKind.LLAMA_CPP:
        grammar = choices_grammar(call.choices) if call.choices else call.grammar
        if grammar:
            fields["grammar"] = grammar
    elif call.choices:
        fields["max_tokens"] = call.max_tokens + _ENVELOPE_TOKENS
        fields["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": "choice",
                "strict": True,
                "schema": {"type": "string", "enum": list(call.choices)},
            },
        }
    return fields


def choices_grammar(choices: Sequence[str]) -> str:
    """GBNF whose only sentences are the choices."""
    # JSON's escapes are GBNF's too.
    return "root ::= " + " | ".join(json.dumps(choice) for choice in choices)


def weighing_body(call: ModelCall, model: str, first_tokens: Mapping[str, int]) -> dict[str, Any]:
    """A request to llama-server that weighs the choices instead of generating one.

    One token is asked for, with the choices' first tokens raised so far above all others that the
    probabilities after sampling are exactly those of the choices among themselves. A grammar would
    let the model begin a choice with any odd piece ("c" for "conflict-resolution"), and weak
    models then follow the piece, not the choice they meant.
    """
    tokens = sorted(set(first_tokens.values()))
    return request_body(call, model, ServerKind.LLAMA_CPP) | {
        "max_tokens": 1,
        "temperature": 1,  # the sampled token is not used, its rivals' probabilities are
        "samplers": ["temperature"],
        "seed": 0,
        "logit_bias": [[token, 100] for token in tokens],
        "logprobs": True,
        "top_logprobs": len(tokens),
        "post_sampling_probs": True,
        **no_thinking(ServerKind.LLAMA_CPP),
    }


def parse_weights(answer: Any, first_tokens: Mapping[str, int]) -> dict[str, float]:
    """Each choice's log-probability among the choices; {} if the server did not weigh them.

    It is that of the choice's first token, so choices that start alike share one value.
    """
    try:
        listed = answer["choices"][0]["logprobs"]["content"][0]["top_probs"]
        weights = {int(row["id"]): float(row["prob"]) for row in listed}
    except (KeyError, IndexError, TypeError, ValueError):
        return {}
    if not weights.keys() & set(first_tokens.values()):
        return {}
    return {
        choice: math.log(max(weights.get(token, 0.0), _LEAST_PROBABILITY))
        for choice, token in first_tokens.items()
    }


def parse_reply(
    answer: Any, call: ModelCall, *, milliseconds: float, prompt_tokens: int
) -> ModelReply:
    """`prompt_tokens` is our own count, used when the server states none."""
    try:
        choice = answer["choices"][0]
        content = choice["message"].get("content") or ""
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelUnavailable(
            "the server's answer is not a chat completion",
            mend="is the address that of an OpenAI-compatible server?",
        ) from error
    prompt, completion = usage(answer)
    return make_reply(
        _unquoted(content) if call.choices else content,
        truncated=choice.get("finish_reason") == "length",
        prompt_tokens=prompt or prompt_tokens,
        completion_tokens=completion,
        milliseconds=milliseconds,
        choices=call.choices,
    )


def usage(answer: Any) -> tuple[int, int]:
    """Prompt and completion tokens as the server states them; 0 where it does not."""
    stated = answer.get("usage") or {}
    return int(stated.get("prompt_tokens") or 0), int(stated.get("completion_tokens") or 0)


def _unquoted(content: str) -> str:
    try:
        value = json.loads(content)
    except ValueError:
        return content
    return value if isinstance(value, str) else content

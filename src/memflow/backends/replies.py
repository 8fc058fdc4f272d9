"""From what a model sent to a `ModelReply`: thinking removed, loops cut, choices settled.

Pure functions, shared by every backend. A strange reply never raises: it becomes a finish.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memflow.calls import Finish, ModelReply
from memflow.text import sentence_spans

# Thinking comes in three dialects: tags (Qwen, DeepSeek, SmolLM3), harmony channels (gpt-oss),
# and Gemma's channel block. An unclosed block means the model never got to its answer.
_TAGS = "think|thinking|thought|reasoning"
_TAGGED = re.compile(rf"<({_TAGS})>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TAG_OPEN = re.compile(rf"<(?:{_TAGS})>.*", re.DOTALL | re.IGNORECASE)
# A template that opens the block inside the prompt leaves only its end in the reply.
_TAG_CLOSED = re.compile(rf".*</(?:{_TAGS})\s*>", re.DOTALL | re.IGNORECASE)
_FINAL_CHANNEL = re.compile(r".*<\|channel\|>\s*final\b[^<]*<\|message\|>", re.DOTALL)
_OTHER_CHANNEL = re.compile(r"<\|channel\|>.*", re.DOTALL)
_GEMMA_BLOCK = re.compile(r"<\|channel>.*?(?:<channel\|>|\Z)", re.DOTALL)
# End marks that some servers let through.
_MARKS = re.compile(
    r"(?:<\|(?:im_end|im_start|endoftext|eot_id|end_of_text|end|return|eom_id|start)\|>"
    r"|<end_of_turn>|<turn\|>|</s>)"
)

_LONGEST_PERIOD = 240  # characters
_SHORTEST_LOOP = 24  # characters: "ha ha ha" is no loop
_REPEATS = 3


def strip_thinking(text: str) -> str:
    """The reply without the model's thinking and the template's marks; "" if nothing else came."""
    text = _TAGGED.sub("", text)
    text = _TAG_CLOSED.sub("", text)
    text = _TAG_OPEN.sub("", text)
    text = _FINAL_CHANNEL.sub("", text)
    text = _OTHER_CHANNEL.sub("", text)
    text = _GEMMA_BLOCK.sub("", text)
    return _MARKS.sub("", text).strip()


def cut_loop(text: str) -> str | None:
    """The text up to its first repetition, or None when it does not loop.

    A loop is a sentence of at least three words said three times, or an ending that repeats one
    piece three times or more.
    """
    cuts = [cut for cut in (_sentence_loop(text), _tail_loop(text)) if cut is not None]
    return text[: min(cuts)].rstrip(" \t\r\n,;:|-") if cuts else None


def _sentence_loop(text: str) -> int | None:
    seen: dict[str, list[int]] = {}
    for start, end in sentence_spans(text):
        words = text[start:end].casefold().split()
        if len(words) < 3:
            continue
        starts = seen.setdefault(" ".join(words), [])
        starts.append(start)
        if len(starts) == _REPEATS:
            return starts[1]
    return None


def _tail_loop(text: str) -> int | None:
    """Where the second round of a periodic ending starts, at the end of a word."""
    text = text.rstrip()
    length = len(text)
    for period in range(1, min(_LONGEST_PERIOD, length // _REPEATS) + 1):
        start = length - period
        while start and text[start - 1] == text[start - 1 + period]:
            start -= 1
        looped = length - start
        if looped >= _REPEATS * period and looped >= _SHORTEST_LOOP and text[start:].strip():
            cut = start + period
            while cut < length and not text[cut].isspace() and not text[cut - 1].isspace():
                cut += 1
            # In scripts without spaces there is no end of the word to wait for.
            return cut if cut < length else start + period
    return None


def match_choice(text: str, choices: Sequence[str]) -> str | None:
    """The choice a reply stands for: the same words, a cut-off beginning, or the only one named."""
    said = _plain(text)
    if not said:
        return None
    plain = {choice: _plain(choice) for choice in choices}
    for match in (
        [choice for choice in choices if plain[choice] == said],
        [choice for choice in choices if plain[choice].startswith(said)],
        [choice for choice in choices if re.search(rf"\b{re.escape(plain[choice])}\b", said)],
    ):
        if len(match) == 1:
            return match[0]
    return None


def _plain(text: str) -> str:
    return text.strip().strip("\"'`*.!").strip().casefold()


def make_reply(
    raw: str,
    *,
    truncated: bool,
    prompt_tokens: int,
    completion_tokens: int,
    milliseconds: float,
    choices: Sequence[str] = (),
    choice_logprobs: Mapping[str, float] | None = None,
) -> ModelReply:
    """Clean a raw text up. `truncated`: the model was stopped by its token limit."""
    text = strip_thinking(raw)
    finish = Finish.LENGTH if truncated else Finish.STOP
    choice = match_choice(text, choices) if choices else None
    if choice is not None:
        text, finish = choice, Finish.STOP
    elif not text:
        finish = Finish.EMPTY
    elif (cut := cut_loop(text)) is not None:
        text, finish = cut, Finish.LOOP
    return ModelReply(
        text=text,
        finish=finish,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        milliseconds=milliseconds,
        choice_logprobs=choice_logprobs or {},
    )

"""LoCoMo conversations: two named people, dated sessions, photos by their captions.

Sessions are those that have turns (dates without a session occur), in the order of their number
(the keys are not). Times name no zone: they are read in the origin's, UTC unless one is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memflow.ingest.readers.files import Source
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.messages import Frame
from memflow.ingest.readers.rows import Broken, Origin, Rows, kind_of, label, read_time
from memflow.types import NewTurn, Rejected, SessionKind

_SESSION = re.compile(r"session_([0-9]{1,9})")


def read_locomo(source: Source, origin: Origin) -> Rows:
    """All samples of a file, sessions named `<sample id>/session_<n>`."""
    for number, sample in enumerate(elements(source.name, source.blocks()), start=1):
        name = sample_name(sample, number)
        yield from sample_rows(sample, f"{source.name}, sample {name}", origin, name)


def sample_name(sample: object, number: int) -> str:
    """The sample's id, or its number in the file."""
    own = label(sample.get("sample_id")) if isinstance(sample, Mapping) else None
    return own or f"sample-{number}"


def sample_rows(sample: object, where: str, origin: Origin, name: str) -> Rows:
    """The turns of one sample; their ids are `<name>/<dia_id>`."""
    conversation = sample.get("conversation") if isinstance(sample, Mapping) else None
    if not isinstance(conversation, Mapping):
        yield Broken(where, f"'conversation' is {kind_of(conversation)}, expected an object")
        return
    numbers = sorted(
        int(match[1]) for key in conversation if (match := _SESSION.fullmatch(str(key)))
    )
    if not numbers:
        yield Rejected(where, "a conversation without sessions")
    for number in numbers:
        key = f"session_{number}"
        turns = conversation.get(key)
        at = f"{where}, {key}"
        if not isinstance(turns, list):
            yield Broken(at, f"the turns are {kind_of(turns)}, expected a list")
            continue
        time, note = read_time(conversation.get(f"{key}_date_time"), at, origin.zone)
        prefix = f"{origin.prefix}{name}"
        frame = Frame(f"{prefix}/{key}", origin.source, time, ids=f"{prefix}/")
        for position, turn in enumerate(turns, start=1):
            yield _turn(turn, f"{at}, turn {position}", frame)
        if note is not None:
            yield note


def _turn(turn: object, where: str, frame: Frame) -> NewTurn | Rejected:
    if not isinstance(turn, Mapping):
        return Broken(where, f"expected a turn object, got {kind_of(turn)}")
    speaker = label(turn.get("speaker"))
    if speaker is None:
        return Broken(where, "no 'speaker': who said it?")
    text, caption = turn.get("text"), turn.get("blip_caption")
    if text is None and not caption:
        return Broken(where, "no 'text'")
    if not isinstance(text, str | None):
        return Broken(where, f"'text' is {kind_of(text)}, expected a text")
    # Some questions can be answered from the caption only.
    shared = f"[shares a photo: {caption.strip()}]" if isinstance(caption, str) and caption else ""
    whole = " ".join(part for part in (text, shared) if part)
    if not whole.strip():
        return Rejected(where, "no words in it")
    own = label(turn.get("dia_id"))
    return NewTurn(
        text=whole,
        session=frame.session,
        speaker=speaker,
        time=frame.time,
        id=f"{frame.ids}{own}" if own else None,
        source=frame.source,
        kind=SessionKind.PEER,
    )

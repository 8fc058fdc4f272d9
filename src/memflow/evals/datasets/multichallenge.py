"""MultiChallenge: the next reply in a conversation, judged by a question about that reply alone.

What was said before the last user turn is the haystack, the last user turn the question; there is
no gold answer. A judge's yes to `criterion` always means passed: where the file's PASS_CRITERIA is
NO, the criterion says so. The set's headline is the mean of its four axes, not of its questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError
from memflow.evals.cases import Case, Dataset, Haystack, Ledger, joined
from memflow.evals.datasets import official
from memflow.evals.datasets.records import (
    admit,
    list_of,
    object_of,
    records,
    sound,
    text_of,
    words_of,
)
from memflow.ingest.readers.messages import Frame, message_rows
from memflow.types import NewTurn

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

AXES = (
    "INFERENCE_MEMORY",
    "INSTRUCTION_RETENTION",
    "SELF_COHERENCE",
    "RELIABLE_VERSION_EDITING",
)
_QUESTIONS = 273
_NAME = "multichallenge"


def load_multichallenge(paths: Paths) -> Dataset:
    """Raises InputError when a file is not MultiChallenge or a record cannot be judged."""
    return joined([_file(path) for path in paths])


def _file(path: str | PathLike[str]) -> Dataset:
    ledger = Ledger()
    haystacks: list[Haystack] = []
    cases: list[Case] = []
    for number, raw in enumerate(records(path, "CONVERSATION", "MultiChallenge"), start=1):
        haystack, case = _record(raw, f"{path}, record {number}", ledger)
        haystacks.append(haystack)
        cases.append(case)
    if len(cases) < _QUESTIONS:
        ledger.add(f"a part of the set: {len(cases)} of {_QUESTIONS} questions", str(path))
    official.remark(path, _NAME, ledger)
    whole = Dataset(_NAME, tuple(haystacks), tuple(cases), ledger.remarks(), _NAME)
    return sound(whole, str(path))


def _record(raw: Mapping[str, Any], where: str, ledger: Ledger) -> tuple[Haystack, Case]:
    id = words_of(raw, "QUESTION_ID", where)
    axis = text_of(raw, "AXIS", where)
    if axis not in AXES:
        raise InputError(where, f"unknown axis '{axis}'")
    messages = [
        object_of(each, f"{where}, message {position}")
        for position, each in enumerate(list_of(raw, "CONVERSATION", where), start=1)
    ]
    if not messages or messages[-1].get("role") != "user":
        raise InputError(where, "the conversation does not end with a user's turn")
    turns = _turns(messages[:-1], id, where, ledger)
    if not turns:
        ledger.add("nothing was said before the question", id)
    case = Case(
        id=id,
        group=id,
        question=words_of(messages[-1], "content", f"{where}, message {len(messages)}"),
        gold=None,
        category=axis,
        criterion=_criterion(raw, where, ledger),
    )
    return Haystack(id, turns), case


def _turns(
    messages: list[Mapping[str, Any]], id: str, where: str, ledger: Ledger
) -> tuple[NewTurn, ...]:
    frame = Frame(f"{id}/conversation", _NAME)
    found: list[NewTurn] = []
    for position, message in enumerate(messages, start=1):
        for row in message_rows(message, f"{where}, message {position}", frame):
            if (turn := admit(row, ledger)) is not None:
                found.append(replace(turn, id=f"{frame.session}:{position}"))
    return tuple(found)


def _criterion(raw: Mapping[str, Any], where: str, ledger: Ledger) -> str:
    question = " ".join(words_of(raw, "TARGET_QUESTION", where).split())
    match text_of(raw, "PASS_CRITERIA", where).strip().upper():
        case "YES":
            return question
        case "NO":
            ledger.add("passed where the answer to the criterion is no", where)
            return f"The answer to this question about the reply is no: {question}"
        case other:
            raise InputError(where, f"'PASS_CRITERIA' is '{other}', expected YES or NO")

"""LoCoMo: questions about the long correspondence of two people; one haystack a sample.

Categories are numbered in the file; 5 (adversarial) asks for what was never said, and mostly has
no `answer`, only the wrong one it tempts to. Evidence is written in several ways, not all of
which name a turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
from memflow.ingest.readers.locomo import sample_name, sample_rows
from memflow.ingest.readers.rows import Origin
from memflow.types import NewTurn

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

CATEGORIES: Mapping[int, str] = {
    1: "1 multi-hop",
    2: "2 temporal",
    3: "3 open-domain",
    4: "4 single-hop",
    5: "5 adversarial",
}
ADVERSARIAL = 5

_SAMPLES = 10


def load_locomo(paths: Paths) -> Dataset:
    """Raises InputError when a file is not LoCoMo or a question lacks its text or answer."""
    return joined([_file(path) for path in paths])


def _file(path: str | PathLike[str]) -> Dataset:
    ledger = Ledger()
    haystacks: list[Haystack] = []
    cases: list[Case] = []
    for number, sample in enumerate(records(path, "conversation", "LoCoMo"), start=1):
        name = sample_name(sample, number)
        where = f"{path}, sample {name}"
        origin = Origin("locomo", "locomo", "locomo")
        rows = sample_rows(sample, where, origin, name)
        turns = tuple(turn for row in rows if (turn := admit(row, ledger)) is not None)
        if not turns:
            raise InputError(where, "no turns in it")
        _dangling(sample["conversation"], where, ledger)
        haystacks.append(Haystack(name, turns))
        cases += _cases(sample, name, turns, where, ledger)
    if len(haystacks) < _SAMPLES:
        ledger.add(f"a part of the set: {len(haystacks)} of {_SAMPLES} samples", str(path))
    official.remark(path, "locomo", ledger)
    whole = Dataset("locomo", tuple(haystacks), tuple(cases), ledger.remarks(), "locomo")
    return sound(whole, str(path))


def _dangling(conversation: Mapping[str, Any], where: str, ledger: Ledger) -> None:
    """Dates of sessions that are not there: they would be sessions without words."""
    for key in conversation:
        session = key.removesuffix("_date_time")
        if key != session and session not in conversation:
            ledger.add("dates without a session, ignored", f"{where}, {key}")


def _cases(
    sample: Mapping[str, Any], name: str, turns: tuple[NewTurn, ...], where: str, ledger: Ledger
) -> list[Case]:
    questions = list_of(sample, "qa", where)
    known = {turn.id for turn in turns if turn.id}
    now = max((turn.time for turn in turns if turn.time), default=None)
    found: list[Case] = []
    for index, raw in enumerate(questions):
        at = f"{where}, question {index}"
        item = object_of(raw, at)
        category = item.get("category")
        if not isinstance(category, int) or category not in CATEGORIES:
            raise InputError(at, f"unknown category {category!r}")
        adversarial = category == ADVERSARIAL
        answer, tempting = item.get("answer"), item.get("adversarial_answer")
        if adversarial and answer is None:
            ledger.add("adversarial questions without an answer, as upstream", at)
        elif not isinstance(answer, str):
            ledger.add("answers that are numbers, written out", at)
        found.append(
            Case(
                id=f"{name}:qa{index}",
                group=name,
                question=words_of(item, "question", at),
                gold=None if adversarial and answer is None else text_of(item, "answer", at),
                category=CATEGORIES[category],
                gold_turns=_gold(item.get("evidence"), name, known, f"{name}:qa{index}", ledger),
                now=now,
                answerable=not adversarial,
                tempting=None if tempting is None else str(tempting),
            )
        )
    return found


def _gold(
    evidence: object, name: str, known: set[str], where: str, ledger: Ledger
) -> tuple[str, ...]:
    """The turns' ids, each once; what names no turn is dropped and counted."""
    found: dict[str, None] = {}
    for text in evidence if isinstance(evidence, list) else ():
        for written in re.split(r"[;,\s]+", str(text).strip()):
            if not written:
                continue
            id = f"{name}/{_without_zeros(written)}"
            if id in known:
                found[id] = None
            else:
                ledger.add("evidence that names no turn, dropped", f"{where} {written}")
    if not found:
        ledger.add("questions without gold turns", where)
    return tuple(found)


def _without_zeros(dia_id: str) -> str:
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", dia_id)

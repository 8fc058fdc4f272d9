"""LoCoMo: questions about the long correspondence of two people; one haystack a sample.

Categories are numbered in the file; 5 (adversarial) asks for what was never said, and mostly has
no `answer`, only the wrong one it tempts to. Evidence is written in several ways, not all of
which name a turn.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError
from memflow.evals.cases import Case, Dataset, Haystack, Ledger, joined
from memflow.evals.datasets.records import admit, records, text_of
from memflow.ingest.readers.locomo import sample_name, sample_rows
from memflow.ingest.readers.rows import Origin, kind_of
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

# The official file of ten samples; edited copies with other questions are about.
_OFFICIAL = ("79fa87e9", "ff4", 2_805_274)
_OFFICIAL_SAMPLES = 10


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
        haystacks.append(Haystack(name, turns))
        cases += _cases(sample, name, turns, where, ledger)
    if len(haystacks) >= _OFFICIAL_SAMPLES and not _is_official(Path(path)):
        ledger.add("not the official locomo10.json", str(path))
    return Dataset("locomo", tuple(haystacks), tuple(cases), ledger.remarks(), "locomo")


def _cases(
    sample: Mapping[str, Any], name: str, turns: tuple[NewTurn, ...], where: str, ledger: Ledger
) -> list[Case]:
    questions = sample.get("qa")
    if not isinstance(questions, list):
        raise InputError(where, f"'qa' is {kind_of(questions)}, expected a list")
    known = {turn.id for turn in turns if turn.id}
    now = max((turn.time for turn in turns if turn.time), default=None)
    found: list[Case] = []
    for index, item in enumerate(questions):
        at = f"{where}, question {index}"
        if not isinstance(item, Mapping):
            raise InputError(at, f"expected an object, got {kind_of(item)}")
        category = item.get("category")
        if not isinstance(category, int) or category not in CATEGORIES:
            raise InputError(at, f"unknown category {category!r}")
        adversarial = category == ADVERSARIAL
        tempting = item.get("adversarial_answer")
        found.append(
            Case(
                id=f"{name}:qa{index}",
                group=name,
                question=text_of(item, "question", at),
                gold=None
                if adversarial and item.get("answer") is None
                else text_of(item, "answer", at),
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


def _is_official(path: Path) -> bool:
    head, tail, size = _OFFICIAL
    if path.stat().st_size != size:
        return False
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return digest.startswith(head) and digest.endswith(tail)

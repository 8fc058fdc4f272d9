"""LongMemEval: each record is a question with a haystack of its own.

The dates of one question differ between the files of the set, so files are never joined on them.
Marks (`has_answer`) are incomplete: where an evidence session has no marked turn, the case has no
gold turns, since recall over the rest would flatter. Nor have the abstention cases (`_abs`), as
upstream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError
from memflow.evals.cases import Case, Dataset, Haystack, Ledger, joined
from memflow.evals.datasets import official
from memflow.evals.datasets.records import admit, records, sound, text_of, words_of
from memflow.ingest.readers.longmemeval import HaystackSession, haystack_of, session_rows
from memflow.ingest.readers.rows import Broken, read_time
from memflow.types import NewTurn

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

_ABSTENTION = "_abs"
_UNMARKED = "an evidence session has no marked turn: question without gold turns"
_MISSING = "an evidence session is not in the file: question without gold turns"
_QUESTIONS = 500
_TYPES = (
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "temporal-reasoning",
    "knowledge-update",
    "multi-session",
)
_RUBRIC = "single-session-preference"

# Sessions a record has on average, by which a file is called S or M: official are 48 and 500.
_S_SESSIONS, _M_SESSIONS = 30, 200


@dataclass(frozen=True, slots=True)
class Record:
    """One question and its sessions, by date. `number` names them, neutrally; `evidence` holds
    the hidden ids of evidence sessions in the file, `missing` counts those that are not."""

    number: int
    case: Case
    sessions: tuple[HaystackSession, ...]
    evidence: frozenset[str] = frozenset()
    missing: int = 0


def load_longmemeval(paths: Paths) -> Dataset:
    """Raises InputError when a file is not LongMemEval or a record lacks what scoring needs."""
    return joined([_file(path) for path in paths])


def _file(path: str | PathLike[str]) -> Dataset:
    ledger = Ledger()
    loaded, name = read_records(path, ledger)
    return assemble(name, loaded, ledger)


def read_records(path: str | PathLike[str], ledger: Ledger) -> tuple[list[Record], str]:
    """The records of a file, and the name of the part of the set that it is."""
    loaded: list[Record] = []
    marks: set[str] = set()
    for number, raw in enumerate(records(path, "haystack_sessions", "LongMemEval"), start=1):
        loaded.append(_record(raw, number, f"{path}, record {number}", ledger))
        marks |= {key for key in raw if key.startswith("_")}
        if raw.get("_question_date_inferred"):
            ledger.add("question date inferred, not official", loaded[-1].case.id)
    if len(loaded) < _QUESTIONS:
        ledger.add(f"a part of the set: {len(loaded)} of {_QUESTIONS} questions", str(path))
    official.remark(path, "longmemeval", ledger)
    return loaded, _name(loaded, marks)


def assemble(name: str, loaded: Sequence[Record], ledger: Ledger) -> Dataset:
    """Haystacks, and cases with the ids that their gold turns have in them."""
    haystacks: list[Haystack] = []
    cases: list[Case] = []
    for record in loaded:
        case = record.case
        turns, gold = _turns(record, ledger)
        haystacks.append(Haystack(case.group, turns))
        if not turns:
            ledger.add("haystacks without any session", case.id)
        if case.answerable and _all_marked(record, ledger):
            case = replace(case, gold_turns=gold)
        cases.append(case)
    whole = Dataset(name, tuple(haystacks), tuple(cases), ledger.remarks(), "longmemeval")
    return sound(whole, name)


def _record(raw: Mapping[str, Any], number: int, where: str, ledger: Ledger) -> Record:
    found = haystack_of(raw, where)
    if isinstance(found, Broken):
        raise InputError(found.where, found.reason)
    sessions, notes = found
    now, note = read_time(raw.get("question_date"), where)
    for each in (*notes, *([note] if note else [])):
        raise InputError(each.where, each.text)
    id = words_of(raw, "question_id", where)
    named = raw.get("answer_session_ids")
    evidence = frozenset(map(str, named if isinstance(named, list) else ()))
    here = frozenset(session.hidden_id for session in sessions if session.hidden_id)
    missing = raw.get("_evidence_sessions_missing")
    case = Case(
        id=id,
        group=id,
        question=words_of(raw, "question", where),
        gold=text_of(raw, "answer", where),
        category=_type(raw, where),
        now=now,
        answerable=not id.endswith(_ABSTENTION),
    )
    _odd(raw, case, sessions, ledger)
    return Record(
        number,
        case,
        tuple(sessions),
        evidence & here,
        len(evidence - here) + (missing if isinstance(missing, int) else 0),
    )


def _type(raw: Mapping[str, Any], where: str) -> str:
    found = text_of(raw, "question_type", where)
    if found not in _TYPES:
        raise InputError(where, f"unknown question type '{found}'")
    return found


def _odd(
    raw: Mapping[str, Any], case: Case, sessions: Sequence[HaystackSession], ledger: Ledger
) -> None:
    """What is as the authors meant it and still surprises whoever compares figures."""
    given = raw.get("haystack_session_ids")
    ids = [session.hidden_id for session in sessions]
    if isinstance(given, list) and [str(each) for each in given] != ids:
        ledger.add("sessions out of the order of their dates, sorted", case.id)
    if len(set(ids)) < len(ids):
        ledger.add("a session stands twice in its haystack, kept", case.id)
    if not isinstance(raw.get("answer"), str):
        ledger.add("answers that are numbers, written out", case.id)
    if not case.answerable:
        ledger.add("abstention questions, counted inside their types", case.id)
    elif case.category == _RUBRIC:
        ledger.add("the gold is a rubric, not an answer", case.id)
    times = [session.time for session in sessions if session.time]
    if case.now is not None and times and times[-1] > case.now:
        same = times[-1].date() == case.now.date()
        when = "later on the day of the question" if same else "after the day of the question"
        ledger.add(f"a session {when}, kept", case.id)


def _turns(record: Record, ledger: Ledger) -> tuple[tuple[NewTurn, ...], tuple[str, ...]]:
    """All turns of the haystack, and the ids of the marked ones."""
    turns: list[NewTurn] = []
    gold: list[str] = []
    for index, session in enumerate(record.sessions, start=1):
        where = f"{record.case.id}, session {index}"
        name = f"h{record.number}/session_{index}"
        rows = session_rows(session, where, name, "longmemeval")
        for raw, found in zip(session.turns, rows, strict=True):
            for turn in (turn for row in found if (turn := admit(row, ledger)) is not None):
                turns.append(turn)
                if raw.get("has_answer") is True and turn.id:
                    gold.append(turn.id)
    return tuple(turns), tuple(gold)


def _all_marked(record: Record, ledger: Ledger) -> bool:
    marked = {session.hidden_id for session in record.sessions if _is_marked(session)}
    if record.missing:
        ledger.add(_MISSING, record.case.id)
    elif record.evidence - marked:
        ledger.add(_UNMARKED, record.case.id)
    return not record.missing and record.evidence <= marked


def _is_marked(session: HaystackSession) -> bool:
    return any(isinstance(raw, Mapping) and raw.get("has_answer") is True for raw in session.turns)


def _name(loaded: Sequence[Record], marks: set[str]) -> str:
    """By what the file holds: file names are changed easily."""
    if "_evidence_sessions_missing" in marks:
        return "longmemeval-oracle-marked-turns"
    if "_question_date_inferred" in marks:
        return "longmemeval-s-capped"
    mean = sum(len(record.sessions) for record in loaded) / len(loaded)
    if mean >= _M_SESSIONS:
        return "longmemeval-m"
    return "longmemeval-s" if mean >= _S_SESSIONS else "longmemeval-oracle"

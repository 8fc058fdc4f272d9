"""RealMem: what a user asks their assistant in the middle of long projects, with its reference.

A query is a User turn of a session; its reference is the Assistant's turn after it. So that no
system can read on, each query has a haystack of its own: all sessions before its own, by date,
and its own session's turns up to the query. That is as many haystacks as there are queries, all
made of the same turns, and asking all of a person's takes as many ingestions: --limit. One
haystack for the queries of a session would either hide the turns between them, which they refer
to ("option 1 is what I want"), or show the references of the earlier ones. Upstream's own pipeline
hides them: it retrieves from earlier sessions only.

Gold turns are those that the memories used by the reference were extracted from, where the file
tells all of them. Session names tell projects and fillers, and are replaced by numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError
from memflow.evals.cases import Case, Dataset, Haystack, Ledger
from memflow.evals.datasets import official
from memflow.evals.datasets.records import (
    admit,
    in_folder,
    list_of,
    object_of,
    records,
    sound,
    text_of,
    words_of,
)
from memflow.ingest.readers.messages import Frame, message_rows
from memflow.ingest.readers.rows import read_time, shown
from memflow.types import NewTurn

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

PEOPLE = 10
_NAME = "realmem"
_FILES = "*_dialogues_256k.json"
_ROLES = {"User": "user", "Assistant": "assistant"}


@dataclass(frozen=True, slots=True)
class _Session:
    """One dialogue; `own` is its uuid, to which memories refer, `name` what the system sees."""

    name: str
    own: str
    time: datetime
    turns: tuple[Mapping[str, Any], ...]
    memories: tuple[Mapping[str, Any], ...]
    where: str

    def turn_id(self, position: int) -> str:
        return f"{self.name}:{position}"


def load_realmem(paths: Paths) -> Dataset:
    """One file for each person, or a folder of them. Raises InputError when a file is not RealMem
    or a query has no reference."""
    ledger = Ledger()
    haystacks: list[Haystack] = []
    cases: list[Case] = []
    files = [
        file
        for path in paths
        for file in (in_folder(path, _FILES, "RealMem") if Path(path).is_dir() else [path])
    ]
    for file in files:
        for raw in records(file, "dialogues", "RealMem"):
            sessions = _sessions(raw, file, ledger)
            found = _queries(sessions, _person(raw, file), ledger)
            haystacks += [haystack for haystack, _ in found]
            cases += [case for _, case in found]
        official.remark(file, _NAME, ledger)
    if len(files) < PEOPLE:
        ledger.add(f"a part of the set: {len(files)} of {PEOPLE} people", str(paths[0]))
    whole = Dataset(_NAME, tuple(haystacks), tuple(cases), ledger.remarks(), _NAME)
    return sound(whole, _NAME)


def _person(raw: Mapping[str, Any], file: str | PathLike[str]) -> str:
    about = raw.get("_metadata")
    named = about.get("person_name") if isinstance(about, Mapping) else None
    return named if isinstance(named, str) and named.strip() else Path(file).stem


def _sessions(
    raw: Mapping[str, Any], file: str | PathLike[str], ledger: Ledger
) -> tuple[_Session, ...]:
    """By date; those of one day as in the file, where a few stand out of order."""
    person = _person(raw, file)
    found: list[_Session] = []
    for number, each in enumerate(list_of(raw, "dialogues", str(file)), start=1):
        session = _session(each, f"{file}, session {number}")
        if found and session.time < found[-1].time:
            ledger.add("a session dated before the one above it, sorted", session.where)
        if any(session.own == other.own for other in found):
            raise InputError(session.where, f"session '{session.own}' stands twice")
        found.append(session)
    ordered = sorted(found, key=lambda session: session.time)
    return tuple(
        replace(session, name=f"{person}/session_{number}")
        for number, session in enumerate(ordered, start=1)
    )


def _session(value: object, where: str) -> _Session:
    """Not yet named: its number is known when all are sorted."""
    raw = object_of(value, where)
    time, note = read_time(text_of(raw, "current_time", where), where)
    if time is None:
        raise InputError(where, note.text if note else "'current_time' is no time")
    turns = [
        object_of(turn, f"{where}, turn {position}")
        for position, turn in enumerate(list_of(raw, "dialogue_turns", where), start=1)
    ]
    extracted = raw.get("extracted_memory")
    found = extracted if isinstance(extracted, list) else ()
    memories = [each for each in found if isinstance(each, Mapping)]
    own = words_of(raw, "session_uuid", where)
    return _Session("", own, time, tuple(turns), tuple(memories), where)


def _queries(
    sessions: tuple[_Session, ...], person: str, ledger: Ledger
) -> list[tuple[Haystack, Case]]:
    """Each query with what had been said before it."""
    sources = _sources(sessions)
    said: list[NewTurn] = []
    known: set[str] = set()
    found: list[tuple[Haystack, Case]] = []
    for session in sessions:
        for position, turn in enumerate(session.turns, start=1):
            where = f"{session.where}, turn {position}"
            if _is_query(turn, where, ledger):
                reference = _reference(session, position, where)
                id = f"{person}/{words_of(turn, 'query_id', where)}"
                case = Case(
                    id=id,
                    group=id,
                    question=words_of(turn, "content", where),
                    gold=words_of(reference, "content", f"{session.where}, turn {position + 1}"),
                    category=text_of(turn, "category_name", where),
                    gold_turns=_gold(reference, sources, known, id, ledger),
                    now=session.time,
                )
                if not said:
                    ledger.add("nothing was said before the question", id)
                found.append((Haystack(id, tuple(said)), case))
            admitted = _admitted(turn, session, position, where, ledger)
            if admitted is not None:
                said.append(admitted)
                known.add(session.turn_id(position))
    return found


def _is_query(turn: Mapping[str, Any], where: str, ledger: Ledger) -> bool:
    if "is_query" not in turn:
        ledger.add("turns without 'is_query', taken for no query", where)
    if turn.get("is_query") is not True:
        return False
    if turn.get("speaker") != "User":
        raise InputError(where, "a query that is not the user's")
    return True


def _reference(session: _Session, position: int, where: str) -> Mapping[str, Any]:
    """The turn after the query, which has another `query_id` or none."""
    after = session.turns[position : position + 1]
    if not after or after[0].get("speaker") != "Assistant":
        raise InputError(where, "a query without a reference: the assistant's turn must follow it")
    return after[0]


def _admitted(
    turn: Mapping[str, Any], session: _Session, position: int, where: str, ledger: Ledger
) -> NewTurn | None:
    speaker = turn.get("speaker")
    role = _ROLES.get(speaker) if isinstance(speaker, str) else None
    if role is None:
        raise InputError(where, f"unknown speaker {shown(speaker)}; known are {', '.join(_ROLES)}")
    message = {"role": role, "content": turn.get("content")}
    frame = Frame(session.name, _NAME, session.time)
    for row in message_rows(message, where, frame):
        if (found := admit(row, ledger)) is not None:
            return replace(found, id=session.turn_id(position))
    return None


# --------------------------------------------------------------------------- gold turns


def _sources(sessions: tuple[_Session, ...]) -> Mapping[tuple[str, str], str]:
    """For each memory, by session and content, the id of the turn it was extracted from.

    Turns are found by their words: the file's own turn numbers count now from 0, now from 1.
    """
    found: dict[tuple[str, str], str] = {}
    for session in sessions:
        ids: dict[str, str] = {}
        for position, turn in enumerate(session.turns, start=1):
            ids.setdefault(str(turn.get("content")).strip(), session.turn_id(position))
        for memory in session.memories:
            snapshot = memory.get("source_content_snapshot")
            if isinstance(snapshot, str) and (id := ids.get(snapshot.strip())):
                found.setdefault((session.own, _written(memory.get("content"))), id)
    return found


def _gold(
    reference: Mapping[str, Any],
    sources: Mapping[tuple[str, str], str],
    known: set[str],
    where: str,
    ledger: Ledger,
) -> tuple[str, ...]:
    """All or none: recall over the turns that happen to be found would flatter."""
    used = reference.get("memory_used")
    found: dict[str, None] = {}
    for memory in used if isinstance(used, list) else ():
        own, content = (
            (memory.get("session_uuid"), memory.get("content"))
            if isinstance(memory, Mapping)
            else (None, None)
        )
        id = sources.get((str(own), _written(content)))
        if id is None:
            ledger.add("a memory's turn is not told: question without gold turns", where)
            return ()
        if id not in known:
            ledger.add("a memory of the query itself: question without gold turns", where)
            return ()
        found[id] = None
    if not found:
        ledger.add("no memory used: question without gold turns", where)
    return tuple(found)


def _written(content: object) -> str:
    # A few are objects rather than texts.
    return json.dumps(content, sort_keys=True, ensure_ascii=False)

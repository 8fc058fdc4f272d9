"""LongBench: a question about one long text, which is the haystack, remembered as a document.

Texts are cut into turns as the reader of documents does; numbered passages are sessions of their
own. Any of an item's answers counts: the first is the gold, the others `alternatives`. Upstream
cuts texts that are too long in the middle and counts nothing but F1 or ROUGE-L; `length` agrees
with no count of words and is not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memflow.errors import InputError
from memflow.evals.cases import Case, Dataset, Haystack, Ledger
from memflow.evals.datasets import official
from memflow.evals.datasets.longbench_tasks import TASKS, Task
from memflow.evals.datasets.records import in_folder, list_of, records, sound, text_of, words_of
from memflow.ingest.readers.documents import parts
from memflow.ingest.readers.files import split_lines
from memflow.types import NewTurn, SessionKind

if TYPE_CHECKING:
    from memflow.evals.datasets import Paths

_NAME = "longbench"
_EXTENDED = "_e"  # after the task in the file names of LongBench-E, which has other items
_UNANSWERABLE = "unanswerable"
_OFFICIAL_ID = re.compile(r"[0-9a-f]{48}")
_PASSAGE = re.compile(r"^Passage ([0-9]+):\n", re.MULTILINE)
# News articles were tokenised, their line breaks too.
_NEW_LINE = re.compile(r" ?NEWLINE_CHAR ?")
_SOUND = re.compile(r"\{(?:vocalsound|disfmarker)\}")
_LINE = 16 * 1024  # characters of a line taken at once


def load_longbench(paths: Paths) -> Dataset:
    """Files of tasks, or a folder with them. Raises InputError for another task or language, and
    for items without text or answer."""
    ledger = Ledger()
    haystacks: list[Haystack] = []
    cases: list[Case] = []
    names: dict[str, None] = {}
    asked: set[tuple[str, str, str]] = set()
    for file in _files(paths, ledger):
        extended = Path(file).stem.endswith(_EXTENDED)
        for number, raw in enumerate(records(file, "context", "LongBench"), start=1):
            where = f"{file}, item {number}"
            haystack, case = _item(raw, where, ledger)
            haystacks.append(haystack)
            cases.append(case)
            names[_name(raw, extended=extended)] = None
            key = (case.category, case.question, text_of(raw, "context", where))
            if key in asked:
                ledger.add("an item stands twice, under other ids", case.id)
            asked.add(key)
        official.remark(file, _NAME, ledger)
    _completeness(cases, ledger)
    whole = Dataset(" + ".join(names), tuple(haystacks), tuple(cases), ledger.remarks(), _NAME)
    return sound(whole, _NAME)


def _files(paths: Paths, ledger: Ledger) -> Iterator[str | PathLike[str]]:
    """Of a folder the nine tasks, in their order; other files there are said to be left out."""
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        here = {each.stem: each for each in in_folder(path, "*.jsonl", "LongBench")}
        if not here.keys() & TASKS.keys():
            raise InputError(
                str(path),
                "no file of a LongBench task in this folder",
                mend=f"expected {', '.join(f'{task}.jsonl' for task in TASKS)}",
            )
        yield from (here[task] for task in TASKS if task in here)
        for stem in sorted(here.keys() - TASKS.keys()):
            ledger.add("a file of no English task of questions or summaries, left out", stem)


def _item(raw: Mapping[str, Any], where: str, ledger: Ledger) -> tuple[Haystack, Case]:
    name = text_of(raw, "dataset", where)
    task = TASKS.get(name)
    if task is None:
        raise InputError(where, f"task '{name}'", mend=f"loaded are {', '.join(TASKS)}")
    if (language := raw.get("language", "en")) != "en":
        raise InputError(where, f"language '{language}'", mend="English items are loaded")
    id = words_of(raw, "_id", where)
    if not _OFFICIAL_ID.fullmatch(id):
        ledger.add("items under an id that is not LongBench's own", id)
    answers = _answers(raw, where)
    turns = tuple(_turns(_text(raw, id, where, ledger), id, task))
    case = Case(
        id=id,
        group=id,
        question=_question(raw, task, where),
        gold=answers[0],
        category=name,
        answerable=_is_answerable(answers, name, id, ledger),
        alternatives=answers[1:],
    )
    return Haystack(id, turns), case


def _answers(raw: Mapping[str, Any], where: str) -> tuple[str, ...]:
    found = list_of(raw, "answers", where)
    if not found or not all(isinstance(each, str) and each.strip() for each in found):
        raise InputError(where, "'answers' is not a list of at least one text")
    return tuple(found)


def _question(raw: Mapping[str, Any], task: Task, where: str) -> str:
    asked = text_of(raw, "input", where)
    if not asked.strip() and not task.question:
        raise InputError(where, "'input' is blank: the task needs a question")
    return asked if asked.strip() else task.question


def _is_answerable(answers: tuple[str, ...], task: str, id: str, ledger: Ledger) -> bool:
    """False where all annotators say so; where only some do, either answer is right."""
    if task != "qasper":
        return True
    declined = [each.strip(" .").casefold() == _UNANSWERABLE for each in answers]
    if any(declined):
        some = "all" if all(declined) else "some"
        ledger.add(f"unanswerable, as {some} annotators say", id)
    return not all(declined)


# --------------------------------------------------------------------------- the text


def _text(raw: Mapping[str, Any], id: str, where: str, ledger: Ledger) -> str:
    text = words_of(raw, "context", where)
    mended = _NEW_LINE.sub("\n", text)
    if mended != text:
        ledger.add("texts with NEWLINE_CHAR for a line break, mended", id)
    if _SOUND.search(mended):
        ledger.add("texts with marks for sounds ({vocalsound}), kept", id)
    return mended


def _turns(text: str, id: str, task: Task) -> Iterator[NewTurn]:
    for name, speaker, passage in _passages(text, task):
        session = f"{id}/{name}"
        for position, part in enumerate(_parts(passage), start=1):
            yield NewTurn(
                text=part,
                session=session,
                role="document",
                speaker=speaker,
                id=f"{session}:{position}",
                source=_NAME,
                kind=SessionKind.DOCUMENT,
            )


def _parts(text: str) -> Iterator[str]:
    return parts(split_lines(iter([text]), _LINE), markdown=False)


def _passages(text: str, task: Task) -> Iterator[tuple[str, str, str]]:
    """Session, speaker and text of each passage; of the whole where none are numbered."""
    starts: list[re.Match[str]] = []
    for match in _PASSAGE.finditer(text):
        # A number out of turn belongs to the text.
        if int(match[1]) == len(starts) + 1:
            starts.append(match)
    if not starts or starts[0].start():
        yield "document", task.text, text
        return
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for number, (match, end) in enumerate(zip(starts, ends, strict=True), start=1):
        passage = text[match.end() : end]
        title = passage.partition("\n")[0].strip() if task.titled else ""
        yield f"passage_{number}", title or f"{task.text} {number}", passage


# --------------------------------------------------------------------------- what was loaded


def _name(raw: Mapping[str, Any], *, extended: bool) -> str:
    if "official_index" in raw:
        return "longbench-mini"
    return "longbench-e" if extended else _NAME


def _completeness(cases: list[Case], ledger: Ledger) -> None:
    counts = Counter(case.category for case in cases)
    for task, row in TASKS.items():
        if 0 < counts[task] < row.items:
            ledger.add(f"a part of the task: {counts[task]} of {row.items} items", task)
        elif not counts[task]:
            ledger.add("tasks not loaded", task)

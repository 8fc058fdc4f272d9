"""What the loaders share: the records of a file, fields that have to be there, and what has to
hold for a set as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from memflow.errors import InputError
from memflow.evals.cases import Dataset, Ledger
from memflow.ingest.readers.files import opened
from memflow.ingest.readers.json_stream import elements
from memflow.ingest.readers.rows import Broken, Note, Row, kind_of
from memflow.types import NewTurn


def records(path: str | PathLike[str], known_by: str, what: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a JSON file that have the key `known_by`; InputError for any other."""
    name = str(path)
    count = 0
    with opened(name) as source:
        for count, value in enumerate(elements(source.name, source.blocks()), start=1):
            if not isinstance(value, Mapping) or known_by not in value:
                raise InputError(f"{name}, record {count}", f"not a {what} record: no '{known_by}'")
            yield value
    if not count:
        raise InputError(name, f"no {what} records in it")


def text_of(record: Mapping[str, Any], key: str, where: str) -> str:
    """A text that is there; numbers are written out, since gold answers are sometimes numbers."""
    value = record.get(key)
    if isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        return str(value)
    raise InputError(where, f"'{key}' is {kind_of(value)}, expected a text")


def words_of(record: Mapping[str, Any], key: str, where: str) -> str:
    """As `text_of`, and not blank: what is asked, or who asks."""
    value = text_of(record, key, where)
    if not value.strip():
        raise InputError(where, f"'{key}' is blank")
    return value


def list_of(record: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = record.get(key)
    if not isinstance(value, list):
        raise InputError(where, f"'{key}' is {kind_of(value)}, expected a list")
    return value


def object_of(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(where, f"expected an object, got {kind_of(value)}")
    return value


def admit(row: Row, ledger: Ledger) -> NewTurn | None:
    """The turn; None for what is left out. A broken row breaks the set: InputError."""
    match row:
        case NewTurn():
            return row
        case Broken(where, reason):
            raise InputError(where, reason)
        case Note(where, text):
            ledger.add(text.partition(":")[0], where)
        case _:
            ledger.add(f"turn left out: {row.reason}", row.where)
    return None


def in_folder(path: str | PathLike[str], pattern: str, what: str) -> list[Path]:
    """The files of a folder that match, by name. Raises InputError when none does."""
    found = sorted(each for each in Path(path).glob(pattern) if each.is_file())
    if not found:
        raise InputError(str(path), f"no {what} files in this folder", mend=f"expected {pattern}")
    return found


def sound(dataset: Dataset, where: str) -> Dataset:
    """The set, if its ids tell its parts apart; InputError otherwise: what stands twice would be
    counted twice."""
    _distinct("question", (case.id for case in dataset.cases), where)
    _distinct("haystack", (haystack.id for haystack in dataset.haystacks), where)
    for haystack in dataset.haystacks:
        ids = (turn.id for turn in haystack.turns if turn.id)
        _distinct("turn", ids, f"{where}, {haystack.id}")
    return dataset


def _distinct(noun: str, ids: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise InputError(where, f"{noun} '{id}' stands twice", mend="remove one of them")
        seen.add(id)

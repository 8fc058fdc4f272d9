"""What both loaders share: the records of a file, and fields that have to be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

from memflow.errors import InputError
from memflow.evals.cases import Ledger
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

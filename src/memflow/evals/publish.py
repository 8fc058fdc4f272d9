"""A run without the set's texts: what may be committed where the data may not.

Ids, predictions, verdicts and figures stay; questions, gold and the models' raw replies go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memflow.errors import UsageError
from memflow.evals.journal import write_whole
from memflow.evals.results import Folder, Line
from memflow.evals.summary import read_run, summarise

_TEXTS = ("question", "gold", "reason")
_OF_A_CALL = ("purpose", "prompt_tokens", "completion_tokens", "milliseconds", "finish")


def publish(source: Path, target: Path) -> list[Path]:
    """Write the stripped run to the folder `target`; the files written.

    Every judge's verdicts go along, and figures.json has a summary by each. Raises UsageError when
    `target` is the run's own folder, whose gold judges still need.
    """
    if source.resolve() == target.resolve():
        raise UsageError("a run is not stripped in place", mend="name another folder")
    folder, out = Folder(source), Folder(target)
    header = folder.required_header()
    verdicts = {path: folder.read_verdicts(path) for path in folder.judges()}
    judges = [rows[0].judge for rows in verdicts.values() if rows]
    runs = [read_run(source, judge) for judge in judges or ["none"]]
    out.write_header(header)
    lines = (stripped(each.line) for each in runs[0].scored)
    write_whole(out.answers, _rows(lines))
    written = [out.header, out.answers]
    for path, rows in verdicts.items():
        written.append(target / path.name)
        write_whole(written[-1], _rows(verdict.as_json() for verdict in rows))
    figures = [summarise(run) for run in runs]
    written.append(target / "figures.json")
    write_whole(written[-1], json.dumps(figures, ensure_ascii=False, indent=1) + "\n")
    return written


def stripped(line: Line) -> dict[str, Any]:
    """The line without texts of the set; its official metric stays, as a number."""
    row = {name: value for name, value in line.as_json().items() if name not in _TEXTS}
    row["calls"] = [_numbers(call) for call in line.calls]
    # An error's kind is enough; its message may quote what could not be handled.
    row["error"] = line.error.partition(":")[0] if line.error is not None else None
    return row


def _numbers(call: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: call[name] for name in _OF_A_CALL if name in call}
    return kept | ({"error": True} if "error" in call else {})


def _rows(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

"""Judging as a pass of its own over answers that are kept: another judge needs no new answers.

A judge is a model, or "overlap", which asks none: rules first, then the words that answer and gold
share. Each judge's verdicts have their own file; a verdict whose answer has changed since is
given anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from memflow.errors import UsageError
from memflow.evals import judge as judging
from memflow.evals.cases import Case
from memflow.evals.driving import Lasting, Outcome, attempt
from memflow.evals.journal import Journal
from memflow.evals.judge import Judgement, JudgeOptions
from memflow.evals.results import Folder, Key, Line, Verdict, digest
from memflow.evals.systems.base import Flow
from memflow.pipeline import drivers
from memflow.protocols import ChatModel

OVERLAP, NONE = "overlap", "none"
FAILED = "failed"
"""Who judged where there is no answer, for the system failed, which is wrong; or no verdict."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Judge:
    """`model` is None for overlap. `name` is what figures are labelled with."""

    name: str = OVERLAP
    model: ChatModel | None = None


def judge_answers(folder: Folder, judge: Judge, *, progress: Progress | None = None) -> None:
    """A verdict for every answer in the folder that has none by this judge.

    Raises UsageError for a folder without the questions' gold, ModelGone when the judge's model
    goes away.
    """
    folder.required_header()
    cases = {case.id: case for case in folder.read_cases()}
    lines = {line.key: line for line in folder.read_lines()}
    if lines and not cases:
        raise UsageError(f"{folder.path} holds no gold to judge by", mend="judge before publishing")
    with Journal(folder.verdicts(judge.name)) as journal:
        done: dict[Key, Any] = {(row["id"], row["system"]): row["answer"] for row in journal.rows}
        todo = [line for key, line in lines.items() if done.get(key) != digest(line.answer)]
        if progress and todo:
            progress(0, len(todo))
        flows = (attempt(_judged(line, cases[line.id], judge)) for line in todo)
        model = Lasting(judge.model) if judge.model else None
        width = model.info.batch if model else 1
        judged = drivers.run_lockstep(flows, model, width=width)
        for count, (index, outcome) in enumerate(judged, start=1):
            journal.append(_verdict(todo[index], judge, outcome).as_json())
            if progress:
                progress(count, len(todo))


def _judged(line: Line, case: Case, judge: Judge) -> Flow[Judgement]:
    options = JudgeOptions(model=judge.name)
    if judge.model is not None:
        return (
            yield from judging.judge(case, line.answer, abstained=line.abstained, options=options)
        )
    settled = judging.by_rule(case, line.answer, abstained=line.abstained)
    return settled or judging.by_overlap(case, line.answer, "no model judges")


def _verdict(line: Line, judge: Judge, outcome: Outcome[Judgement]) -> Verdict:
    given = outcome.value if line.error is None else None
    why = line.error or outcome.error or ""
    return Verdict(
        id=line.id,
        system=line.system,
        judge=judge.name,
        correct=given.correct if given else False,
        by=given.by.value if given else FAILED,
        score=given.score if given else None,
        detail=given.detail if given else why,
        answer=digest(line.answer),
        prompt_tokens=outcome.prompt_tokens,
        completion_tokens=outcome.completion_tokens,
    )


@cache
def agreements() -> dict[str, Any]:
    """How far each judge agrees with larger ones, as measured; empty where nothing was."""
    file = resources.files("memflow.evals") / "judge_agreement.json"
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found

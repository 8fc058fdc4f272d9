"""A small benchmark and fakes for it, for the tests of runs, reports and their command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memflow.calls import ModelCall, Purpose
from memflow.evals.cases import Case, Dataset, Haystack
from memflow.evals.results import Folder
from memflow.evals.runner import Options, run
from memflow.evals.systems import SYSTEMS, System
from memflow.evals.systems.base import Asker, Flow, Reply, ready
from memflow.protocols import ChatModel
from memflow.settings import Settings
from memflow.testing import HashEncoder, ScriptedModel
from memflow.types import Message, NewTurn, Packed, SessionKind, Usage
from memflow.wiring import Assembly
from tests.making import at

TIMINGS = ("milliseconds", "wall_ms", "revision")

_SAID = (
    ("Ann", "I adopted a dog called Rex last week."),
    ("Ben", "My new job is in Leeds, at a bakery."),
    ("Ann", "I play the cello on Mondays."),
)
_ASKED = (
    ("What is the dog called?", "Rex", "4 single-hop", ("1",)),
    ("Where does Ben work?", "Leeds", "1 multi-hop", ("2",)),
    ("What does Ann play?", "the cello", "4 single-hop", ("3",)),
    ("What is Ben's cat called?", None, "5 adversarial", ()),
)


def small_set(haystacks: int = 2) -> Dataset:
    """Four questions a haystack; those about a cat cannot be answered."""
    made = []
    cases = []
    for index in range(haystacks):
        name = f"h{index}"
        turns = tuple(
            NewTurn(
                text,
                f"{name}-s1",
                speaker=speaker,
                time=at(2023, 5, 8 + place),
                id=f"{name}/{place}",
                kind=SessionKind.PEER,
            )
            for place, (speaker, text) in enumerate(_SAID, start=1)
        )
        made.append(Haystack(name, turns))
        cases += [
            Case(
                id=f"{name}:q{place}",
                group=name,
                question=question,
                gold=gold,
                category=category,
                gold_turns=tuple(f"{name}/{each}" for each in gold_turns),
                answerable=gold is not None,
            )
            for place, (question, gold, category, gold_turns) in enumerate(_ASKED)
        ]
    return Dataset("small", tuple(made), tuple(cases), kind="locomo")


def locomo_file(folder: Path) -> Path:
    """The same talk as a file of the official format."""
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": speaker, "dia_id": f"D1:{place}", "text": text}
                for place, (speaker, text) in enumerate(_SAID, start=1)
            ],
        },
        "qa": [
            {
                "question": question,
                "evidence": [f"D1:{place}" for place in evidence],
                "category": int(category[0]),
                **({"answer": gold} if gold else {"adversarial_answer": "Tom"}),
            }
            for question, gold, category, evidence in _ASKED
        ],
    }
    path = folder / "locomo.json"
    path.write_text(json.dumps([sample]), encoding="utf-8")
    return path


def words(call: ModelCall) -> str:
    """What a model says that always does its best: right where the question is about the dog."""
    asked = call.messages[-1].content
    match call.purpose:
        case Purpose.ROUTE | Purpose.CHECK | Purpose.JUDGE if call.choices:
            return call.choices[0]
        case Purpose.CHECK:
            return "yes"
        case _:
            return "Rex" if "dog" in asked else "Leeds"


def model(batch: int = 1) -> ScriptedModel:
    return ScriptedModel(words, batch=batch)


def echo(assembly: Assembly, space: str) -> Flow[Asker]:
    """A system that shows all it has, and asks once."""
    text = "\n".join(turn.text for turn in assembly.store.turns(space))

    def ask(question: str, _: object) -> Flow[Reply]:
        call = ModelCall(Purpose.ANSWER, (Message("user", f"{text}\n{question}"),), 16)
        reply = yield call
        usage = Usage(
            model_calls=1,
            answer=reply.prompt_tokens + reply.completion_tokens,
            prompt=reply.prompt_tokens,
            completion=reply.completion_tokens,
        )
        return Reply(text=reply.text, packed=Packed(text, 30, ()), usage=usage)

    return (yield from ready(ask))


def measure(
    folder: Path,
    *,
    systems: Mapping[str, System] = SYSTEMS,
    names: tuple[str, ...] | None = None,
    with_model: ChatModel | None = None,
    settings: Settings | None = None,
    dataset: Dataset | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Run, or go on; the lines of answers without what is never the same twice."""
    run(
        dataset or small_set(),
        Options(systems=names or tuple(systems), resume=True, **options),
        settings or Settings(),
        Folder(folder),
        model=with_model or model(),
        encoder=HashEncoder(),
        systems=systems,
    )
    return answers(folder)


def answers(folder: Path) -> list[dict[str, Any]]:
    """In the order of questions and systems, without times."""
    rows = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    kept = [{name: row[name] for name in row if name not in TIMINGS} for row in rows]
    for row in kept:
        row["calls"] = [
            {name: call[name] for name in call if name != "milliseconds"} for call in row["calls"]
        ]
    return sorted(kept, key=lambda row: (row["id"], row["system"]))

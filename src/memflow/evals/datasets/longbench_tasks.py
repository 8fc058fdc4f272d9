"""LongBench's nine English tasks of questions and summaries, a row each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """`question` stands in for the empty `input` of tasks that ask the same of every text.

    `instruction` says what form of answer the references have, for whoever prompts a model;
    `max_tokens` is upstream's cap on it. `text` names what is read. `titled`: a passage's first
    line is its title. `items` is how many the official file has.
    """

    instruction: str
    max_tokens: int
    text: str
    question: str = ""
    summary: bool = False
    titled: bool = False
    items: int = 200


_PHRASE = "Answer with the name, date or phrase asked for, or with yes or no; do not explain."

TASKS: Mapping[str, Task] = {
    "narrativeqa": Task(
        instruction="Answer in a phrase or one short sentence; do not explain.",
        max_tokens=128,
        text="story",
    ),
    "qasper": Task(
        instruction=(
            "Answer in a phrase or one sentence; a question of yes or no with that word alone; "
            "'unanswerable' where the paper does not say."
        ),
        max_tokens=128,
        text="paper",
    ),
    "multifieldqa_en": Task(
        instruction="Answer in a phrase or one sentence; do not explain.",
        max_tokens=64,
        text="document",
        items=150,
    ),
    "hotpotqa": Task(instruction=_PHRASE, max_tokens=32, text="passage", titled=True),
    "2wikimqa": Task(instruction=_PHRASE, max_tokens=32, text="passage", titled=True),
    "musique": Task(instruction=_PHRASE, max_tokens=32, text="passage", titled=True),
    "gov_report": Task(
        instruction="Write running text of about 500 words, without headings.",
        max_tokens=512,
        text="report",
        question=(
            "Summarise the report: what it examined and why, what it found, and what it recommends."
        ),
        summary=True,
    ),
    "qmsum": Task(
        instruction="Answer in a paragraph of a few sentences that says who held what.",
        max_tokens=512,
        text="meeting",
        summary=True,
    ),
    "multi_news": Task(
        instruction="Write running text of about 250 words, without headings.",
        max_tokens=512,
        text="article",
        question="Summarise these news articles in one account: what happened, to whom, and when.",
        summary=True,
    ),
}

"""The operation table: one row per intent fixes everything that differs between intents.

Nothing else in the system decides retrieval mode, evidence preparation, packing, prompt or
escalation. Rows follow the paper's tables (tiers, budgets, Table 11); a value that differs from
the paper's carries its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from memflow.types import Intent


class RetrievalMode(StrEnum):
    """How candidates are found."""

    PROFILE = "profile"  # the compiled profile, then the user's own words on the topic
    ANCHORED = "anchored"  # the whole query, then one pass per entity
    EVENTS = "events"  # one pass per event of the question, merged
    HYBRID = "hybrid"  # the whole query
    DIVERSE = "diverse"  # the whole query, no session crowding out others


class Preparation(StrEnum):
    """The deterministic transformation of what was retrieved."""

    PROFILE = "profile"
    EXCERPTS = "excerpts"
    CHRONOLOGY = "chronology"
    RECENCY = "recency"
    SUMMARY = "summary"
    CONSTRAINTS = "constraints"
    CHANGES = "changes"


class Tool(StrEnum):
    """What the model may ask code to compute."""

    DAYS_BETWEEN = "days_between"
    WEEKS_BETWEEN = "weeks_between"
    MONTHS_BETWEEN = "months_between"
    COUNT_OCCURRENCES = "count_occurrences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One row. Budgets are in tokens of the answering model.

    `top_k`: chunks kept per pass; `document_top_k`: the same when the evidence is a document;
    `pool`: how many times as many the preparation chooses them from, by its own measure.
    `floor`: share of the best score below which a chunk is left out: a small reader takes weak
    hits for the answer (docs/log.md).
    `top_sentences`: sentences kept per chunk, None keeps the whole chunk. `chronological`:
    presentation order (relevance order otherwise). `prompt` and `check` name prompt files.
    `answer_tokens`: room for the reply.
    """

    intent: Intent
    mode: RetrievalMode
    top_k: int
    document_top_k: int
    pool: int
    floor: float
    preparation: Preparation
    raw_budget: int
    chunk_words: int | None
    top_sentences: int | None
    chronological: bool
    prompt: str
    check: str
    tools: tuple[Tool, ...]
    answer_tokens: int
    retry_as: Intent


_INTERVALS = (Tool.DAYS_BETWEEN, Tool.WEEKS_BETWEEN, Tool.MONTHS_BETWEEN)

_ROWS = (
    Operation(
        intent=Intent.PROFILE_INJECTION,
        mode=RetrievalMode.PROFILE,
        top_k=8,
        document_top_k=8,
        pool=1,
        floor=0.5,
        preparation=Preparation.PROFILE,
        # The paper has 0: the profile alone. A profile compiled by rules misses what was said in
        # passing, so the user's own turns on the topic may follow it (docs/decisions/0004).
        raw_budget=1_200,
        chunk_words=None,
        top_sentences=2,
        chronological=False,
        prompt="profile-injection",
        check="check-support",
        tools=(),
        answer_tokens=160,
        retry_as=Intent.TARGETED_EXTRACTION,
    ),
    Operation(
        intent=Intent.TARGETED_EXTRACTION,
        mode=RetrievalMode.ANCHORED,
        top_k=20,
        document_top_k=40,
        pool=1,
        floor=0.5,
        preparation=Preparation.EXCERPTS,
        raw_budget=6_000,
        chunk_words=300,
        top_sentences=2,
        chronological=False,
        prompt="targeted-extraction",
        check="check-fact",
        tools=(),
        answer_tokens=96,
        retry_as=Intent.CONFLICT_RESOLUTION,
    ),
    Operation(
        intent=Intent.TEMPORAL_REASONING,
        mode=RetrievalMode.EVENTS,
        top_k=20,
        document_top_k=20,
        pool=1,
        floor=0.35,
        preparation=Preparation.CHRONOLOGY,
        raw_budget=4_400,
        chunk_words=None,
        top_sentences=None,
        chronological=True,
        prompt="temporal-reasoning",
        check="check-fact",
        tools=_INTERVALS,
        answer_tokens=128,
        retry_as=Intent.TARGETED_EXTRACTION,
    ),
    Operation(
        intent=Intent.CONFLICT_RESOLUTION,
        mode=RetrievalMode.HYBRID,
        top_k=20,
        document_top_k=20,
        pool=3,
        floor=0.35,
        preparation=Preparation.RECENCY,
        raw_budget=6_000,
        chunk_words=None,
        top_sentences=None,
        chronological=True,
        prompt="conflict-resolution",
        check="check-fact",
        tools=(),
        answer_tokens=96,
        retry_as=Intent.TARGETED_EXTRACTION,
    ),
    Operation(
        intent=Intent.BROAD_SUMMARIZATION,
        mode=RetrievalMode.DIVERSE,
        top_k=80,
        document_top_k=80,
        pool=1,
        floor=0.15,
        preparation=Preparation.SUMMARY,
        raw_budget=8_000,
        chunk_words=None,
        top_sentences=None,
        chronological=True,
        prompt="broad-summarization",
        check="check-support",
        tools=(Tool.COUNT_OCCURRENCES,),
        answer_tokens=256,
        retry_as=Intent.TARGETED_EXTRACTION,
    ),
    Operation(
        intent=Intent.CONSTRAINT_VALIDATION,
        mode=RetrievalMode.HYBRID,
        top_k=20,
        document_top_k=20,
        pool=3,
        floor=0.5,
        preparation=Preparation.CONSTRAINTS,
        raw_budget=6_000,
        chunk_words=200,
        top_sentences=2,
        chronological=False,
        prompt="constraint-validation",
        check="check-support",
        tools=(),
        answer_tokens=128,
        retry_as=Intent.TARGETED_EXTRACTION,
    ),
    Operation(
        intent=Intent.STATE_TRACKING,
        mode=RetrievalMode.HYBRID,
        top_k=20,
        document_top_k=20,
        pool=3,
        floor=0.3,
        preparation=Preparation.CHANGES,
        raw_budget=6_000,
        chunk_words=150,
        top_sentences=2,
        chronological=True,
        prompt="state-tracking",
        check="check-support",
        tools=(),
        answer_tokens=192,
        retry_as=Intent.CONFLICT_RESOLUTION,
    ),
)

OPERATIONS: Mapping[Intent, Operation] = MappingProxyType({row.intent: row for row in _ROWS})

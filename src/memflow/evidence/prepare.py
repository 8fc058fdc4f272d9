"""The table of preparations: which function serves which row of the operation table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memflow.evidence.changes import changes
from memflow.evidence.chronology import chronology
from memflow.evidence.constraints import constraints
from memflow.evidence.material import Material, by_relevance, raw_item
from memflow.evidence.profile import profile
from memflow.evidence.recency import recency
from memflow.evidence.summaries import summary
from memflow.operations import Preparation
from memflow.types import Evidence


def excerpts(material: Material) -> Evidence:
    """The retrieved chunks as they are, in the order of their sessions' relevance."""
    order = by_relevance(material.hits)
    return Evidence(
        items=tuple(raw_item(hit, order, resolve=True) for hit in material.hits),
        hits=material.hits,
    )


PREPARATIONS: Mapping[Preparation, Callable[[Material], Evidence]] = {
    Preparation.PROFILE: profile,
    Preparation.EXCERPTS: excerpts,
    Preparation.CHRONOLOGY: chronology,
    Preparation.RECENCY: recency,
    Preparation.SUMMARY: summary,
    Preparation.CONSTRAINTS: constraints,
    Preparation.CHANGES: changes,
}


def prepare(material: Material) -> Evidence:
    """Evidence for the packer; no model is asked."""
    return PREPARATIONS[material.operation.preparation](material)

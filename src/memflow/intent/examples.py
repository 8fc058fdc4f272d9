"""Layer 2 of the full router: labelled examples, generalised by a small linear head.

The bank (`data/examples.jsonl`) is our own: some hundred questions an intent. A head, a
multinomial logistic regression, is trained on the bank's sentence frames, pattern clues and
sentence vectors, and shipped; `python -m memflow.intent.build_bank` trains it anew. Each head
belongs to one encoder, by fingerprint; a head without vectors serves where there is no encoder,
or another one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import BytesIO

import numpy as np
import numpy.typing as npt

from memflow.intent.features import frame_features, pattern_features
from memflow.intent.rules import matching
from memflow.intent.wording import Wording, analyse
from memflow.protocols import Encoder
from memflow.types import Intent

INTENTS = tuple(Intent)

# Scales of the three groups of features; chosen by cross-validation on the bank (docs/log.md).
PATTERN_SCALE = 0.6
VECTOR_SCALE = 1.0
BIAS = 0.5

Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled question of the bank."""

    text: str
    intent: Intent
    language: str


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A trained linear head. `weights` has a row per named feature and a column per intent;
    `vector_weights` has a row per dimension of the encoder, none when it uses no encoder."""

    fingerprint: str
    names: Mapping[str, int]
    weights: Weights
    vector_weights: Weights
    bias: Weights

    def probabilities(self, question: str, encoder: Encoder | None) -> dict[Intent, float]:
        """A probability for each intent, adding up to one."""
        wording = analyse(question)
        logits = self.bias + sum_features(wording, self.names) @ self.weights
        if self.fingerprint and encoder is not None:
            vector = np.nan_to_num(encoder.encode([question])[0])
            logits = logits + VECTOR_SCALE * vector @ self.vector_weights
        odds = np.exp(logits - logits.max())
        return dict(zip(INTENTS, (odds / odds.sum()).tolist(), strict=True))


def sum_features(
    wording: Wording, names: Mapping[str, int], *, patterns: bool = True
) -> npt.NDArray[np.float32]:
    """The named features as one row: frame features share a unit length, patterns count alike."""
    row = np.zeros(len(names), dtype=np.float32)
    frame = frame_features(wording)
    for name in frame:
        if name in names:
            row[names[name]] = len(frame) ** -0.5
    if patterns:
        for name in pattern_features(matching(wording)):
            if name in names:
                row[names[name]] = PATTERN_SCALE
    return row


def head_for(encoder: Encoder | None) -> Head:
    """The head trained for this encoder, else the one that uses no vectors."""
    heads = shipped_heads()
    if encoder is not None and encoder.info.fingerprint in heads:
        return heads[encoder.info.fingerprint]
    return heads[""]


@cache
def shipped_heads() -> Mapping[str, Head]:
    """The shipped heads by encoder fingerprint, "" for the one without vectors."""
    folder = resources.files(__package__) / "data"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".npz")), key=lambda f: f.name
    )
    return {head.fingerprint: head for head in (from_bytes(file.read_bytes()) for file in files)}


def from_bytes(data: bytes) -> Head:
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        names: list[str] = arrays["names"].tolist()
        return Head(
            fingerprint=str(arrays["fingerprint"]),
            names={name: i for i, name in enumerate(names)},
            weights=arrays["weights"].astype(np.float32),
            vector_weights=arrays["vector_weights"].astype(np.float32),
            bias=arrays["bias"].astype(np.float32),
        )


def to_bytes(head: Head) -> bytes:
    """Half precision: a few tens of kilobytes, and no decision changes."""
    buffer = BytesIO()
    np.savez_compressed(
        buffer,
        fingerprint=np.array(head.fingerprint),
        names=np.array(list(head.names)),
        weights=head.weights.astype(np.float16),
        vector_weights=head.vector_weights.astype(np.float16),
        bias=head.bias.astype(np.float16),
    )
    return buffer.getvalue()


@cache
def bank() -> Sequence[Example]:
    """The labelled examples, in the order of the file."""
    file = resources.files(__package__) / "data" / "examples.jsonl"
    rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(Example(row["text"], Intent(row["intent"]), row["lang"]) for row in rows)

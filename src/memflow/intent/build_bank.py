"""Train the shipped heads from the example bank: `python -m memflow.intent.build_bank`.

Takes about a minute with the default encoder. Run it after a change to the bank, to a language
table or to the features; `--check` cross-validates on the bank and writes nothing.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memflow.intent.examples import (
    BIAS,
    INTENTS,
    VECTOR_SCALE,
    Example,
    Head,
    bank,
    sum_features,
    to_bytes,
)
from memflow.intent.features import frame_features, pattern_features
from memflow.intent.rules import decide, matching
from memflow.intent.wording import analyse
from memflow.protocols import Encoder, Vector

PENALTY = 3e-4
STEPS = 200
RAREST = 2  # a frame feature must occur in this many examples
FOLDS = 5

Matrix = npt.NDArray[np.float32]


def train(examples: Sequence[Example], vectors: Vector | None, fingerprint: str = "") -> Head:
    """Fit a head; without `vectors` (one row an example) it uses wording alone.

    Every example is learnt twice, with and without its pattern clues: the head is asked where
    patterns are silent or disagree, so the frame must be able to carry the decision alone.
    """
    wordings = [analyse(example.text) for example in examples]
    counts = Counter(name for wording in wordings for name in frame_features(wording))
    frames = sorted(name for name, count in counts.items() if count >= RAREST)
    patterns = sorted({name for each in wordings for name in pattern_features(matching(each))})
    names = {name: i for i, name in enumerate([*frames, *patterns])}
    if vectors is None:
        vectors = np.zeros((len(examples), 0), dtype=np.float32)
    dense = np.hstack([VECTOR_SCALE * vectors, np.full((len(examples), 1), BIAS, dtype=np.float32)])
    blocks = [
        np.hstack([np.stack([sum_features(w, names, patterns=on) for w in wordings]), dense])
        for on in (True, False)
    ]
    labels = np.array([INTENTS.index(example.intent) for example in examples])
    weights = _fit(np.vstack(blocks).astype(np.float32), np.concatenate([labels, labels]))
    n = len(names)
    return Head(fingerprint, names, weights[:n], weights[n:-1], BIAS * weights[-1])


def _fit(rows: Matrix, labels: npt.NDArray[np.int64]) -> Matrix:
    """Multinomial logistic regression with an L2 penalty, by accelerated gradient descent."""
    n, width = rows.shape
    targets = np.eye(len(INTENTS), dtype=np.float32)[labels]
    direction = np.ones(width, dtype=np.float32)
    for _ in range(20):  # power iteration: the step is the inverse of the loss's curvature
        direction = rows.T @ (rows @ direction)
        direction /= np.linalg.norm(direction)
    step = 1.0 / (0.5 * float(np.linalg.norm(rows.T @ (rows @ direction))) / n + PENALTY)
    weights = np.zeros((width, len(INTENTS)), dtype=np.float32)
    ahead, momentum = weights.copy(), 1.0
    for _ in range(STEPS):
        logits = rows @ ahead
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        moved = ahead - step * (rows.T @ (odds - targets) / n + PENALTY * ahead)
        following = (1.0 + (1.0 + 4.0 * momentum**2) ** 0.5) / 2.0
        ahead = moved + (momentum - 1.0) / following * (moved - weights)
        weights, momentum = moved.astype(np.float32), following
        ahead = ahead.astype(np.float32)
    return weights


def cross_validate(examples: Sequence[Example], vectors: Vector | None) -> tuple[float, float]:
    """Accuracy of the head, and of rules then head, on folds it was not trained on."""
    right = both = 0
    for fold in range(FOLDS):
        kept = np.array([i % FOLDS != fold for i in range(len(examples))])
        training = [example for example, keep in zip(examples, kept, strict=True) if keep]
        head = train(training, None if vectors is None else vectors[kept])
        for i in map(int, np.flatnonzero(~kept)):
            logits = head.bias + sum_features(analyse(examples[i].text), head.names) @ head.weights
            if vectors is not None:
                logits = logits + VECTOR_SCALE * vectors[i] @ head.vector_weights
            guess = INTENTS[int(np.argmax(logits))]
            ruled = decide(examples[i].text)
            right += guess == examples[i].intent
            both += (ruled.intent if ruled else guess) == examples[i].intent
    return right / len(examples), both / len(examples)


def default_encoder() -> Encoder:
    """The offline default encoder. Named here and not imported above: rooms do not see others."""
    encoder: Encoder = import_module("memflow.backends.encoders").MiniLMEncoder()
    return encoder


def main(arguments: Sequence[str]) -> None:
    examples = bank()
    encoder = default_encoder()
    vectors = encoder.encode([example.text for example in examples])
    if "--check" in arguments:
        for name, given in (("wording", None), ("wording and vectors", vectors)):
            head, routed = cross_validate(examples, given)
            sys.stdout.write(f"{name}: head {head:.3f}, rules then head {routed:.3f}\n")
        return
    folder = Path(__file__).parent / "data"
    fingerprint = encoder.info.fingerprint
    (folder / "head_wording.npz").write_bytes(to_bytes(train(examples, None)))
    (folder / "head_minilm.npz").write_bytes(to_bytes(train(examples, vectors, fingerprint)))


if __name__ == "__main__":
    main(sys.argv[1:])

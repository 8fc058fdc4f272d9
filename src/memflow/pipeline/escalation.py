"""What happens after a failed check: one retry as another operation (Table 11), then abstention."""

from __future__ import annotations

from collections.abc import Mapping

from memflow.operations import Operation
from memflow.text import STOPWORDS, tokens
from memflow.types import Intent

_ABSTENTION = {
    "en": "I could not find reliable information about that in the stored memories.",
    "pt": "Não encontrei informação fiável sobre isso nas memórias guardadas.",
    "es": "No encontré información fiable sobre eso en los recuerdos guardados.",
}
# Words that only one of the three languages has; the question's own language answers it.
_MARKERS = {
    "pt": {"qual", "quais", "quando", "onde", "meu", "minha", "foi", "eu", "nao", "quem", "voce"},
    "es": {"cual", "cuando", "donde", "cuanto", "mi", "fue", "yo", "quien", "usted", "hay", "el"},
}


def retry_of(operation: Operation, operations: Mapping[Intent, Operation]) -> Operation:
    return operations[operation.retry_as]


def abstention(question: str) -> str:
    """The fixed sentence, in the question's language where it is one of three."""
    words = set(tokens(question)) & STOPWORDS
    scores = {code: len(words & markers) for code, markers in _MARKERS.items()}
    best = max(scores, key=lambda code: scores[code])
    return _ABSTENTION[best if scores[best] > 0 else "en"]

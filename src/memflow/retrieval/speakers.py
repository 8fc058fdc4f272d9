"""Whose words the question asks for, as one more leg of the fusion.

Naming a person asks for what that person said; "what did you recommend" asks for the assistant's
words; any other question to an assistant is about what the user told it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from memflow.protocols import Floats
from memflow.retrieval.layout import Layout
from memflow.text import fold, tokens

# The assistant addressed as the source of what is asked (folded text; en, pt, es).
_ASKS_ASSISTANT = re.compile(
    r"\byou(?:'ve| have| had)?\s+(?:\w+\s+)?(?:recommend|suggest|t[eo]ll|told|sa[iy]d?|mention|"
    r"g[ia]ve|given|provid|shar|explain|list|wr[io]te|written|advise|describ|show|propos)"
    r"|\bdid you\b|\byour (?:suggestion|recommendation|advice|answer|reply|list|explanation)"
    r"|\b(?:recomendaste|sugeriste|dijiste|diste|explicaste|mencionaste|aconsejaste|escribiste)\b"
    r"|\b(?:voce|tu)\s+(?:me\s+)?(?:recomend|suger|disse|deu|explic|mencion|escrev|indic)\w*"
    r"|\b(?:disseste|deste|sugeriste|recomendaste|explicaste|indicaste)\b"
)


def asks_assistant(question: str) -> bool:
    """Whether the question asks for something the assistant said."""
    return _ASKS_ASSISTANT.search(fold(question)) is not None


def named(question_tokens: Sequence[str], layout: Layout) -> frozenset[int]:
    """Indices of the speakers whose name stands in the question."""
    words = set(question_tokens)
    return frozenset(
        index
        for index, name in enumerate(layout.speaker_tokens)
        if name & words and not name <= {"user", "assistant", "document"}
    )


def leg(question: str, layout: Layout) -> Floats:
    """1 for rows whose speaker is asked about, else 0; constant when the question names nobody."""
    catalogue = layout.catalogue
    asked = named(tokens(question), layout)
    if asked:
        return np.isin(catalogue.speakers, sorted(asked)).astype(np.float64)
    if 0.0 < layout.assistant_share < 1.0:
        return layout.assistant if asks_assistant(question) else 1.0 - layout.assistant
    return np.zeros(catalogue.size)


def without_names(question: str, layout: Layout) -> str:
    """The question less the speakers' names, for the encoder.

    A name pulls a sentence vector towards greetings ("Hi Caroline!"); the speaker leg does what
    the name is there for (docs/log.md: dense retrieval alone rose from 37% to 67%).
    """
    names = frozenset().union(*layout.speaker_tokens) if layout.speaker_tokens else frozenset()
    kept = [word for word in question.split() if not (names & set(tokens(word)))]
    return " ".join(kept) or question

"""What a question is about, without the words that only make it a question.

"How many weddings have I actually been to since last September?" is about weddings; "many",
"actually" and "last September" would pull in every turn that uses them. Quoted text is kept whole.
"""

from __future__ import annotations

import re

from memflow.text import terms

_SCAFFOLD = re.compile(
    r"\bhow\s+(?:many|much|often|long|frequently|far|soon)\b"
    r"|\b(?:actually|altogether|in\s+total|currently|at\s+(?:the\s+moment|present)|nowadays"
    r"|these\s+days|so\s+far|by\s+the\s+way|please|in\s+the\s+end|ever)\b"
    r"|\bhow\s+(?:has|have|had|did|does|do|is|was|are|were)\b"
    r"|\b(?:changed?|changes|evolved?|developed?|progressed?)\b(?=[^\"“«]*\?|\s*$)"
    r"|\b(?:mudou|mudaram|evoluiu|cambi(?:ó|aron|ado)|evolucion(?:ó|ado))\b"
    r"|\b(?:can|could)\s+you\s+(?:please\s+)?(?:remind|tell|give|list)\s+me\b"
    r"|\b(?:tell|remind|give|show)\s+me\b|\bdo\s+you\s+(?:remember|know|recall)\b"
    r"|\b(?:since|over|during|in|within)\s+(?:the\s+)?(?:last|past)\s+"
    r"(?:few\s+|couple\s+of\s+|\w+\s+)?(?:\w+)?"
    r"|\b(?:this|last|past)\s+(?:year|month|week|season)\b|\bover\s+(?:time|the\s+(?:months|years))\b"
    r"|\bfrom\s+(?:first|beginning|start)\s+to\s+(?:last|end|finish)\b"
    r"|\b(?:quant[oa]s?|com\s+que\s+frequ[eê]ncia|atualmente|neste\s+momento|hoje\s+em\s+dia)\b"
    r"|\b(?:cu[aá]nt[oa]s?|con\s+qu[eé]\s+frecuencia|actualmente|en\s+este\s+momento|hoy\s+en\s+d[ií]a)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"([\"“«][^\"”»]*[\"”»])")


def topic(question: str) -> str:
    """The question less its scaffolding; the question itself when nothing would be left."""
    parts = _QUOTED.split(question)
    kept = [part if place % 2 else _SCAFFOLD.sub(" ", part) for place, part in enumerate(parts)]
    text = " ".join("".join(kept).split())
    return text if terms(text) else question

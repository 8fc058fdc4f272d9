"""The events a temporal question compares, as spans of the question.

"How many days between A and B", "did A happen before B", "A or B first": each event is retrieved
for itself, because one query for both finds turns that speak a little of each.
"""

from __future__ import annotations

import re

from memflow.text import content_words

_SPLITS = (
    re.compile(
        r"^how\s+(?:long|many\s+\w+|soon)\s+(?:after|before)\b(?P<a>.+?)\b(?:did|had|was|were)\b(?P<b>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"\bbetween\s+(?P<a>.+?)\s+and\s+(?P<b>.+)", re.IGNORECASE),
    re.compile(r"\bfrom\s+(?P<a>.+?)\s+(?:until|till|to)\s+(?P<b>.+)", re.IGNORECASE),
    re.compile(
        r"^(?:how\s+(?:long|many\s+\w+)|after|before|when)\b(?P<a>.+?)\b"
        r"(?:when|before|after|until|since|by the time)\b\s*(?P<b>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"\bentre\s+(?P<a>.+?)\s+(?:e|y)\s+(?P<b>.+)", re.IGNORECASE),
    re.compile(
        r"(?P<a>.+?)\b(?:before|after|ahead of|earlier than|later than|when|relative to"
        r"|antes\s+(?:ou\s+depois\s+)?(?:de|que)|depois\s+de|antes\s+o\s+después\s+de|despu[eé]s\s+de)\b"
        r"(?P<b>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"(?:first|earlier|sooner)\s*[,:]\s*(?P<a>.+?)\s+or\s+(?P<b>.+)", re.IGNORECASE),
    re.compile(r"[:,]\s*(?P<a>.+?)\s+or\s+(?P<b>.+?)\s*\?", re.IGNORECASE),
)
_LIST = re.compile(r"(?:order|ordem|orden)\b(?:[^:]*:)?\s*(?P<rest>.+)", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:how\s+(?:long|many\s+\w+|soon|much\s+time)\b|did|had|have|has|was|were|is|passed|went by"
    r"|i|my|the|it|take|took|does|do|or|me|for|\s|,)+",
    re.IGNORECASE,
)


def event_spans(question: str, *, limit: int = 4) -> tuple[str, ...]:
    """The events' wordings, at most `limit`; empty when the question holds fewer than two."""
    text = question.strip().rstrip("?.! ")
    listed = _LIST.search(text)
    if listed:
        parts = re.split(r"\s*,\s*(?:and\s+|or\s+|e\s+|y\s+)?|\s+(?:and|e|y)\s+", listed["rest"])
        spans = _meaningful(parts)
        if len(spans) > 1:
            return spans[:limit]
    for pattern in _SPLITS:
        match = pattern.search(text + "?" if pattern.pattern.endswith(r"\?") else text)
        if match:
            spans = _meaningful((match["a"], match["b"]))
            if len(spans) == 2:
                return spans
    return ()


def _meaningful(parts: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    trimmed = (_LEAD.sub("", part).strip(" ,.?") for part in parts)
    return tuple(part for part in trimmed if content_words(part))

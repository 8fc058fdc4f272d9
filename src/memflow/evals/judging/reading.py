"""A judge's reply in words or JSON, read as right, wrong, or neither.

Servers differ in what they send: a bare word, JSON in a fence, a sentence, a paragraph that ends in
a verdict. What says both things is not read at all.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memflow.text import fold

_KEYS = frozenset(
    "correct is_correct iscorrect verdict label judgement judgment result grade met answer".split()
)
_WORDS = {
    "yes": True,
    "correct": True,
    "right": True,
    "true": True,
    "accurate": True,
    "1": True,
    "no": False,
    "incorrect": False,
    "wrong": False,
    "false": False,
    "inaccurate": False,
    "0": False,
}
_OBJECT = re.compile(r"\{[^{}]*\}")
# A key, with its value where that is one word; found even if the object around it was cut off.
_PAIR = re.compile(
    rf"[\"'*_]*\b(?:{'|'.join(sorted(_KEYS))})\b[\"'*_]*\s*[:=][\s\"'*_]*(?P<value>\w+)?"
)
_OPENING = re.compile(r"^\W*(\w+)")
_ENDING = re.compile(r"(\w+)\W*$")
_SAID = re.compile(
    r"(?P<negated>\b(?:not|never|hardly|cannot|\w+n't)\b(?:\s+\w+){0,3}?\s+)?"
    r"\b(?P<word>incorrect|inaccurate|wrong|correct|accurate|right)\b"
)


def read_verdict(reply: str) -> bool | None:
    """True: right; False: wrong; None: it says neither, or both."""
    text = fold(reply).replace("’", "'").strip()
    found = _from_json(text)
    if found is not None:
        return found
    stated = [_WORDS.get(match["value"] or "") for match in _PAIR.finditer(text)]
    known = {each for each in stated if each is not None}
    # A key is called "correct" whatever its value says: it is no part of the prose.
    prose = _said(_PAIR.sub(r" \g<value> ", text))
    if known:
        return _only(known | prose)
    if stated:
        return _only(prose)
    opening, ending = _word(_OPENING, text), _word(_ENDING, text)
    if opening is not None:
        return _only({opening} | prose)
    return _only(prose) if prose else ending


def _from_json(text: str) -> bool | None:
    for candidate in (text, *_OBJECT.findall(text)):
        try:
            value = json.loads(candidate)
        except ValueError:
            continue
        values = [value]
        if isinstance(value, dict):
            values = [value[key] for key in value if key in _KEYS]
        said = {_value(each) for each in values} - {None}
        if said:
            return _only({each for each in said if each is not None})
    return None


def _value(value: Any) -> bool | None:
    match value:
        case 0 | 1:  # which are False and True too
            return bool(value)
        case str():
            text = value.strip(" .!*\"'")
            return _WORDS[text] if text in _WORDS else _only(_said(text))
        case _:
            return None


def _word(place: re.Pattern[str], text: str) -> bool | None:
    found = place.search(text)
    return _WORDS.get(found.group(1)) if found else None


def _said(text: str) -> set[bool]:
    """The verdicts in running text; a negation before the word turns it round."""
    return {_WORDS[match["word"]] is not bool(match["negated"]) for match in _SAID.finditer(text)}


def _only(verdicts: set[bool]) -> bool | None:
    return next(iter(verdicts)) if len(verdicts) == 1 else None

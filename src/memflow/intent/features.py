"""A question as a set of named features: its sentence frame and the patterns it fits.

The frame keeps function words and reduces content words to classes (past verb, plural, name, …),
because what is asked for shows in "which Ns have I Ved", whatever the nouns are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memflow.intent.languages import Language, Pattern
from memflow.intent.wording import Wording

_NUMBER = re.compile(r"\d+")
_LONGEST_FRAME = 40  # classes; a frame is about the question, not about a pasted text


def frame(words: str, language: Language) -> list[str]:
    """The classes of the words in order; runs of unmarked content words count once."""
    classes: list[str] = []
    for word in words.split():
        name = _class(word, language)
        if name != "N" or not classes or classes[-1] != "N":
            classes.append(name)
    return classes[:_LONGEST_FRAME]


def _class(word: str, language: Language) -> str:
    if word in language.keep or word == "'s":
        return word
    if word in language.past:
        return "Ved"
    if word in language.participle:
        return "Ven"
    if _NUMBER.fullmatch(word):
        return "NUM"
    for ending, name in language.endings:
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return name
    return "N"


def frame_features(wording: Wording) -> set[str]:
    """Runs of one to four classes of the question proper, and single classes of its lead."""
    classes = ["^", *frame(wording.focus, wording.language), "$"]
    found = {"lead " + each for each in frame(wording.lead, wording.language)}
    for length in (1, 2, 3, 4):
        found.update(" ".join(classes[i : i + length]) for i in range(len(classes) - length + 1))
    # Frames with one gap: "which Ns * Ved" whoever the subject is.
    found.update(f"{classes[i]} * {classes[i + 2]}" for i in range(len(classes) - 2))
    return found


def pattern_features(patterns: Iterable[Pattern]) -> set[str]:
    """Patterns by name and by what they speak for; languages share names, so they share weights."""
    found: set[str] = set()
    for pattern in patterns:
        found.add("pattern " + pattern.name.partition(":")[2])
        found.add(("rule for " if pattern.rule else "clue for ") + pattern.intent.value)
    return found

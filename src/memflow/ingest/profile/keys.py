"""A fact's key: what it is a value of, so that a newer value of the same key supersedes it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memflow.ingest.profile.patterns import Compiled, Pattern, Shape
from memflow.ingest.profile.spans import WORD
from memflow.text import STOPWORDS

_KEY_WORDS = 4
_HABIT_KEY_WORDS = 3
_UNFILLED = re.compile(r"\{\w+\}")


def keys(
    pattern: Pattern,
    inner: str,
    sentence: str,
    groups: Mapping[str, str],
    language: Compiled,
) -> list[str]:
    """The pattern's key filled in; one for each object of "tea and coffee".

    `inner` and `sentence` are the folded value (without what `from` adds) and sentence, `groups`
    the lead's. Empty when nothing is left to tell the object by.
    """
    if "{topic}" in pattern.key:
        return [_filled(pattern.key, groups, topic=_topic(inner, groups, language))]
    if "{value}" not in pattern.key:
        return [_filled(pattern.key, groups)]
    objects = _objects(pattern, inner, sentence, groups, language)
    return [_filled(pattern.key, groups, value=words) for words in objects if words]


def _objects(
    pattern: Pattern, inner: str, sentence: str, groups: Mapping[str, str], language: Compiled
) -> list[str]:
    if pattern.kind == "habit":
        if _unresolved(inner, language):
            return []
        if "when" in groups:  # the frame is in the key already
            return [_habit_words(inner, "", language)]
        return [_habit_words(groups.get("from", "") + inner, sentence, language)]
    if pattern.shape is Shape.PHRASE:
        chosen = language.contrast.split(inner)[0] if "prefer" in groups else inner
        return [_key_words(part, language) for part in _conjuncts(chosen, language)]
    return [_key_words(inner, language)]


def _filled(key: str, groups: Mapping[str, str], **words: str) -> str:
    for name, text in {**groups, **words}.items():
        key = key.replace("{" + name + "}", " ".join(text.split()))
    return _UNFILLED.sub("", key).strip()


def _topic(inner: str, groups: Mapping[str, str], language: Compiled) -> str:
    said = f"{groups.get('from', '')} {inner}"
    for name, cues in language.topics:
        if cues.search(said):
            return name
    return _key_words(inner, language) or "general"


def _unresolved(value: str, language: Compiled) -> bool:
    """Whether a pronoun in it stands for something said elsewhere."""
    return any(word.group() in language.pronouns for word in WORD.finditer(value))


def _key_words(value: str, language: Compiled) -> str:
    """The object's content words: "drinking a lot of coffee" → "coffee"."""
    words = _content(value)
    while len(words) > 1 and words[0] in language.filler:
        words = words[1:]
    return " ".join(words[:_KEY_WORDS])


def _habit_words(value: str, sentence: str, language: Compiled) -> str:
    """What is done, without how often: "usually wake up at 6:30" → "wake".

    A weekday of the sentence is kept: what is done on Fridays does not replace the rest.
    """
    words = [
        word
        for word in _content(value)
        if word not in language.habit_filler and not any(c.isdigit() for c in word)
    ]
    chosen = words[:_HABIT_KEY_WORDS]
    day = language.weekdays.search(sentence)
    if chosen and day and day.group() not in chosen:
        chosen.append(day.group())
    return " ".join(chosen)


def _content(value: str) -> list[str]:
    words = (word.group() for word in WORD.finditer(value))
    return [word for word in words if word not in STOPWORDS and not word.isdigit()]


def _conjuncts(value: str, language: Compiled) -> list[str]:
    """ "tea and coffee" → both, as each may change alone; longer phrases stay whole."""
    parts = language.conjunction.split(value)
    short = all(1 <= len(part.split()) <= 2 for part in parts)
    return parts if len(parts) == 2 and short else [value]

"""The walk over a turn: clauses of the speaker's own statements against the language tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memflow.ingest.profile.en import ENGLISH
from memflow.ingest.profile.es import SPANISH
from memflow.ingest.profile.keys import keys
from memflow.ingest.profile.patterns import Compiled, Leads, Pattern, Shape, compiled
from memflow.ingest.profile.pt import PORTUGUESE
from memflow.ingest.profile.reading import Statement, statements
from memflow.ingest.profile.spans import spans
from memflow.text import fold
from memflow.types import Fact, SessionKind, Turn

_LANGUAGES: tuple[Compiled, ...] = tuple(
    compiled(language) for language in (ENGLISH, PORTUGUESE, SPANISH)
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_UNNAMED = frozenset({"", "user", "human", "me"})
_BORROWED_WITHIN = 3_000  # a role or task is set at a turn's beginning


def extract_facts(turn: Turn) -> tuple[Fact, ...]:
    """Facts that the turn's speaker states about themselves, in order; ids are left 0.

    Empty for the assistant's turns and for documents. Every `quote` is a substring of the
    turn's text and every `value` of its quote.
    """
    if turn.kind is SessionKind.DOCUMENT or turn.role in {"assistant", "system", "tool"}:
        return ()
    if turn.kind is SessionKind.ASSISTANT and turn.role != "user":
        return ()
    folded = fold(turn.text)
    words = _words(folded)
    languages = [language for language in _LANGUAGES if not language.gate.isdisjoint(words)]
    if turn.kind is SessionKind.ASSISTANT:
        # A set role or a text to work on is not the speaker's own; peers do not set tasks.
        opening = folded[:_BORROWED_WITHIN]
        if any(language.borrowed.search(opening) for language in _LANGUAGES):
            return ()
    if not languages:
        return ()
    subject = "user" if turn.speaker.strip().casefold() in _UNNAMED else turn.speaker
    facts: dict[tuple[str, str], Fact] = {}
    for statement in statements(turn.text):
        said = _words(statement.folded)
        for language in languages:
            if language.gate.isdisjoint(said):
                continue
            for pattern, key, value in _found(statement, language):
                if pattern.kind == "instruction" and turn.kind is not SessionKind.ASSISTANT:
                    continue
                fact = Fact(
                    id=0,
                    subject=subject,
                    key=key,
                    value=value,
                    kind=pattern.kind,
                    turn_id=turn.id,
                    quote=statement.text,
                    time=turn.time,
                )
                facts.setdefault((key, value.casefold()), fact)
    return tuple(facts.values())


def _words(folded: str) -> set[str]:
    return set(_WORD.findall(folded.replace("’", "'")))


def _found(statement: Statement, language: Compiled) -> Iterator[tuple[Pattern, str, str]]:
    folded = statement.folded
    blocker = language.blockers.search(folded)
    limit = blocker.start() if blocker else len(folded)
    limit = min(limit, _asked_from(folded, language))
    taken = 0  # the end of a habit or instruction: its parts are no facts of their own
    for position in _clause_starts(folded, language):
        if position < taken or position >= limit or statement.in_quotes(position):
            continue
        pattern, end, facts = _matched(statement, language, language.asserted, position, limit)
        if pattern is not None:
            yield from ((pattern, key, value) for key, value in facts)
            if pattern.shape in {Shape.CLAUSE, Shape.SENTENCE}:
                taken = end
    for opening in language.possessives.finditer(folded):
        position = opening.start()
        if not statement.in_quotes(position):
            pattern, _, facts = _matched(
                statement, language, language.presupposed, position, len(folded)
            )
            if pattern is not None:
                yield from ((pattern, key, value) for key, value in facts)


def _clause_starts(folded: str, language: Compiled) -> list[int]:
    starts = [0]
    starts.extend(match.end() for match in language.openers.finditer(folded))
    return list(dict.fromkeys(starts))


def _asked_from(folded: str, language: Compiled) -> int:
    """Where a question begins: what precedes it ("I'm vegan, what can I eat?") is still said."""
    if folded.startswith("¿"):
        return 0
    if not folded.rstrip(" \"'”’)]»").endswith(("?", "？", "؟")):
        return len(folded)
    asks = language.asks.search(folded)
    return asks.start() if asks else 0


class _Match(NamedTuple):
    """The first row that gives facts at a place, the end of its value, and (key, value) pairs."""

    pattern: Pattern | None
    end: int
    facts: list[tuple[str, str]]


def _matched(
    statement: Statement, language: Compiled, leads: Leads, position: int, limit: int
) -> _Match:
    if leads.any.match(statement.folded, position):
        for pattern in leads.patterns:
            lead = pattern.lead.match(statement.folded, position)
            if lead is None or lead.end() > limit:
                continue
            found = _read(statement, language, pattern, lead, limit)
            if found.facts:
                return found
    return _Match(None, position, [])


def _read(
    statement: Statement, language: Compiled, pattern: Pattern, lead: re.Match[str], limit: int
) -> _Match:
    """What one row gives: the value cut after its lead, and its keys."""
    groups = {name: text for name, text in lead.groupdict().items() if text}
    if pattern.shape is Shape.EXACT:
        found = iter([lead.span("value")])
    else:
        found = spans(statement, language, pattern.shape, lead.end())
    facts: list[tuple[str, str]] = []
    last = lead.end()
    for start, end in found:
        if end > limit:
            continue
        value = statement.slice(lead.start("from") if "from" in groups else start, end)
        last = end
        inner = statement.folded[start:end]
        found_keys = keys(pattern, inner, statement.folded, groups, language)
        facts.extend((key, value) for key in found_keys if value)
    return _Match(pattern, last, facts)

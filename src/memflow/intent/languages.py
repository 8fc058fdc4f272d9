"""The language tables: everything the router knows of a language is one TOML file in `data/`.

A file `rules_xx.toml` holds the chat spellings, the words that head a question or a request, the
function words of the sentence frame, and the patterns. Adding a language is adding a file (and
examples to `data/examples.jsonl`); docs/intent.md describes every field.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from memflow.types import Intent


@dataclass(frozen=True, slots=True)
class Pattern:
    """One clue in the wording.

    `head` must match at the start of the question proper (preambles stripped); `find` may match
    anywhere in it; `lead` and `around` are looked for in what stands before the question and in
    the whole text. A `rule` decides alone unless a rule of another intent matches too, and not
    one of its `overrides`. `weight` counts in the keyword heuristics.
    """

    name: str
    intent: Intent
    rule: bool
    weight: float
    overrides: frozenset[Intent]
    head: re.Pattern[str] | None
    find: re.Pattern[str] | None
    lead: re.Pattern[str] | None
    around: re.Pattern[str] | None
    unless: re.Pattern[str] | None

    def matches(self, focus: str, lead: str, whole: str) -> bool:
        return not (
            (self.head is not None and not self.head.match(focus))
            or (self.find is not None and not self.find.search(focus))
            or (self.lead is not None and not self.lead.search(lead))
            or (self.around is not None and not self.around.search(whole))
            or (self.unless is not None and self.unless.search(focus) is not None)
        )


@dataclass(frozen=True, slots=True)
class Language:
    """One language's table. Word sets hold folded words: lower case, no accents."""

    code: str
    spelling: Mapping[str, str]
    function: frozenset[str]
    question: frozenset[str]
    auxiliary: frozenset[str]
    request: frozenset[str]
    subordinate: frozenset[str]
    preamble: re.Pattern[str]
    keep: frozenset[str]
    past: frozenset[str]
    participle: frozenset[str]
    endings: tuple[tuple[str, str], ...]
    rewrites: tuple[tuple[re.Pattern[str], str], ...]
    patterns: tuple[Pattern, ...]


@cache
def languages() -> tuple[Language, ...]:
    """All languages with a table, English first: it wins where nothing tells them apart."""
    folder = resources.files(__package__) / "data"
    found = [
        _language(
            entry.name[len("rules_") : -len(".toml")], tomllib.loads(entry.read_text("utf-8"))
        )
        for entry in folder.iterdir()
        if entry.name.startswith("rules_") and entry.name.endswith(".toml")
    ]
    return tuple(sorted(found, key=lambda language: (language.code != "en", language.code)))


def _language(code: str, table: Mapping[str, Any]) -> Language:
    words, frame, macros = table["words"], table["skeleton"], table["macros"]
    macros = dict(macros) | {
        "PAST": f"(?:{'|'.join(frame['past'].split())})",
        "PARTICIPLE": f"(?:{'|'.join(frame['participle'].split())})",
    }
    preamble = "|".join(f"(?:{each})" for each in words["preamble"])
    return Language(
        code=code,
        spelling=table["spelling"],
        function=frozenset(words["function"].split()),
        question=frozenset(words["question"].split()),
        auxiliary=frozenset(words["auxiliary"].split()),
        request=frozenset(words["request"].split()),
        subordinate=frozenset(words["subordinate"].split()),
        preamble=re.compile(rf"(?:{preamble})(?: |$)"),
        keep=frozenset(frame["keep"].split()),
        past=frozenset(frame["past"].split()),
        participle=frozenset(frame["participle"].split()),
        endings=tuple((ending, name) for ending, name in frame.get("endings", ())),
        rewrites=tuple((re.compile(old), new) for old, new in table.get("rewrites", ())),
        patterns=tuple(_pattern(code, row, macros) for row in table["pattern"]),
    )


def _pattern(code: str, row: Mapping[str, Any], macros: Mapping[str, str]) -> Pattern:
    def compiled(key: str) -> re.Pattern[str] | None:
        return re.compile(_expand(row[key], macros)) if key in row else None

    rule = row.get("rule", False)
    return Pattern(
        name=f"{code}:{row['name']}",
        intent=Intent(row["intent"]),
        rule=rule,
        weight=float(row.get("weight", 4.0 if rule else 1.0)),
        overrides=frozenset(Intent(each) for each in row.get("overrides", ())),
        head=compiled("match"),
        find=compiled("find"),
        lead=compiled("lead"),
        around=compiled("around"),
        unless=compiled("unless"),
    )


def _expand(pattern: str, macros: Mapping[str, str]) -> str:
    """Replace {NAME} by the macro; macros may use earlier macros."""
    previous = ""
    while previous != pattern:
        previous = pattern
        pattern = re.sub(r"\{([A-Z]+)\}", lambda found: macros[found.group(1)], pattern)
    return pattern

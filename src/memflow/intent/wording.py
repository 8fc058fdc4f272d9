"""What a question's wording consists of: the question proper, and what stands before it.

"My flat is always cold now, so what should I wear?" asks what its last clause asks; the words
before it are background, and a give-away word among them must not decide. So the head of the
question (an interrogative, an inverted auxiliary, an imperative) is looked for, and what comes
before it is kept apart as the lead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memflow.intent.languages import Language, languages
from memflow.text import fold, sentences

# A question pasted together with a document is analysed by its two ends: questions stand there.
_END = 500
_WORD = re.compile(r"'s\b|[^\W_]+|\?")
_WORDS = re.compile(r"[^\W_]+")
_NOT = re.compile(r"\b(can|do|does|did|is|are|was|were|has|have|had|would|should|could|wo)n't\b")
_CLITICS = (
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (_NOT, r"\1 not"),
    (re.compile(r"\b(i|we|you|they)'ve\b"), r"\1 have"),
    (re.compile(r"\b(\w+)'re\b"), r"\1 are"),
    (re.compile(r"\b(\w+)'ll\b"), r"\1 will"),
    (re.compile(r"\b(i|we|you|they|he|she|it|who|what)'d\b"), r"\1 would"),
    (re.compile(r"\b(what|who|where|when|how|that|there|it|he|she)'s\b"), r"\1 is"),
)
_CLAUSE = re.compile(r"\s*(?:[,;:—–]|\s-\s)\s*")
_JOINER = re.compile(r"^(?:so|and|but|then|now|or|y|entao|entonces|pero|mas|asi que)\s+")


@dataclass(frozen=True, slots=True)
class Wording:
    """Folded words joined by single spaces. `focus` is the question proper, preamble stripped;
    `lead` what stands before it in its sentence; `whole` all of the text, in order. `candidates`
    are the languages it may be in: more than one where its words do not tell them apart."""

    language: Language
    candidates: tuple[Language, ...]
    whole: str
    lead: str
    focus: str


@lru_cache(maxsize=256)
def analyse(text: str) -> Wording:
    """Any text has a wording; without a recognisable head the focus is the last sentence."""
    if len(text) > 2 * _END:
        text = f"{text[:_END]}\n{text[-_END:]}"
    candidates = _languages(text)
    language = candidates[0]
    pieces = [piece for piece in sentences(text) if _WORDS.search(piece)] or [text]
    chosen = _asking_sentence(pieces, language)
    lead, focus = _split(pieces[chosen], language)
    if chosen and not lead:
        lead = _plain(pieces[chosen - 1], language)
    whole = " ".join(_plain(piece, language) for piece in pieces)
    return Wording(language, candidates, whole, lead, focus)


def _languages(text: str) -> tuple[Language, ...]:
    """Those whose function words occur most; all of them in a text without any."""
    words = _WORDS.findall(fold(text))
    counts = [sum(word in each.function for word in words) for each in languages()]
    return tuple(
        each for each, count in zip(languages(), counts, strict=True) if count == max(counts)
    )


def _asking_sentence(pieces: list[str], language: Language) -> int:
    """The last sentence with a question mark; else the last with a head; else the last."""
    marked = [i for i, piece in enumerate(pieces) if "?" in piece]
    if marked:
        return marked[-1]
    headed = [i for i, piece in enumerate(pieces) if _starts(_split(piece, language)[1], language)]
    return headed[0] if headed else len(pieces) - 1


def _split(sentence: str, language: Language) -> tuple[str, str]:
    """(lead, focus): the focus starts at the first clause that has a head of its own."""
    clauses = [_plain(piece, language) for piece in _CLAUSE.split(sentence)]
    clauses = [clause for clause in clauses if clause]
    for i, clause in enumerate(clauses):
        stripped = _stripped(clause, language)
        if _starts(stripped, language) and not _is_fronted(clauses, i, language):
            return " ".join(clauses[:i]), " ".join([stripped, *clauses[i + 1 :]])
    focus = _stripped(" ".join(clauses), language)
    return "", focus


def _is_fronted(clauses: list[str], i: int, language: Language) -> bool:
    """ "When a guest leaves, what …": a subordinate clause opened by a question word.

    It has no inverted auxiliary, and a clause with one follows.
    """
    words = clauses[i].split()
    if words[0] not in language.question or len(words) < 2:
        return False
    inverted = any(word in language.auxiliary for word in words[1:3])
    later = any(_starts(_stripped(clause, language), language) for clause in clauses[i + 1 :])
    return later and words[0] in language.subordinate and not inverted


def _starts(clause: str, language: Language) -> bool:
    words = clause.split(maxsplit=2)
    if not words:
        return False
    first = words[0]
    if first in language.question or first in language.request or first in language.auxiliary:
        return True
    # "In which order", "to whom", "de que", "en que": a preposition before the question word.
    return len(words) > 1 and len(first) <= 5 and words[1] in language.question


def _stripped(clause: str, language: Language) -> str:
    clause = _JOINER.sub("", clause)
    for _ in range(4):
        found = language.preamble.match(clause)
        if found is None or found.end() == 0:
            break
        clause = clause[found.end() :]
    return clause


def _plain(piece: str, language: Language) -> str:
    """Folded, chat spelling made plain, contractions opened, punctuation dropped."""
    folded = fold(piece).replace("’", "'").replace("`", "'")
    for pattern, opened in _CLITICS:
        folded = pattern.sub(opened, folded)
    for pattern, opened in language.rewrites:
        folded = pattern.sub(opened, folded)
    words = (language.spelling.get(word, word) for word in _WORD.findall(folded) if word != "?")
    return " ".join(word for word in words if word)

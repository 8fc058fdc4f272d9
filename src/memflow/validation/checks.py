"""The checks that ask no model."""

from __future__ import annotations

import re

from memflow.text import content_words, fold, overlap, tokens

# Replies that say there is no answer (folded; en, pt, es). A rule quoted from the evidence may
# itself say "we do not give …", so a denial counts only with the memories as its subject.
_REFUSAL = re.compile(
    r"escalat\w*[ _-]?required|^\W*escalate\b"
    r"|\b(?:memor(?:y|ies)|context|records?|conversations?|chats?|texts?|excerpts?|information|lines?)"
    r"(?: \w+){0,3} (?:do|does|did|is|are|was|were|has|have)(?: not|n't)\b"
    r"|\b(?:is|are|was|were|does|do|did)(?: not|n't) (?:\w+ )?"
    r"(?:mention|stated|specif|provided|recorded|discuss|indicated)\w*"
    r"|\bno (?:information|mention|record|memor(?:y|ies)|details?|evidence|data|rules? appl\w+)\b"
    r"|\b(?:not|isn't|never) (?:mentioned|found|stated|specified|provided|known)\b"
    r"|\bi (?:do not|don't|cannot|can't|could not|couldn't) "
    r"(?:know|find|determine|tell|answer|say|assist|help)\b"
    r"|\b(?:cannot|can't) be (?:determined|answered)\b|\bunknown\b\W*$|^\W*(?:none|n/a)\W*$"
    r"|\bnao (?:ha|consta|existe|encontr\w+|foi mencionad\w+|menciona\w*|sei|e mencionad\w+)\b"
    r"|\bno (?:hay|existe|se (?:menciona|indica|encuentra|sabe)|consta|encontr\w+|lo se)\b"
)
_QUOTED = re.compile(r"[\"“«][^\"”»]{12,}[\"”»]")
# A longer reply answers something, whatever it adds about what is missing.
_REFUSAL_WORDS = 40
_YES_NO = re.compile(r"^\W*(?:yes|no|sim|nao|si)\b", re.IGNORECASE)
_NUMERIC = re.compile(
    r"^\W*(?:about |around |cerca de |unos )?[\d.,/:-]+\s*(?:%|\w+)?\W*$", re.IGNORECASE
)


def refuses(text: str) -> bool:
    """Empty, an escalation request, or a statement that nothing was found."""
    folded = fold(text).strip()
    if not tokens(folded):
        return True
    # What is quoted is the evidence's wording, not the reply's.
    own = _QUOTED.sub(" ", folded)
    return len(own.split()) <= _REFUSAL_WORDS and _REFUSAL.search(own) is not None


def is_short(text: str, words: int) -> bool:
    """At most `words` words, purely numeric, or a yes or no by itself."""
    return (
        len(text.split()) <= words
        or _NUMERIC.match(text) is not None
        or (_YES_NO.match(text) is not None and len(text.split()) <= 2 * words)
    )


_CHOICE = re.compile(r"\b(?:or|ou|o)\b")
_CLOSED = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|am)\b"
)


def adds_nothing(answer: str, question: str) -> bool:
    """An open question answered with its own words only: "Which hotel in Rome?" – "Rome".

    Questions for a yes or no, and those that offer a choice, hold their answer.
    """
    asked = fold(question)
    if _CHOICE.search(asked) or _CLOSED.search(asked) or _YES_NO.match(answer):
        return False
    words = content_words(answer)
    return bool(words) and words <= content_words(question)


def support(answer: str, question: str, context: str) -> float:
    """Share of the answer's own content words (beyond the question's) that the context holds.

    An answer that only repeats the question's words is measured on all of them.
    """
    words = content_words(answer)
    own = words - content_words(question) or words
    return overlap(own, content_words(context))


def unsupported_numbers(answer: str, context: str, question: str) -> tuple[str, ...]:
    """Numbers in the answer that neither context nor question holds: small models make them up."""
    known = set(tokens(context) + tokens(question))
    return tuple(
        token
        for token in tokens(answer)
        if any(c.isdigit() for c in token) and len(token) > 1 and token not in known
    )

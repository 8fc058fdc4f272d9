"""Words, index terms and sentences, for every script.

Index terms are what BM25 counts: compatibility-normalised, case-folded, Latin accents and Arabic
vowel marks removed, stopwords dropped, Latin words stemmed. Scripts written without spaces
(Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) become overlapping character bigrams. Emoji are
terms of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import snowballstemmer

# Words that carry no topic. English, Portuguese and Spanish; folded (no accents).
STOPWORDS = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being
    below between both but by can could d did do does doing down during each few for from further
    get got had has have having he her here hers herself him himself his how i if in into is it its
    itself just let ll m me more most my myself no nor not of off on once only or other our ours
    ourselves out over own re really s same she should so some such t than that the their theirs
    them themselves then there these they this those through to too under until up us ve very was we
    were what when where which while who whom whose why will with would you your yours yourself
    yourselves
    ao aos aquela aquele aquilo as ate com como da das de dela dele deles depois do dos e ela elas
    ele eles em entre era essa esse esta estava este eu foi foram ha isso isto ja lhe mais mas me
    mesmo meu meus minha minhas muito na nao nas nem no nos nossa nosso num numa o os ou para pela
    pelo por porque pra qual quando que quem se sem ser seu seus so sua suas tambem te tem tenho
    teu tinha tu tua um uma umas uns voce voces
    al algo ante antes cual cuando del desde donde el ella ellas ellos en eres es eso esto estoy fue
    ha habia han hasta hay la las le les lo los mi mis muy nosotros otra otro para pero por porque
    pues que quien se ser si sin sobre son su sus tambien te tengo tiene todo tu tus un una unas
    unos usted y ya yo
    """.split()
)

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903"
    "\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0983\u09bc-\u09cd\u0a01-\u0a4d\u0a70-\u0a75"
    "\u0a81-\u0acd\u0b01-\u0b56\u0b82-\u0bcd\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d4d\u0e31"
    "\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u1ab0-\u1aff\u200c\u200d"
)
_UNSPACED = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff"
    "\u1000-\u109f\u1780-\u17ff\U00020000-\U0003134f"
)
_EMOJI = "\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff"
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,:/]\d+)*)"
    rf"|(?P<unspaced>[{_UNSPACED}{_MARKS}]+)"
    rf"|(?P<word>(?:(?![{_UNSPACED}])[^\W_{_MARKS}]|[{_MARKS}])+"
    rf"(?:['’](?:(?![{_UNSPACED}])[^\W_])+)*)"
    rf"|(?P<emoji>[{_EMOJI}])"
)
# The same for folded ASCII text, which most is.
_ASCII_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[a-z0-9]+(?:'[a-z0-9]+)*", re.ASCII)
_ASCII_WORD = re.compile(r"[a-z]+")
_STRIPPED_MARKS = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u0640\ufe0f]")
_stem_english = snowballstemmer.stemmer("english").stemWord


def fold(text: str) -> str:
    """Compatibility form, case-folded, without Latin accents and Arabic vowel marks."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _STRIPPED_MARKS.sub("", decomposed))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word; only words of plain Latin letters are stemmed."""
    return str(_stem_english(word)) if _ASCII_WORD.fullmatch(word) else word


def tokens(text: str) -> list[str]:
    """Folded tokens in order, stopwords kept, unstemmed."""
    folded = fold(text)
    if folded.isascii():
        return [
            token if token.isalnum() else _pruned(token) for token in _ASCII_TOKEN.findall(folded)
        ]
    found: list[str] = []
    for match in _TOKEN.finditer(folded):
        token = match.group()
        match match.lastgroup:
            case "unspaced":
                found.extend(_bigrams(token))
            case "word":
                found.append(_without_clitic(token))
            case "number":
                found.append(token.replace(",", ""))
            case _:
                found.append(token)
    return [token for token in found if token]


def _pruned(token: str) -> str:
    """A number without its commas, a word without its clitic."""
    return token.replace(",", "") if token[0].isdigit() else _without_clitic(token)


def _bigrams(run: str) -> Iterable[str]:
    return (run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else (run,)


def _without_clitic(word: str) -> str:
    head, _, tail = word.replace("’", "'").partition("'")
    return head if tail in {"s", "", "re", "ll", "d", "ve", "m"} else head + tail.replace("'", "")


def terms(text: str) -> list[str]:
    """Index terms in order, with repetitions."""
    return [stem(token) for token in tokens(text) if token not in STOPWORDS]


def content_words(text: str) -> set[str]:
    """The set of index terms: what token overlap and Jaccard compare."""
    return set(_content_words(text))


@lru_cache(maxsize=1024)
def _content_words(text: str) -> frozenset[str]:
    """Compiling one context looks at a sentence several times."""
    return frozenset(terms(text))


def overlap(needles: set[str], haystack: set[str]) -> float:
    """Share of `needles` found in `haystack`; 0 when there are none."""
    return len(needles & haystack) / len(needles) if needles else 0.0


def similar(left: set[str], right: set[str], threshold: float) -> bool:
    """Whether `jaccard` reaches the threshold; sets of too different sizes are not compared."""
    small, large = sorted((len(left), len(right)))
    return small >= threshold * large and jaccard(left, right) >= threshold


def jaccard(left: set[str], right: set[str]) -> float:
    """|A ∩ B| / |A ∪ B|; 0 for two empty sets."""
    shared = len(left & right)
    union = len(left) + len(right) - shared
    return shared / union if union else 0.0


# --------------------------------------------------------------------------- sentences

_BOUNDARY = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？｡])[」』”]?|(?<=[؟۔।॥])\s*|(?<!\s)\s*\n\s*"
)
# The same for ASCII text of one line, which most is; begins with the mark.
_ASCII_BOUNDARY = re.compile(r"[.!?][\"')\]]*\s+(?=\S)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|sr|sra|dra|jr|st|vs|etc|e\.g|i\.e|no|fig|approx|[a-z])\.$",
    re.IGNORECASE,
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Non-empty (start, end) spans in order; `text[start:end]` has no outer white space."""
    spans: list[tuple[int, int]] = []
    start = 0
    for first, last in _boundaries(text):
        if last <= start:
            continue
        before, boundary = text[start:first], text[first:last]
        if "\n" not in boundary and _ABBREVIATION.search(before[-8:]):
            continue
        # Closing quotes in the boundary belong to the sentence before it.
        _append_trimmed(spans, text, start, first + len(boundary.rstrip()))
        start = last
    _append_trimmed(spans, text, start, len(text))
    return spans


def _boundaries(text: str) -> Iterable[tuple[int, int]]:
    """Spans between two sentences: closing quotes and white space."""
    if text.isascii() and "\n" not in text:
        return ((m.start() + 1, m.end()) for m in _ASCII_BOUNDARY.finditer(text))
    return (m.span() for m in _BOUNDARY.finditer(text))


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        left = start + len(piece) - len(piece.lstrip())
        spans.append((left, left + len(stripped)))


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed."""
    return [text[start:end] for start, end in sentence_spans(text)]


def clip(text: str, limit: int) -> str:
    """At most `limit` characters, cut at a word, with an ellipsis where something was cut."""
    if len(text) <= limit:
        return text
    cut = text[: max(limit - 1, 0)]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > limit // 2 else cut) + "…"


def count_words(texts: Sequence[str]) -> int:
    """Words as readers count them (unspaced scripts by character pair)."""
    return sum(len(tokens(text)) for text in texts)

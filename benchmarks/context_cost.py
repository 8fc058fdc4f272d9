"""What compiling a context costs beside the least that any retrieval must do.

Run: python benchmarks/context_cost.py [turns] [--db FILE] [--rounds N] [--profile FILE]

The bound is, for the same question over the same store: encoding it, one BM25 query (fetching the
postings, Okapi scores of all chunks) and one product of its vector with all vectors. Each round
measures bound and context side by side, in turns; the median of the rounds counts.

The store is made once and kept: turns with words by Zipf's law, names, dates and statements about
the user, in sessions over a year. Their vectors are random, for encoding 100,000 turns takes an
hour; the questions are encoded by the real model. So only times mean anything here.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from rich.progress import track

from memflow import Memory
from memflow.backends.encoders import open_encoder
from memflow.backends.store import SqliteStore, open_store
from memflow.ingest.profile import extract_facts
from memflow.pipeline.remember import Rememberer
from memflow.protocols import Catalogue, Encoder, EncoderInfo, Floats, Vector
from memflow.settings import Settings
from memflow.text import terms
from memflow.types import NewTurn

SPACE = "cost"
SEED = 20
WORDS = 8_000
TURNS_PER_SESSION = 20
START = datetime(2025, 1, 1, 8, tzinfo=UTC)
NOW = START + timedelta(days=366)
BLOCK = 2_000

# --------------------------------------------------------------------------- the text

# The head of the vocabulary in about the order of their frequency in talk; a rank each.
_COMMON = """
    the i to and a you of it that in my is for was on have with but so we be this just at not do
    are me it's like they what all can she he about some from there had out up if one when i'm
    really your her got think know would been how then time because as don't will good more an
    going were now people very too our did his them has or thing want well work by only see could
    lot make take which go back still who first need than day over little after new week right
    something much home their year maybe way always next before house today help off two old
    looking around last also any never where into us down should here best every being might why
    long put try keep again another things each find most once while does nice few made enough
    away told said yes trying let use usually feel these same call pretty couple sure
""".split()
_TOPICS = """
    dinner kitchen garden doctor meeting office train school weekend phone car bike book movie
    coffee budget flight hotel dog cat guitar recipe dentist gym marathon boss project deadline
    invoice landlord rent mortgage sister brother mother father neighbour birthday wedding party
    concert festival museum holiday trip beach camera laptop printer router password insurance
    passport visa language lesson course exam teacher garage bakery restaurant menu chocolate
    chicken mushroom tomato bread cheese wine allergy medicine headache knee surgery therapist
    yoga running swimming hiking climbing tent backpack jacket shoes sofa desk lamp curtain
    painting pottery knitting violin piano choir podcast newspaper novel library club volunteer
    shelter charity election council parking ticket fine tax refund salary interview promotion
    internship thesis conference paper dataset server backup bug release client contract lawyer
    plumber electrician boiler radiator window roof fence tree roses compost bees harvest market
""".split()
_NAMES = "Rui Alice Ben Caroline Marta Tom Ines Pedro Hanna Yusuf Lena Oscar Priya Diego".split()
_PLACES = "Porto Berlin Lisbon Dublin Madrid Boston Oslo Lyon Naples Ghent".split()
_DATES = (
    "yesterday",
    "last Friday",
    "next Tuesday",
    "two weeks ago",
    "on March 12",
    "on 3 May",
    "last month",
    "in September",
    "this weekend",
    "three days ago",
    "on Monday",
    "in 2023",
    "tomorrow",
)
# What the rules of profile, changes and constraints look for.
_STATEMENTS = (
    "I moved to {place} {date}.",
    "I live in {place} now.",
    "My favourite {topic} is the one by {name}.",
    "I'm allergic to {topic}.",
    "I started a new {topic} course {date}.",
    "Please always keep the {topic} short.",
    "Never book the {topic} before nine, that is the rule.",
    "We switched from the {topic} to the {other} {date}.",
    "My sister {name} works at a {topic} in {place}.",
    "I used to like the {topic}, now I prefer the {other}.",
    "I have to call the {topic} about the {other} {date}.",
)
_SYLLABLES = "ba ren mo li ta ver sho cal du pin gra ne fo wel kis tor am bri sul den ho".split()


class Writer:
    """Turns of eight to forty words or so, the same for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        # Between the common words and the made-up ones stand the topics.
        self._vocabulary = [*_COMMON, *_TOPICS]
        self._vocabulary += _made_up(WORDS - len(self._vocabulary), set(self._vocabulary))
        shares = 1.0 / (np.arange(WORDS) + 2.7)
        self._bounds = np.cumsum(shares / shares.sum())

    def turns(self, count: int) -> Iterator[NewTurn]:
        sessions = -(-count // TURNS_PER_SESSION)
        for number in range(count):
            session, position = divmod(number, TURNS_PER_SESSION)
            started = START + timedelta(days=365) * session / sessions
            yield NewTurn(
                text=self._text(),
                session=f"s{session}",
                role="assistant" if position % 2 else "user",
                time=started + timedelta(seconds=40 * position),
                id=f"t{number}",
            )

    def _text(self) -> str:
        left = int(self._random.integers(8, 41))
        sentences: list[str] = []
        while left > 3:
            size = min(left, int(self._random.integers(4, 15)))
            sentences.append(self._sentence(size))
            left -= size
        if self._random.random() < 0.03:
            sentences.append(self._statement())
        return " ".join(sentences)

    def _sentence(self, size: int) -> str:
        places = np.searchsorted(self._bounds, self._random.random(size))
        words = [self._vocabulary[min(place, WORDS - 1)] for place in places]
        if self._random.random() < 0.12:
            words.insert(int(self._random.integers(1, size)), self._one(_NAMES))
        if self._random.random() < 0.10:
            words.append(self._one(_DATES))
        text = " ".join("I" + word[1:] if word in {"i", "i'm"} else word for word in words)
        return text[0].upper() + text[1:] + ("?" if self._random.random() < 0.15 else ".")

    def _statement(self) -> str:
        return self._one(_STATEMENTS).format(
            place=self._one(_PLACES),
            date=self._one(_DATES),
            name=self._one(_NAMES),
            topic=self._one(_TOPICS),
            other=self._one(_TOPICS),
        )

    def _one(self, choices: Sequence[str]) -> str:
        return choices[int(self._random.integers(len(choices)))]


def _made_up(count: int, taken: set[str]) -> list[str]:
    """Words of two to four syllables, in an order that does not depend on the platform."""
    words: list[str] = []
    number = 0
    while len(words) < count:
        digits, word = number + len(_SYLLABLES), ""
        while digits:
            digits, place = divmod(digits, len(_SYLLABLES))
            word += _SYLLABLES[place]
        number += 1
        if word not in taken:
            taken.add(word)
            words.append(word)
    return words


QUESTIONS = (
    # profile-injection
    "Can you recommend a novel for the train to the office?",
    "Suggest a recipe for dinner with mushroom and cheese.",
    "What should I cook for the birthday party this weekend?",
    "Any ideas for a weekend trip with the dog?",
    # targeted-extraction
    "Which wine did Marta bring to the wedding?",
    "Who told me about the dentist near the bakery?",
    "Where did I leave the passport and the camera?",
    "What did Caroline say about the pottery lesson in Lisbon?",
    # temporal-reasoning
    "How many days passed between the dentist visit and the surgery on my knee?",
    "When did I start the violin lesson?",
    "Did I go to the concert before or after the museum?",
    "How long ago did the plumber repair the boiler?",
    # conflict-resolution
    "What is my current rent?",
    "Where do I live now?",
    "Which gym do I go to these days?",
    "What is my favourite restaurant at the moment?",
    # broad-summarization
    "How many concerts and festivals have I been to this year?",
    "List all the books and novels I have read.",
    "Summarize everything I told you about the garden and the roses.",
    "What are all the problems I had with the landlord?",
    # constraint-validation
    "Am I allowed to book a flight without asking my boss?",
    "Can I bring the dog into the office according to the rules?",
    "Is it ok to pay the invoice before the deadline?",
    "Would eating chocolate and cheese violate my diet?",
    # state-tracking
    "How has my running changed over the year?",
    "How did my opinion about the project evolve?",
    "How have my feelings about the new job developed over time?",
    "Walk me through how my thesis progressed from start to end.",
)

# --------------------------------------------------------------------------- the store


class Drawn:
    """Gives each text a random vector of its own, under the name of the encoder it stands for."""

    def __init__(self, info: EncoderInfo) -> None:
        self.info = info

    def encode(self, texts: Sequence[str]) -> Vector:
        rows = np.stack([self._row(text) for text in texts])
        unit: Vector = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def encode_query(self, text: str) -> Vector:
        raise NotImplementedError("questions are encoded by the real model")

    def _row(self, text: str) -> Vector:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        random = np.random.default_rng(seed)
        return random.standard_normal(self.info.dimension, dtype=np.float32)


def build(path: Path, turns: int, encoder: Encoder) -> None:
    """Make the store under another name first: a half-made one is never taken for whole."""
    draft = path.with_name(f"{path.name}.part")
    draft.unlink(missing_ok=True)
    # One batch for a block: the wrapper has no memory to spare.
    settings = replace(Settings(), encode_batch=BLOCK)
    with open_store(draft, encoder=encoder.info) as store:
        keeper = Rememberer(store, Drawn(encoder.info), settings, extract=extract_facts)
        block: list[NewTurn] = []
        for turn in track(Writer(SEED).turns(turns), "building the store", total=turns):
            block.append(turn)
            if len(block) == BLOCK:
                keeper.add(SPACE, block)
                block = []
        if block:
            keeper.add(SPACE, block)
    draft.rename(path)


# --------------------------------------------------------------------------- the bound


def okapi(store: SqliteStore, catalogue: Catalogue, lengths: Floats, question: str) -> Floats:
    """One plain BM25 query: what is fetched and computed is only what the formula needs."""
    k1, b = 1.5, 0.75
    counted = Counter(terms(question))
    found = store.postings(SPACE, list(counted))
    scores = np.zeros(catalogue.size)
    mean = lengths.mean()
    for term, (keys, counts) in found.items():
        # Turns were stored in reading order and one chunk each, so the key is the row's.
        rows = np.searchsorted(catalogue.keys, keys)
        norm = k1 * (1 - b + b * lengths[rows] / mean)
        idf = np.log1p((catalogue.size - len(rows) + 0.5) / (len(rows) + 0.5))
        scores[rows] += counted[term] * idf * counts * (k1 + 1) / (counts + norm)
    return scores


# --------------------------------------------------------------------------- measuring


@dataclass(frozen=True, slots=True)
class Sample:
    """Milliseconds of one question in one round."""

    encode: float
    bm25: float
    product: float
    context: float
    stages: Mapping[str, float]

    @property
    def bound(self) -> float:
        return self.encode + self.bm25 + self.product


def _milliseconds(began: float) -> float:
    return (time.perf_counter() - began) * 1000


class Bench:
    """A memory over the store, and what the bound needs of it."""

    def __init__(self, path: Path, encoder: Encoder) -> None:
        self._encoder = encoder
        self._store = open_store(path, encoder=encoder.info)
        self._memory = Memory.open(path, store=self._store, sentence_encoder=encoder)
        self._space = self._memory.space(SPACE)
        self._catalogue = self._store.catalogue(SPACE)
        self._lengths = self._catalogue.lengths.astype(np.float64)
        if (np.diff(self._catalogue.keys) <= 0).any():
            raise SystemExit(f"{path}: not a store of this benchmark; give another --db")

    def close(self) -> None:
        self._memory.close()

    def context(self, question: str) -> tuple[str, Mapping[str, float], float]:
        """The routed intent, milliseconds by stage, and in all."""
        began = time.perf_counter()
        context = self._space.context(question, now=NOW)
        total = _milliseconds(began)
        return context.route.intent.value, context.trace.stages["usage"]["stages_ms"], total

    def sample(self, question: str) -> Sample:
        began = time.perf_counter()
        vector = self._encoder.encode_query(question)
        encode = _milliseconds(began)
        began = time.perf_counter()
        okapi(self._store, self._catalogue, self._lengths, question)
        bm25 = _milliseconds(began)
        began = time.perf_counter()
        _ = self._catalogue.vectors @ vector
        product = _milliseconds(began)
        _, stages, context = self.context(question)
        return Sample(encode, bm25, product, context, stages)


def median(samples: Sequence[Sample]) -> Sample:
    """Of each figure by itself."""

    def middle(name: str) -> float:
        return float(statistics.median(getattr(sample, name) for sample in samples))

    return Sample(
        encode=middle("encode"),
        bm25=middle("bm25"),
        product=middle("product"),
        context=middle("context"),
        stages={
            name: statistics.median(sample.stages.get(name, 0.0) for sample in samples)
            for name in STAGES
        },
    )


STAGES = ("route", "retrieve", "prepare", "pack")
_HEAD = f"{'encode':>7} {'bm25':>6} {'vectors':>7} | {'context':>7} = " + " ".join(
    f"{name:>8}" for name in STAGES
)


def _row(sample: Sample) -> str:
    stages = " ".join(f"{sample.stages[name]:>8.1f}" for name in STAGES)
    return (
        f"{sample.encode:>7.1f} {sample.bm25:>6.1f} {sample.product:>7.1f} | "
        f"{sample.context:>7.1f} = {stages} | {sample.context / sample.bound:>5.2f}"
    )


def report(intents: Mapping[str, str], samples: Mapping[str, Sequence[Sample]]) -> None:
    """Medians by question, by intent, and of all questions."""
    lines = [f"{_HEAD} | ratio   (milliseconds)"]
    middles = {question: median(each) for question, each in samples.items()}
    for question, sample in middles.items():
        lines.append(f"{_row(sample)}  {intents[question][:12]:<12}  {question[:48]}")
    lines.append("by intent")
    for intent in sorted(set(intents.values())):
        own = [sample for question, sample in middles.items() if intents[question] == intent]
        lines.append(f"{_row(median(own))}  {intent} ({len(own)})")
    whole = median(list(middles.values()))
    lines += [
        f"median of {len(middles)} questions, {len(set(intents.values()))} intents",
        _row(whole),
        f"bound {whole.bound:.1f} ms, context {whole.context:.1f} ms, "
        f"ratio {whole.context / whole.bound:.2f}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("turns", type=int, nargs="?", default=100_000)
    parser.add_argument("--db", type=Path, help="the store; made there if it does not exist")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", type=Path, help="write a profile of the contexts to this file")
    arguments = parser.parse_args()
    folder = Path(tempfile.gettempdir())
    path = arguments.db or folder / f"memflow-context-cost-{arguments.turns}.db"
    encoder = open_encoder("minilm")
    assert encoder is not None
    if not path.exists():
        build(path, arguments.turns, encoder)
    bench = Bench(path, encoder)
    try:
        # The first pass loads what later ones find in memory.
        intents = {question: bench.context(question)[0] for question in QUESTIONS}
        samples: dict[str, list[Sample]] = {question: [] for question in QUESTIONS}
        for _ in range(arguments.rounds):
            for question in QUESTIONS:
                samples[question].append(bench.sample(question))
        if arguments.profile:
            profile = cProfile.Profile()
            profile.enable()
            for question in QUESTIONS:
                bench.context(question)
            profile.disable()
            profile.dump_stats(arguments.profile)
    finally:
        bench.close()
    report(intents, samples)


if __name__ == "__main__":
    main()

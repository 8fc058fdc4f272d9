"""Profile facts: sentences and the facts they state, traps that state none, and invariants."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memflow.ingest.profile import extract_facts
from memflow.types import Fact, SessionKind, Turn


def turn(
    text: str,
    *,
    role: str = "user",
    speaker: str = "user",
    kind: SessionKind = SessionKind.ASSISTANT,
) -> Turn:
    return Turn(
        id="t1",
        session="s1",
        position=0,
        role=role,
        speaker=speaker,
        text=text,
        time=datetime(2024, 5, 1, tzinfo=UTC),
        kind=kind,
    )


def pairs(text: str) -> list[tuple[str, str]]:
    return [(fact.key, fact.value) for fact in extract_facts(turn(text))]


ENGLISH = [
    ("My name is Ana Souza and I live in Porto.", {"name": "Ana Souza", "home": "Porto"}),
    ("I'm 34 years old.", {"age": "34"}),
    ("I just turned 40 last week.", {"age": "40"}),
    ("My birthday is on March 3rd.", {"birthday": "March 3rd"}),
    ("I was born on 12 May 1990 in Lagos.", {"birthday": "12 May 1990"}),
    ("I work as a nurse at a small clinic.", {"job": "nurse at a small clinic"}),
    ("I'm a software engineer at Initech.", {"job": "software engineer"}),
    ("As a nurse, I work nights.", {"job": "nurse"}),
    ("I work for Initech.", {"employer": "Initech"}),
    ("I quit my job last week!", {"job": "quit my job"}),
    ("I was promoted to senior analyst.", {"job": "senior analyst"}),
    ("I work in marketing.", {"field": "marketing"}),
    ("In my previous role as a data analyst I used it.", {"previous job": "data analyst"}),
    ("I'm studying marine biology.", {"studies": "studying marine biology"}),
    ("I graduated from Aveiro last year.", {"degree": "from Aveiro"}),
    ("I speak English and Dutch.", {"language:english": "English", "language:dutch": "Dutch"}),
    ("I've been learning Japanese lately.", {"language:japanese": "Japanese"}),
    (
        "I'm allergic to peanuts and shellfish, so no satay please.",
        {"allergy:peanuts": "peanuts", "allergy:shellfish": "shellfish"},
    ),
    ("I'm allergic to peanuts, what can I eat?", {"allergy:peanuts": "peanuts"}),
    ("I have a peanut allergy.", {"allergy:peanut": "peanut"}),
    ("I have asthma.", {"health:asthma": "asthma"}),
    ("I'm lactose intolerant.", {"health:lactose intolerant": "lactose intolerant"}),
    ("I'm vegan.", {"diet": "vegan"}),
    ("I went vegetarian last year.", {"diet": "vegetarian"}),
    ("I'm no longer vegan.", {"diet": "no longer vegan"}),
    ("I'm on a keto diet.", {"diet": "keto diet"}),
    ("I'm currently based in Toronto, Canada.", {"home": "Toronto, Canada"}),
    ("I moved from Lyon to Berlin.", {"home": "Berlin"}),
    ("I've been living in Leeds for two years.", {"home": "Leeds"}),
    ("I'm originally from Peru.", {"origin": "Peru"}),
    ("I grew up in Leeds.", {"hometown": "Leeds"}),
    ("I'm married.", {"marital status": "married"}),
    ("I have two kids.", {"children": "two kids"}),
    ("My wife Sarah works late.", {"partner": "Sarah"}),
    ("My husband snores.", {"family:husband": "husband"}),
    ("My brother Tom loves coffee.", {"brother:tom": "brother Tom"}),
    ("My cat, Luna, sleeps all day.", {"pet:luna": "cat, Luna"}),
    ("I have a dog named Rex.", {"pet:rex": "dog named Rex"}),
    ("My dog's name is Bruno.", {"pet:bruno": "dog's name is Bruno"}),
    ("My iPhone 13 Pro screen is broken.", {"phone": "iPhone 13 Pro"}),
    ("Which case would fit my iPhone 13?", {"phone": "iPhone 13"}),  # presupposed
    ("I drive a Toyota Corolla.", {"car": "Toyota Corolla"}),
    ("I play the violin.", {"instrument:violin": "violin"}),
    ("I love coffee.", {"preference:coffee": "love coffee"}),
    ("I really enjoy drinking coffee.", {"preference:coffee": "enjoy drinking coffee"}),
    ("I can’t stand jazz.", {"preference:jazz": "can’t stand jazz"}),
    ("I prefer tea over coffee.", {"preference:tea": "prefer tea over coffee"}),
    (
        "I prefer window seats rather than aisle.",
        {"preference:window seats": "prefer window seats"},
    ),
    ("I'm a huge fan of jazz.", {"preference:jazz": "fan of jazz"}),
    ("I've been really into poetry lately.", {"preference:poetry": "into poetry"}),
    ("I don't eat meat.", {"preference:meat": "don't eat meat"}),
    ("I stopped smoking.", {"preference:smoking": "stopped smoking"}),
    ("I love the outdoors.", {"preference:outdoors": "love the outdoors"}),
    ("My favorite color is blue.", {"favorite:color": "blue"}),
    ("Ramen is my favourite food.", {"favorite:food": "Ramen"}),
    (
        "I enjoy cooking, but I hate doing dishes.",
        {"preference:cooking": "enjoy cooking", "preference:dishes": "hate doing dishes"},
    ),
    ("I usually wake up at 6.", {"habit:wake": "usually wake up at 6"}),
    ("On Tuesdays I play tennis.", {"habit:play tennis tuesdays": "On Tuesdays I play tennis"}),
    ("I go to the gym three times a week.", {"habit:go gym": "go to the gym three times a week"}),
    (
        "I've been reading a lot of poetry lately.",
        {"habit:reading poetry": "reading a lot of poetry lately"},
    ),
    ("Always answer in Portuguese.", {"instruction:language": "Always answer in Portuguese"}),
    ("Please keep your replies short.", {"instruction:length": "keep your replies short"}),
    ("From now on, use metric units.", {"instruction:units": "From now on, use metric units"}),
    ("Never use emojis.", {"instruction:emoji": "Never use emojis"}),
    ("Call me Sam.", {"instruction:name": "Call me Sam"}),
    (
        "When I ask for recipes, give me metric measures.",
        {"instruction:units": "When I ask for recipes, give me metric measures"},
    ),
    ("I prefer short answers.", {"instruction:length": "prefer short answers"}),
    ("Please always cite your sources.", {"instruction:cite sources": "always cite your sources"}),
]

PORTUGUESE = [
    ("Meu nome é João.", {"name": "João"}),
    ("Moro em Coimbra desde 2019.", {"home": "Coimbra"}),
    ("Sou professora de matemática.", {"job": "professora de matemática"}),
    ("Tenho 45 anos.", {"age": "45"}),
    (
        "Sou alérgica a amendoim e camarão.",
        {"allergy:amendoim": "amendoim", "allergy:camarao": "camarão"},
    ),
    ("Adoro café.", {"preference:cafe": "Adoro café"}),
    ("Já não bebo café.", {"preference:cafe": "Já não bebo café"}),
    ("Não gosto de coentros.", {"preference:coentros": "Não gosto de coentros"}),
    ("Gosto muito de jazz.", {"preference:jazz": "Gosto muito de jazz"}),
    ("Prefiro chá a café.", {"preference:cha": "Prefiro chá a café"}),
    ("A minha cor favorita é azul.", {"favorite:cor": "azul"}),
    ("O meu cão chama-se Bobi.", {"pet:bobi": "cão chama-se Bobi"}),
    ("Minha esposa Carla é médica.", {"partner": "Carla"}),
    ("Costumo correr de manhã.", {"habit:correr": "Costumo correr de manhã"}),
    (
        "Todas as manhãs corro no parque.",
        {"habit:corro parque manhas": "Todas as manhãs corro no parque"},
    ),
    ("Responda sempre em português.", {"instruction:language": "Responda sempre em português"}),
    ("Por favor, nunca use emojis.", {"instruction:emoji": "nunca use emojis"}),
    (
        "A partir de agora, responda em inglês.",
        {"instruction:language": "A partir de agora, responda em inglês"},
    ),
    ("Toco violão.", {"instrument:violao": "violão"}),
    ("Sou vegetariana.", {"diet": "vegetariana"}),
    ("Trabalho na Siemens.", {"employer": "Siemens"}),
    ("Falo inglês e espanhol.", {"language:ingles": "inglês", "language:espanhol": "espanhol"}),
    ("Me chame de Bia.", {"instruction:name": "Me chame de Bia"}),
]

SPANISH = [
    ("Me llamo Lucía.", {"name": "Lucía"}),
    ("Vivo en Madrid con mi pareja.", {"home": "Madrid"}),
    ("Soy médica.", {"job": "médica"}),
    ("Tengo 29 años.", {"age": "29"}),
    ("Soy alérgico a los cacahuetes.", {"allergy:cacahuetes": "cacahuetes"}),
    ("Me encanta el café.", {"preference:cafe": "Me encanta el café"}),
    ("Ya no tomo café.", {"preference:cafe": "Ya no tomo café"}),
    ("No me gusta el cilantro.", {"preference:cilantro": "No me gusta el cilantro"}),
    ("Me gusta la música clásica.", {"preference:musica clasica": "Me gusta la música clásica"}),
    ("Odio el brócoli.", {"preference:brocoli": "Odio el brócoli"}),
    ("Mi color favorito es el verde.", {"favorite:color": "verde"}),
    ("Mi perro se llama Toby.", {"pet:toby": "perro se llama Toby"}),
    ("Mi hermana Carmen vive en Lima.", {"hermana:carmen": "hermana Carmen"}),
    ("Suelo levantarme a las seis.", {"habit:levantarme seis": "Suelo levantarme a las seis"}),
    ("Los martes juego al tenis.", {"habit:juego tenis martes": "Los martes juego al tenis"}),
    ("Responde siempre en español.", {"instruction:language": "Responde siempre en español"}),
    (
        "De ahora en adelante, usa respuestas cortas.",
        {"instruction:length": "De ahora en adelante, usa respuestas cortas"},
    ),
    ("Llámame Paco.", {"instruction:name": "Llámame Paco"}),
    ("Trabajo en Telefónica.", {"employer": "Telefónica"}),
    ("Me mudé a Valencia el mes pasado.", {"home": "Valencia"}),
    ("Estudio medicina.", {"studies": "Estudio medicina"}),
    ("Soy vegano.", {"diet": "vegano"}),
]

NOTHING = [
    # questions, wishes, hypotheses
    "Do I love coffee?",
    "Should I always wake up at six?",
    "How about I love tea?",
    "If I lived in Rome, I would love it.",
    "If I loved coffee, I would drink it.",
    "I might like sushi.",
    "I wish I live in Rome.",
    "I'd love to visit Japan.",
    "Imagine I live in Rome.",
    "Let's say I hate broccoli.",
    "Você gosta de café?",
    "Se eu morasse em Paris, adoraria.",
    "Gostaria de viajar.",
    "¿Te gusta el café?",
    "Si viviera en París, me gustaría.",
    # somebody else
    "My brother loves coffee.",
    "My mom is a teacher.",
    "He always answers late.",
    "She lives in Rome and works as a nurse.",
    "Meu irmão adora futebol.",
    "Mi hermano adora el fútbol.",
    "The company will never use email.",
    # quoted, pasted, written for a task
    'My sister said, "I love sushi."',
    '"I love sushi" is what she wrote.',
    "“I live in Rome,” she wrote.",
    "> I love coffee",
    "```\nI love coffee\n```",
    "    I love coffee",
    "Dear Sir,\nI live in Paris.\nBest regards,\nJo",
    "Customer: I love tea\nAgent: ok\nCustomer: I hate milk",
    "Write a story: I live on Mars and love robots.",
    "Act as a pirate. I love rum.",
    "Rewrite this sentence: I live in Paris.",
    "As a user, I want to reset my password.",
    "Escreva uma história: eu moro em Marte.",
    # past, passing, or about the talk itself
    "I used to live in Rome.",
    "When I was a child I lived in Rome.",
    "I love the idea of a picnic.",
    "I like your suggestions.",
    "I love it when it rains.",
    "I prefer the second option.",
    "I like that.",
    "Me gusta la idea.",
    "I'm 34 weeks pregnant.",
    "Tenho 20 anos de experiência.",
    "I'm studying for an exam.",
    "I have a meeting on Friday.",
    "I always thought you were right.",
    "Call me back later.",
    "Don't call me Bob.",
    "I've been thinking about it lately.",
    "I've been using it every morning.",
    "I've been doing great lately.",
    "My Ford model kit is missing a wheel.",
    "Lost my job as a banker yesterday.",
    "Thanks, that is great!",
    "",
]


@pytest.mark.parametrize(("text", "expected"), ENGLISH + PORTUGUESE + SPANISH)
def test_states_facts(text: str, expected: dict[str, str]) -> None:
    assert dict(pairs(text)) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_states_nothing(text: str) -> None:
    assert pairs(text) == []


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I love coffee.", "I don't drink coffee any more."),
        ("I love coffee.", "I hate coffee."),
        ("I love tea and coffee.", "I gave up drinking coffee."),
        ("I live in Porto.", "I just moved to Berlin."),
        ("I'm a teacher.", "I was promoted to director."),
        ("I'm vegan.", "I'm no longer vegan."),
        ("I usually wake up at 6.", "I usually wake up at 7:30."),
        ("Keep your replies short.", "Please keep your replies detailed."),
        ("Always answer in French.", "From now on, answer in English."),
        ("Adoro café.", "Já não bebo café."),
        ("Me encanta el café.", "Ya no tomo café."),
    ],
)
def test_a_change_of_mind_supersedes(earlier: str, later: str) -> None:
    """Same key, another value: what the store needs to mark the older one superseded."""
    before, after = dict(pairs(earlier)), dict(pairs(later))
    shared = before.keys() & after.keys()
    assert shared
    assert all(before[key] != after[key] for key in shared)


def test_things_held_side_by_side_do_not_supersede() -> None:
    text = "I love tea. I love hiking. I have asthma. I'm allergic to cats. My dog Rex barks."
    keys = [key for key, _ in pairs(text)]
    assert len(keys) == len(set(keys)) == 5


def test_only_people_speak_for_themselves() -> None:
    said = "I love coffee."
    assert extract_facts(turn(said, role="assistant", speaker="assistant")) == ()
    assert extract_facts(turn(said, role="system")) == ()
    assert extract_facts(turn(said, kind=SessionKind.DOCUMENT)) == ()


def test_the_subject_is_the_speaker() -> None:
    (fact,) = extract_facts(turn("I love coffee.", speaker="Ana", kind=SessionKind.PEER))
    assert fact.subject == "Ana"
    (fact,) = extract_facts(turn("I love coffee."))
    assert fact == Fact(
        id=0,
        subject="user",
        key="preference:coffee",
        value="love coffee",
        kind="preference",
        turn_id="t1",
        quote="I love coffee.",
        time=datetime(2024, 5, 1, tzinfo=UTC),
    )


def test_peers_do_not_instruct_the_assistant() -> None:
    assert extract_facts(turn("Always answer in French.", kind=SessionKind.PEER)) == ()


def test_the_quote_is_the_sentence() -> None:
    (fact,) = extract_facts(turn("Hello there! By the way, I love tea.  What about lunch?"))
    assert fact.quote == "By the way, I love tea."


def test_accents_composed_or_not_give_the_same_fact() -> None:
    import unicodedata

    decomposed = unicodedata.normalize("NFD", "Não gosto de maçã.")
    (fact,) = extract_facts(turn(decomposed))
    assert fact.key == "preference:maca"
    assert fact.value in decomposed


_WORDS = [text for text, _ in ENGLISH + PORTUGUESE + SPANISH] + NOTHING
_PIECES = st.one_of(
    st.text(max_size=12), st.sampled_from(_WORDS), st.sampled_from(list(' \n"?,.’—“'))
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_any_text_gives_verbatim_facts(text: str) -> None:
    facts = extract_facts(turn(text))
    assert facts == extract_facts(turn(text))
    for fact in facts:
        assert fact.quote in text
        assert fact.value
        assert fact.value in fact.quote
        assert fact.key
        assert "{" not in fact.key.replace(fact.value.casefold(), "")
        assert fact.kind in {"identity", "preference", "habit", "instruction", "relation"}


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_any_unicode_is_read(text: str) -> None:
    for fact in extract_facts(turn("I like " + text)):
        assert fact.value in fact.quote


@pytest.mark.parametrize(
    "unit",
    [
        "I like ",
        "I love tea and ",
        "I ",
        "my ",
        'I "',
        "I like\t\t\t",
        "I e.g. ",
        "I like really ",
        "I have been running ",
        "I like .",
        "I like\n",
        "eu não gosto de ",
    ],
)
def test_time_is_linear_in_the_turn(unit: str) -> None:
    """No run of text makes matching explode: twice the text, about twice the time."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.perf_counter()
        extract_facts(turn(text))
        return time.perf_counter() - start

    seconds(1_000)
    assert seconds(80_000) < 8 * seconds(20_000) + 0.5


def test_a_megabyte_of_blanks_is_no_burden() -> None:
    start = time.perf_counter()
    extract_facts(turn("I love " + " " * 1_000_000 + "tea"))
    assert time.perf_counter() - start < 5

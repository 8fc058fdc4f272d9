"""Cue tables: sentences that state rules, changes and values, and sentences that do not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.language import (
    change_strength,
    is_rule,
    rule_strength,
    states_value,
    value_strength,
)

RULES = [
    "Customers must be called back within a day.",
    "No food after 10 pm.",
    "Always greet the guest first.",
    "Visitors are not permitted in the lab.",
    "Refunds only with a receipt.",
    "A badge is required to enter.",
    "You have to sign the form.",
    "Staff shouldn't share passwords.",
    "Do not open the window.",
    "Returns are accepted unless the seal is broken.",
    "Our policy requires two signatures.",
    "Never leave the stove on.",
    "É proibido fumar aqui.",
    "Não é permitido estacionar.",
    "Os alunos devem chegar às oito.",
    "Só pode entrar com crachá.",
    "Tens que assinar.",
    "Nunca use a porta lateral.",
    "Está prohibido fumar.",
    "Solo se permite con autorización.",
    "Los alumnos deben llegar a las ocho.",
    "Hay que firmar el formulario.",
    "Nunca abras la ventana.",
]

NO_RULES = [
    "I love coffee.",
    "We went to the beach yesterday.",
    "The sky is blue today.",
    "Adoro café.",
    "Ontem fomos à praia.",
    "Me encanta el café.",
    "Ayer fuimos a la playa.",
    "Así que estoy bien.",
    "",
]

CHANGES = [
    "I no longer run.",
    "I don't drink coffee any more.",
    "I used to live in Rome.",
    "I switched to decaf.",
    "I went from 5 km to 10 km.",
    "My rent increased to 900.",
    "I quit my job.",
    "I upgraded my laptop.",
    "I'm back to two classes a week.",
    "I finally started yoga.",
    "We moved out in June.",
    "Já não corro.",
    "Não bebo café mais.",
    "Mudei para Lisboa.",
    "Passei de 5 para 10 km.",
    "Comecei a correr.",
    "Troquei o café pelo chá.",
    "Ya no corro.",
    "Me mudé a Madrid.",
    "Dejé de fumar.",
    "Empecé a nadar.",
    "Volví a la oficina.",
]

NO_CHANGES = [
    "I love coffee.",
    "The sky is blue.",
    "Thanks for the help!",
    "Adoro café.",
    "Obrigado pela ajuda.",
    "Me encanta el café.",
    "Gracias por la ayuda.",
    "",
]

VALUES = [
    "My personal best is 25:50.",
    "I have 1250 followers.",
    "The rent is now $900.",
    "My dentist is Dr. Lee.",
    "I live in Porto.",
    "O aluguel é 900.",
    "Tenho 12 livros.",
    "Moro em Lisboa.",
    "Tengo 12 libros.",
    "Vivo en Madrid.",
    "El alquiler es 900.",
]

NO_VALUES = [
    "Thanks for the help!",
    "Could you suggest something?",
    "That sounds great.",
    "Obrigado pela ajuda.",
    "Gracias por la ayuda.",
    "",
]


@pytest.mark.parametrize("sentence", RULES)
def test_reads_as_a_rule(sentence: str) -> None:
    assert is_rule(sentence), rule_strength(sentence)


@pytest.mark.parametrize("sentence", NO_RULES)
def test_reads_as_no_rule(sentence: str) -> None:
    assert not is_rule(sentence), rule_strength(sentence)


@pytest.mark.parametrize("sentence", CHANGES)
def test_states_a_change(sentence: str) -> None:
    assert change_strength(sentence) >= 0.5


@pytest.mark.parametrize("sentence", NO_CHANGES)
def test_states_no_change(sentence: str) -> None:
    assert change_strength(sentence) < 0.5


@pytest.mark.parametrize("sentence", VALUES)
def test_states_a_value(sentence: str) -> None:
    assert states_value(sentence), value_strength(sentence)


@pytest.mark.parametrize("sentence", NO_VALUES)
def test_states_no_value(sentence: str) -> None:
    assert not states_value(sentence), value_strength(sentence)


def test_a_question_asks_rather_than_states() -> None:
    assert change_strength("I switched to decaf.") > change_strength("Have I switched to decaf?")
    assert not is_rule("Must I sign the form?")
    assert not states_value("¿Tengo 12 libros?")


def test_two_hints_are_stronger_than_one() -> None:
    assert change_strength("I recently switched to decaf.") > change_strength("I switched to tea.")


@given(st.text(max_size=400))
def test_strengths_are_shares_of_one(text: str) -> None:
    for strength in (rule_strength, change_strength, value_strength):
        assert 0.0 <= strength(text) <= 1.0
        assert strength(text) == strength(text)


@pytest.mark.parametrize("unit", [" ", "no ", "went from ", "if a ", "not a ", "a", "1.", "in "])
def test_long_text_is_no_burden(unit: str) -> None:
    start = time.perf_counter()
    text = unit * (1_000_000 // len(unit))
    for strength in (rule_strength, change_strength, value_strength):
        strength(text)
    assert time.perf_counter() - start < 2

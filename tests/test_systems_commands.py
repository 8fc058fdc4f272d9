"""Commands as small models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memflow.evals.systems.commands import read

NAMES = ("search", "days_between", "count", "finish")


@pytest.mark.parametrize(
    "text",
    [
        'Action: search("rent of the flat")',
        "Action: search[rent of the flat]",
        "Thought: what is the rent?\nAction: search(rent of the flat)",
        "Thought: I will search for it. Action: search('rent of the flat')",
        'Action 1: Search(query="rent of the flat")',
        "Action: search\nAction Input: rent of the flat",
        'Action: search\nAction Input: "rent of the flat"',
        "action: search: rent of the flat",
        "TOOL: search | rent of the flat",
        '**Action:** `search("rent of the flat")`',
        "**search**: rent of the flat",
        "search rent of the flat".replace("search ", "search: "),
        'I will call search("rent of the flat") now.',
        '```\nsearch("rent of the flat")\n```',
        '{"name": "search", "arguments": {"query": "rent of the flat"}}',
        '<tool_call>\n{"name": "search", "arguments": {"query": "rent of the flat"}}\n</tool_call>',
        '{"action": "search", "action_input": "rent of the flat"}',
        '{"function": {"name": "search", "arguments": "{\\"query\\": \\"rent of the flat\\"}"}}',
        '{"tool": "Search", "query": "rent of the flat"}',
        '{"search": "rent of the flat"}',
        '{"name": "search", "arguments": ["rent of the flat"]}',
        'Action: search({"query": "rent of the flat"})',
        'Action: search("rent of the flat"',
        'Action: search("rent of the flat")\nObservation: 655\nAction: finish("655")',
    ],
)
def test_a_search_is_read_in_any_form(text: str) -> None:
    command = read(text, NAMES)
    assert command is not None
    assert command.name == "search"
    assert command.first() == "rent of the flat"


@pytest.mark.parametrize(
    "text",
    [
        'Action: days_between("2025-02-15", "2025-04-05")',
        "Action: days_between(2025-02-15, 2025-04-05)",
        "TOOL: days_between | 2025-02-15 | 2025-04-05",
        "days between: 2025-02-15, 2025-04-05",
        "Action: days-between[2025-02-15, 2025-04-05]",
    ],
)
def test_two_arguments_are_two(text: str) -> None:
    command = read(text, NAMES)
    assert command is not None
    assert (command.name, command.arguments) == ("days_between", ("2025-02-15", "2025-04-05"))


def test_what_is_in_quotes_stays_together() -> None:
    command = read('finish("Ana, the vet (Harbour Street), and Rui\'s \\"Pim\\"")', NAMES)
    assert command is not None
    assert command.arguments == ('Ana, the vet (Harbour Street), and Rui\'s "Pim"',)


def test_an_apostrophe_is_no_quote() -> None:
    command = read("Action: search(Ana's vet, Pimenta's vet)", NAMES)
    assert command is not None
    assert command.arguments == ("Ana's vet", "Pimenta's vet")


def test_named_arguments_keep_their_names() -> None:
    command = read('search(query="the rent", page=2)', NAMES)
    assert command is not None
    assert dict(command.named) == {"query": "the rent", "page": "2"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Your rent is 655 euros.",
        "A search would help here, I think.",
        "Searching (again) for it",
        "Count: 3",
        "research(x)",
        "explode(everything)",
        '{"name": "explode"}',
        "{" * 2_000,
        "[" * 2_000 + "(" * 2_000,
    ],
)
def test_what_is_no_command_is_none(text: str) -> None:
    assert read(text, NAMES) is None


def test_text_after_the_command_is_not_the_commands() -> None:
    text = 'Action: search("rent")\nObservation: it is 655'
    command = read(text, NAMES)
    assert command is not None
    assert text[: command.end] == 'Action: search("rent")'


_PIECES = 'search finish Action: ( ) [ ] { } " \' \\ | , : page=2 {"name": é Input: count 1'.split()
PIECES = st.sampled_from([*_PIECES, " ", "\n"])


@given(st.lists(PIECES, max_size=30).map("".join))
def test_nothing_raises_and_ends_lie_in_the_text(text: str) -> None:
    command = read(text, NAMES)
    if command is not None:
        assert command.name in NAMES
        assert 0 < command.end <= len(text) + 1

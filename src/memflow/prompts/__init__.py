"""The prompts, one text file each, with a hash that traces record.

A file is the text of a system message; lines `@user` and `@assistant` begin worked examples, which
become messages of their own: a small model imitates better than it obeys.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memflow.errors import NotFound
from memflow.types import Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system text, the examples after it, and the sha256 of the whole file in hex."""

    text: str
    sha256: str
    examples: tuple[Message, ...] = ()


@cache
def load(name: str) -> Prompt:
    """The prompt of the file `<name>.txt`. Raises NotFound, naming those there are."""
    folder = resources.files(__name__)
    file = folder / f"{name}.txt"
    if not file.is_file():
        known = ", ".join(names())
        raise NotFound(f"no prompt is called '{name}'", mend=f"there are: {known}")
    whole = file.read_text(encoding="utf-8").rstrip("\n")
    text, *sections = _SECTION.split(whole)
    examples = tuple(
        Message(role, body.strip())
        for role, body in zip(sections[::2], sections[1::2], strict=True)
    )
    return Prompt(text.strip(), hashlib.sha256(whole.encode("utf-8")).hexdigest(), examples)


_SECTION = re.compile(r"^@(user|assistant)\n", re.MULTILINE)


def names() -> tuple[str, ...]:
    """The names of all prompts, sorted."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(file.name[:-4] for file in files if file.name.endswith(".txt")))

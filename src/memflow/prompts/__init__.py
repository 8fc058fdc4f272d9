"""The prompts, one text file each, with a hash that traces record."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from memflow.errors import NotFound


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's text, trailing blank lines removed, and the sha256 of that text in hex."""

    text: str
    sha256: str


@cache
def load(name: str) -> Prompt:
    """The prompt of the file `<name>.txt`. Raises NotFound, naming those there are."""
    folder = resources.files(__name__)
    file = folder / f"{name}.txt"
    if not file.is_file():
        known = ", ".join(names())
        raise NotFound(f"no prompt is called '{name}'", mend=f"there are: {known}")
    text = file.read_text(encoding="utf-8").rstrip("\n")
    return Prompt(text, hashlib.sha256(text.encode("utf-8")).hexdigest())


def names() -> tuple[str, ...]:
    """The names of all prompts, sorted."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(file.name[:-4] for file in files if file.name.endswith(".txt")))

"""The elements of a JSON file one at a time, so that only the largest has to fit in memory.

The file is an array (its elements are read) or one or more values after each other. Broken JSON
ends the reading with an InputError naming line and column; every complete element before it has
been yielded by then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from memflow.errors import InputError

MAX_ELEMENT = 128_000_000  # characters of one element

OPENED: Final = object()
Path = tuple[str, ...]

_FIRST_READ = 64 * 1024
_SPACE = " \t\n\r"
_decoder = json.JSONDecoder()


def decode(text: str) -> Any:
    """One JSON value. ValueError says what is wrong, also of nesting too deep to read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def fault(error: ValueError) -> str:
    """What is wrong, and where in a text of one line."""
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON: {error.msg} at column {error.colno}"
    return f"not valid JSON: {error}"


def elements(name: str, blocks: Iterator[str]) -> Iterator[Any]:
    """Raises InputError for broken or truncated JSON, after all that came before it."""
    window = _Window(name, blocks)
    opening = window.peek()
    if opening == "":
        raise InputError(name, "the file is empty")
    if opening != "[":
        while window.peek():
            yield window.value()
        return
    window.skip()
    if window.peek() == "]":
        window.skip()
    else:
        while True:
            yield window.value()
            mark = window.peek()
            if mark not in (",", "]"):
                raise window.broken(
                    "the file ends inside a list" if mark == "" else "expected ',' or ']'"
                )
            window.skip()
            if mark == "]":
                break
    if window.peek():
        raise window.broken("something follows the end of the list")


def leaves(
    name: str, blocks: Iterator[str], within: Mapping[Path, str]
) -> Iterator[tuple[Path, Any]]:
    """The values of one JSON document by their paths: keys, and "[]" for an element of a list.

    `within` tells which are not read as a whole, "[" for a list and "{" for an object: such a one
    comes as OPENED, and then what is in it, one by one. Errors as in `elements`.
    """
    window = _Window(name, blocks)
    if window.peek() == "":
        raise InputError(name, "the file is empty")
    yield from _leaves(window, (), within)
    if window.peek():
        raise window.broken("something follows the end")


def _leaves(window: _Window, path: Path, within: Mapping[Path, str]) -> Iterator[tuple[Path, Any]]:
    opening = window.peek()
    if opening == "" or within.get(path) != opening:
        yield path, window.value()
        return
    window.skip()
    yield path, OPENED
    closing = "}" if opening == "{" else "]"
    if window.peek() == closing:
        window.skip()
        return
    while True:
        step = "[]"
        if opening == "{":
            if window.peek() != '"':
                raise window.broken("expected a key in quotes")
            step = window.value(counted=False)
            if window.peek() != ":":
                raise window.broken("expected ':'")
            window.skip()
        yield from _leaves(window, (*path, step), within)
        mark = window.peek()
        if mark not in (",", closing):
            raise window.broken(
                "the file ends before it is complete"
                if mark == ""
                else f"expected ',' or '{closing}'"
            )
        window.skip()
        if mark == closing:
            return


class _Window:
    """A stretch of the text around the place of reading; knows its line and column."""

    def __init__(self, name: str, blocks: Iterator[str]) -> None:
        self._name = name
        self._blocks = blocks
        self._text = ""
        self._at = 0
        self._line, self._column = 1, 1  # of the start of the window
        self._done = False
        self._complete = 0

    def peek(self) -> str:
        """The next character that is no white space; "" at the end of the file."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more(1):
                return ""

    def skip(self) -> None:
        self._at += 1

    def value(self, *, counted: bool = True) -> Any:
        """The value that begins here."""
        if self.peek() == "":
            raise self.broken("the file ends where a value was expected")
        wanted = _FIRST_READ
        while True:
            try:
                value, end = _decoder.raw_decode(self._text, self._at)
                # A number that touches the end of the window may go on after it.
                if end < len(self._text) or not self._more(1):
                    self._at = end
                    self._complete += counted
                    return value
            except json.JSONDecodeError as error:
                # Cut off, or wrong? Only more text can tell; doubling keeps this linear.
                ahead = error.pos - self._at
                if not self._more(wanted):
                    raise self.broken(error.msg, ahead) from None
                wanted = min(wanted * 2, MAX_ELEMENT)
                if len(self._text) > MAX_ELEMENT:
                    limit = f"an element of more than {MAX_ELEMENT:,} characters"
                    raise self.broken(f"{error.msg}, or {limit}", ahead) from None
            except RecursionError:
                raise self.broken("nested too deeply") from None
            except ValueError as error:
                raise self.broken(str(error)) from None

    def broken(self, what: str, ahead: int = 0) -> InputError:
        """The error, `ahead` characters after the place of reading."""
        line, column = self._place(self._at + ahead)
        kept = f"; what came before was read: {self._complete} complete" if self._complete else ""
        return InputError(
            f"{self._name}:{line}:{column}",
            f"not valid JSON: {what[:1].lower()}{what[1:]}{kept}",
            mend="mend it there, or export the file again",
        )

    def _place(self, at: int) -> tuple[int, int]:
        lines = self._text.count("\n", 0, at)
        if lines:
            return self._line + lines, at - self._text.rfind("\n", 0, at)
        return self._line, self._column + at

    def _more(self, size: int) -> bool:
        """Let go of what was read and take in at least `size` further characters."""
        self._line, self._column = self._place(self._at)
        parts = [self._text[self._at :]]
        self._at = 0
        taken = 0
        try:
            while taken < size and not self._done:
                block = next(self._blocks, None)
                self._done = block is None
                parts.append(block or "")
                taken += len(block or "")
        finally:
            self._text = "".join(parts)
        return taken > 0

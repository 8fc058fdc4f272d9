"""The few facts of a GGUF file's header that are needed before the model is loaded."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from memflow.errors import ModelUnavailable

# Value types by number: struct codes of the scalars, then the three others.
_SCALARS = dict(enumerate("BbHhIif?", start=0)) | {10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class Header:
    """`context` is the length the model was trained on, None if the file does not say."""

    architecture: str
    name: str | None
    context: int | None


def read_header(path: Path) -> Header:
    """Raises ModelUnavailable when the file is absent, unreadable or no GGUF."""
    try:
        with path.open("rb") as file:
            return _parse(file)
    except FileNotFoundError as error:
        raise ModelUnavailable(
            f"no model file at {path}", mend="check the path, or `memflow models pull NAME`"
        ) from error
    except OSError as error:
        raise ModelUnavailable(f"cannot read {path}: {error.strerror or error}") from error
    except (struct.error, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise ModelUnavailable(
            f"{path} is not a readable GGUF file ({error})", mend="pull the model again"
        ) from error


def _parse(file: BinaryIO) -> Header:
    if file.read(4) != b"GGUF":
        raise ValueError("wrong first bytes")
    version, _tensors, pairs = struct.unpack("<IQQ", file.read(20))
    if not 2 <= version <= 1000:
        raise ValueError(f"version {version}")
    found: dict[str, Any] = {}
    for _ in range(pairs):
        key = _string(file)
        value = _value(file, *struct.unpack("<I", file.read(4)))
        if key.startswith("general.") or key.endswith(".context_length"):
            found[key] = value
        architecture = found.get("general.architecture")
        if f"{architecture}.context_length" in found:
            break  # the rest is the vocabulary
    architecture = str(found["general.architecture"])
    name = found.get("general.name")
    context = found.get(f"{architecture}.context_length")
    return Header(
        architecture=architecture,
        name=name if isinstance(name, str) else None,
        context=context if isinstance(context, int) else None,
    )


def _string(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > 1 << 24:
        raise ValueError("a string too long to be one")
    raw = file.read(length)
    if len(raw) < length:
        raise ValueError("cut short")
    return raw.decode("utf-8", "replace")


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        inner, length = struct.unpack("<IQ", file.read(12))
        if inner in _SCALARS:
            file.seek(length * struct.calcsize("<" + _SCALARS[inner]), 1)
        else:
            for _ in range(length):
                _value(file, inner)
        return None
    code = "<" + _SCALARS[kind]
    return struct.unpack(code, file.read(struct.calcsize(code)))[0]

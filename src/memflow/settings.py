"""Every default in one place, each with where its value comes from.

Precedence: keyword arguments, `MEMFLOW_*` environment, `memflow.toml`, defaults. A key nobody
knows is an error that names the nearest one.
"""

from __future__ import annotations

import difflib
import os
import tomllib
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from memflow.errors import SettingsError

PAPER = "arXiv 2605.03312"


def _from(default: Any, source: str) -> Any:
    """A field with its provenance, shown by `memflow doctor` and asserted by a test."""
    return field(default=default, metadata={"source": source})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Tokens, counts, shares and seconds; see each field's source."""

    # what runs where
    model: str = _from("", "ours: empty means no model until one is chosen")
    encoder: str = _from(
        "", "ours: empty is minilm if installed, else words only; paper: bge-small"
    )
    db: str = _from("memories.db", "ours")
    space: str = _from("default", "ours")

    # model calls
    max_model_calls: int = _from(4, f"{PAPER} section 3; the cap also covers tool rounds")
    model_timeout_s: float = _from(120.0, "ours: a 2,000-token prompt takes 30 s on two cores")
    model_retries: int = _from(2, "ours")
    model_window: int = _from(4096, "ours: memory of a laptop; raised with the model's own")
    model_parallel: int = _from(1, "ours: more share the window and the cores")
    model_threads: int = _from(0, "ours: 0 lets the runtime use every core")

    # active context check
    active_turns: int = _from(8, f"{PAPER} Algorithm 1")
    active_overlap: float = _from(0.6, f"{PAPER} Algorithm 1")

    # router
    router: str = _from("full", "ours: 'paper' leaves out the nearest-examples layer")

    # BM25 and fusion
    bm25_k1: float = _from(1.5, f"{PAPER} section 3.3")
    bm25_b: float = _from(0.75, f"{PAPER} section 3.3")
    fusion: str = _from("zscore", "docs/log.md: beats RRF where legs differ in strength")
    rrf_k: int = _from(60, f"{PAPER} section 3.3")
    window_radius: int = _from(2, "docs/log.md: a reply is about the turn before it")

    # packing
    ceiling: int = _from(20_480, f"{PAPER} section 3.4")
    reader_budget: int = _from(1_500, "ours: two cores read 70 tokens a second; 0 leaves the rows'")
    packed_budget: int = _from(0, "ours: 0 leaves the operation's own budgets; for evaluation")
    sentence_cover: float = _from(0.7, "docs/log.md; 0 keeps the paper's top 2 sentences")
    whole_chunks: int = _from(3, "docs/log.md: the best chunks keep all their sentences")
    duplicate_jaccard: float = _from(0.85, f"{PAPER} appendix A")
    shard_turns: int = _from(5, f"{PAPER} Table 6")

    # answering and validation
    tool_rounds: int = _from(3, f"{PAPER} Algorithm 1")
    short_answer_words: int = _from(6, f"{PAPER} section 3.6")
    check_short: bool = _from(True, "docs/decisions/0005; the paper passes short answers unchecked")
    check_characters: int = _from(6_000, f"{PAPER} section 3.6")
    check_tokens: int = _from(8, f"{PAPER} section 3.6")
    overlap_threshold: float = _from(0.07, f"{PAPER} section 3.6")

    # ingestion
    chunk_words: int = _from(120, "ours: fits the encoder's 256 tokens")
    document_chunk_words: int = _from(120, "ours: fits the encoder's 256 tokens")
    encode_batch: int = _from(8, "ours: a batch of 32 took 1.5 GB")
    busy_timeout_s: float = _from(30.0, "ours")


def load(
    overrides: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Settings from all sources; `file` defaults to `memflow.toml` in the working directory.

    Raises SettingsError for an unknown key or a value that is not of the field's type.
    """
    environ = os.environ if environ is None else environ
    path = Path("memflow.toml") if file is None else file
    merged: dict[str, Any] = {}
    if path.is_file():
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{path}: not valid TOML: {error}") from error
        merged |= _checked(table, where=str(path))
    elif file is not None:
        raise SettingsError(f"{path}: no such settings file")
    prefix = "MEMFLOW_"
    from_environ = {
        key[len(prefix) :].lower(): value
        for key, value in environ.items()
        if key.startswith(prefix) and key not in RESERVED_ENVIRONMENT
    }
    merged |= _checked(from_environ, where="environment")
    merged |= _checked(
        {key: value for key, value in (overrides or {}).items() if value is not None},
        where="keyword",
    )
    return Settings(**merged)


# Environment variables that steer something else than a setting.
RESERVED_ENVIRONMENT = frozenset({"MEMFLOW_API_KEY", "MEMFLOW_CACHE", "MEMFLOW_DEBUG"})


def _checked(values: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    known = {f.name: f for f in fields(Settings)}
    hints = typing.get_type_hints(Settings)
    checked: dict[str, Any] = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            raise SettingsError(
                f"{where}: unknown setting '{key}'",
                mend=f"did you mean '{near[0]}'?" if near else "see docs/settings.md",
            )
        checked[name] = _in_range(
            name, _coerce(value, hints[name], where=f"{where}: {key}"), where=f"{where}: {key}"
        )
    return checked


_SHARES = frozenset(
    {"active_overlap", "bm25_b", "sentence_cover", "duplicate_jaccard", "overlap_threshold"}
)
_AT_LEAST_ONE = frozenset(
    {
        "max_model_calls",
        "model_window",
        "model_parallel",
        "ceiling",
        "chunk_words",
        "document_chunk_words",
        "encode_batch",
        "shard_turns",
        "check_tokens",
        "check_characters",
    }
)


def _in_range(name: str, value: Any, *, where: str) -> Any:
    """Numbers are never negative; shares lie between 0 and 1, sizes start at 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    low, high = (1 if name in _AT_LEAST_ONE else 0), (1 if name in _SHARES else float("inf"))
    if not low <= value <= high:
        bound = f"between {low} and {high}" if name in _SHARES else f"{low} or more"
        raise SettingsError(f"{where}: must be {bound}, got {value!r}")
    return value


def _coerce(value: Any, kind: type, *, where: str) -> Any:
    if kind is bool and isinstance(value, str):
        if value.lower() in {"1", "true", "yes", "on"}:
            return True
        if value.lower() in {"0", "false", "no", "off"}:
            return False
    elif isinstance(value, str) and kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            pass
    elif kind is float and type(value) is int:
        return float(value)
    elif type(value) is kind:
        return value
    raise SettingsError(f"{where}: expected {kind.__name__}, got {value!r}")

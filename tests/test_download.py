"""The sets' files: fetched, held to their sums, and explained where there is no network."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memflow.cli.download import download as command
from memflow.cli.frame import Root
from memflow.errors import InputError, UsageError
from memflow.evals import download
from memflow.evals.datasets import DATASETS
from memflow.evals.datasets.official import Member, Official, officials
from tests.fake_server import Answer, Request, serving

DATA = b'[{"conversation": {}}]' * 5_000
NOWHERE = "http://127.0.0.1:9"  # nothing listens on the discard port

Run = Callable[..., Result]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def packed(**files: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"data/{name}.jsonl", data)
    return kept.getvalue()


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMFLOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_ENDPOINT", raising=False)


class Source:
    """Serves what it is given by path, and remembers what was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.cut: int | None = None

    def __call__(self, request: Request) -> Answer:
        self.asked.append(request.path)
        data = self.files.get(request.path)
        if data is None:
            return Answer(404)
        cut, self.cut = self.cut, None
        start = int(request.headers.get("range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        if start:
            span = f"bytes {start}-{len(data) - 1}/{len(data)}"
            return Answer(206, data[start:], {"Content-Range": span})
        return Answer(200, data, cut=cut)


@pytest.fixture
def source() -> Iterator[tuple[Source, str]]:
    answering = Source()
    with serving(answering) as url:
        yield answering, url


def official(url: str, **changes: object) -> Official:
    plain = Official(
        name="letters",
        set="locomo",
        file="letters.json",
        url=f"{url}/letters.json",
        licence="CC BY 4.0",
        bytes=len(DATA),
        sha256=sha256(DATA),
    )
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def known(monkeypatch: pytest.MonkeyPatch, *files: Official) -> None:
    monkeypatch.setattr("memflow.evals.download.officials", lambda: files)
    monkeypatch.setattr("memflow.evals.datasets.official.officials", lambda: files)


# --------------------------------------------------------------------------- the shipped data


def test_every_set_has_its_files() -> None:
    assert {each.set for each in officials()} == set(DATASETS)
    names = [each.name for each in officials()]
    assert len(set(names)) == len(names)
    for each in officials():
        assert each.url.startswith("https://")
        assert each.url.endswith(each.file)
        assert each.licence
        sums = [each.sha256, *(member.sha256 for member in each.members)]
        assert all(digest is None or len(digest) == 64 for digest in sums)
    (longbench,) = download.wanted(["longbench"])
    assert len(longbench.members) == 9


def test_a_set_is_all_its_files_but_the_very_large() -> None:
    assert [each.name for each in download.wanted(["LongMemEval"])] == [
        "longmemeval-oracle",
        "longmemeval-s",
    ]
    assert [each.name for each in download.wanted(["longmemeval-m"])] == ["longmemeval-m"]
    assert len(download.wanted(["realmem", "realmem-ethan-hunt"])) == 10
    with pytest.raises(UsageError) as caught:
        download.wanted(["locomoo"])
    assert "did you mean 'locomo'" in (caught.value.mend or "")


def test_a_mirror_of_the_hub_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    (longbench,), (locomo,) = download.wanted(["longbench"]), download.wanted(["locomo"])
    assert download.address(longbench).startswith("https://mirror.example/datasets/")
    assert download.address(locomo) == locomo.url


# --------------------------------------------------------------------------- fetching


def test_fetched_once_with_progress(source: tuple[Source, str], tmp_path: Path) -> None:
    answering, url = source
    answering.files["/letters.json"] = DATA
    seen: list[tuple[int, int | None]] = []
    found = download.fetch(
        official(url), tmp_path, progress=lambda done, total: seen.append((done, total))
    )
    assert found.state is download.State.FETCHED
    assert found.path == tmp_path / "locomo" / "letters.json"
    assert found.path.read_bytes() == DATA
    assert seen[-1] == (len(DATA), len(DATA))
    again = download.fetch(official(url), tmp_path)
    assert again.state is download.State.PRESENT
    assert len(answering.asked) == 1
    assert [each.name for each in found.path.parent.iterdir()] == ["letters.json"]


def test_a_broken_connection_is_taken_up_again(source: tuple[Source, str], tmp_path: Path) -> None:
    answering, url = source
    answering.files["/letters.json"], answering.cut = DATA, 20_000
    assert download.fetch(official(url), tmp_path).path.read_bytes() == DATA
    assert len(answering.asked) == 2


def test_what_is_not_the_official_file_is_not_kept(
    source: tuple[Source, str], tmp_path: Path
) -> None:
    answering, url = source
    answering.files["/letters.json"] = DATA[:-1] + b"?"
    with pytest.raises(InputError, match=f"expected {sha256(DATA)}"):
        download.fetch(official(url), tmp_path)
    assert not list((tmp_path / "locomo").iterdir())
    answering.files["/letters.json"] = DATA[:-1]
    with pytest.raises(InputError, match="bytes where"):
        download.fetch(official(url), tmp_path)


def test_another_file_in_its_place_is_not_overwritten(tmp_path: Path) -> None:
    target = download.place(official(NOWHERE), tmp_path)
    target.parent.mkdir()
    target.write_bytes(b"mine")
    with pytest.raises(InputError, match="another file is there already"):
        download.fetch(official(NOWHERE), tmp_path)
    assert target.read_bytes() == b"mine"


def test_a_file_without_a_known_sum_is_taken_as_it_comes(
    source: tuple[Source, str], tmp_path: Path
) -> None:
    answering, url = source
    answering.files["/letters.json"] = b"[]"
    loose = official(url, bytes=None, sha256=None)
    assert download.fetch(loose, tmp_path).path.read_bytes() == b"[]"
    assert download.fetch(loose, tmp_path).state is download.State.PRESENT


def test_an_archive_is_unpacked(source: tuple[Source, str], tmp_path: Path) -> None:
    answering, url = source
    data = packed(hotpotqa=b"{}\n", qmsum=b"[]\n", trec=b"x")
    members = (Member("data/hotpotqa.jsonl"), Member("data/qmsum.jsonl"))
    archive = official(
        url, set="longbench", file="data.zip", bytes=len(data), sha256=sha256(data), members=members
    )
    answering.files["/letters.json"] = data
    found = download.fetch(archive, tmp_path)
    assert found.path == tmp_path / "longbench"
    assert {each.name for each in found.path.iterdir()} == {
        "data.zip",
        "hotpotqa.jsonl",
        "qmsum.jsonl",
    }
    # An archive put there by hand is unpacked without asking for it again.
    (found.path / "qmsum.jsonl").unlink()
    assert download.fetch(archive, tmp_path).state is download.State.FETCHED
    assert (found.path / "qmsum.jsonl").read_bytes() == b"[]\n"
    assert len(answering.asked) == 1
    broken = dataclasses.replace(archive, members=(Member("data/none.jsonl"),))
    with pytest.raises(InputError, match="cannot be unpacked"):
        download.fetch(broken, tmp_path)


@pytest.mark.parametrize("url", [NOWHERE, ""])
def test_offline_says_what_to_do(url: str, source: tuple[Source, str], tmp_path: Path) -> None:
    """Without a network, or where the source no longer has the file."""
    asked = official(url or source[1])
    with pytest.raises(InputError) as caught:
        download.fetch(asked, tmp_path)
    said = caught.value.mend or ""
    target = tmp_path / "locomo" / "letters.json"
    for needed in (
        asked.url,
        f"{len(DATA):,} bytes",
        sha256(DATA),
        "CC BY 4.0",
        f"put it at {target}",
        f"memflow eval download --check {target}",
        f"run memflow eval locomo {target}",
    ):
        assert needed in said


def test_offline_an_archive_is_to_be_unpacked() -> None:
    (longbench,) = download.wanted(["longbench"])
    said = download.by_hand(longbench, Path("kept"))
    assert "run memflow eval download longbench, which unpacks it" in said
    assert said.endswith("run memflow eval longbench kept/longbench")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "locomo").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError, match="cannot write to") as caught:
        download.fetch(official(NOWHERE), tmp_path)
    assert "--to" in (caught.value.mend or "")


# --------------------------------------------------------------------------- checking


def test_check_tells_the_official_file_by_its_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    member = Member("data/part.jsonl", sha256(b"part"))
    loose = official(NOWHERE, name="loose", file="loose.json", sha256=None)
    known(monkeypatch, official(NOWHERE, members=(member,)), loose)
    renamed, part, unsummed = (tmp_path / name for name in ("x.json", "y.jsonl", "loose.json"))
    renamed.write_bytes(DATA)
    part.write_bytes(b"part")
    unsummed.write_bytes(b"anything")
    assert (download.check(renamed).same, download.check(renamed).file) == (True, "letters.json")
    assert (download.check(part).same, download.check(part).file) == (True, "part.jsonl")
    assert download.check(unsummed).same is None


def test_check_refuses_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known(monkeypatch, official(NOWHERE))
    for name, data, reason in (
        ("letters.json", DATA[:-1], r"not the official letters\.json.*bytes of"),
        ("other.json", DATA[:-1], "of no official file"),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        with pytest.raises(InputError, match=reason):
            download.check(file)
    with pytest.raises(InputError, match="is a folder"):
        download.check(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        download.check(tmp_path / "none.json")


# --------------------------------------------------------------------------- the command


@pytest.fixture
def run() -> Run:
    root = Root(name="memflow")
    root.add_command(command)

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(root, ["download", *arguments])

    return call


def test_without_a_set_the_files_are_listed(run: Run) -> None:
    result = run()
    assert result.exit_code == 0
    for each in officials():
        assert each.url in result.stdout
        assert each.sha256 is None or each.sha256 in result.stdout
    rows = [json.loads(line) for line in run("--json").stdout.splitlines()]
    assert [row["name"] for row in rows] == [each.name for each in officials()]
    assert not any(row["present"] for row in rows)


def test_the_command_fetches_and_says_what_to_run(
    run: Run, source: tuple[Source, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering, url = source
    answering.files["/letters.json"] = DATA
    known(monkeypatch, official(url))
    result = run("locomo", "--to", "here")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "fetched: here/locomo/letters.json",
        "  memflow eval locomo here/locomo/letters.json",
    ]
    assert "licence: CC BY 4.0" in result.stderr
    (row,) = [json.loads(line) for line in run("letters", "--json").stdout.splitlines()]
    assert row["state"] == "fetched"
    assert row["path"] == str(tmp_path / "cache" / "datasets" / "locomo" / "letters.json")
    assert run("letters").stdout.startswith("present: ")
    checked = run("--check", row["path"])
    assert checked.stdout.strip().endswith("is the official letters.json")
    assert json.loads(run("--check", row["path"], "--json").stdout)["official"] is True


def test_one_file_that_fails_keeps_no_other_from_coming(
    run: Run, source: tuple[Source, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answering, url = source
    answering.files["/letters.json"] = DATA
    gone = official(NOWHERE, name="gone", file="gone.json")
    known(monkeypatch, gone, official(url))
    result = run("locomo", "--to", "here")
    assert result.exit_code == 1
    assert "fetched: here/locomo/letters.json" in result.stdout
    assert "1 of 2 files could not be fetched" in result.stderr
    assert "put it at here/locomo/gone.json" in result.stderr
    rows = [json.loads(line) for line in run("locomo", "--json").stdout.splitlines()]
    assert [row.get("state") for row in rows] == ["failed", "fetched", None]
    assert "error" in rows[-1]
    alone = run("gone")
    assert alone.exit_code == 1
    assert "on a machine with a network fetch" in alone.stderr


def test_wrong_calls(run: Run, tmp_path: Path) -> None:
    assert run("nothing-like-it").exit_code == 2
    assert run("locomo", "--check", "x.json").exit_code == 2
    missing = run("--check", str(tmp_path / "x.json"))
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "no such file" in missing.stderr

"""One file over HTTP: resumed where it stopped, checked against a sum, renamed when complete."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx

from memflow.errors import ModelUnavailable

Progress = Callable[[int, int | None], None]
"""Called with (bytes done, bytes in total if known)."""

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_ATTEMPTS = 4  # a broken connection is taken up again this often in all
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Unreachable(ModelUnavailable):
    """The host gave no answer, or not the file: another source may be tried."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of a pulled file, kept beside it as JSON.

    `verified_by`: "catalogue" or "hub", whose published sum the file was held to; None when
    nobody published one, and then `sha256` is merely the sum that was seen.
    """

    sha256: str
    source: str
    verified_by: str | None

    def write(self, target: Path) -> None:
        text = json.dumps(asdict(self), indent=2) + "\n"
        _record_path(target).write_text(text, encoding="utf-8")

    @classmethod
    def read(cls, target: Path) -> Record | None:
        try:
            return cls(**json.loads(_record_path(target).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None


def _record_path(target: Path) -> Path:
    return target.with_name(target.name + ".json")


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(
    url: str,
    target: Path,
    *,
    sha256: str | None = None,
    size: int | None = None,
    progress: Progress | None = None,
) -> Record:
    """Fetch `url` to `target`; `target.part` holds what has come so far, over several runs.

    Raises Unreachable when there is no connection or the answer is not this file, and
    ModelUnavailable for a wrong sum (the file is then removed) or a full disk.
    """
    part = target.with_name(target.name + ".part")
    published: str | None = None
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        for attempt in range(1, _ATTEMPTS + 1):
            before = _size(part)
            try:
                published = _stream(client, url, part, size, progress)
                break
            except httpx.HTTPError as error:
                # Only a transfer that had got somewhere is worth taking up again.
                if attempt == _ATTEMPTS or _size(part) <= before:
                    raise Unreachable(
                        f"cannot download {url}: {_words(error)}",
                        mend="check the network; what has come so far is kept",
                    ) from error
    return settle(part, target, source=url, sha256=sha256, published=published)


def settle(
    part: Path, target: Path, *, source: str, sha256: str | None, published: str | None = None
) -> Record:
    """Check a complete partial file and rename it; a file with a wrong sum is removed."""
    seen = file_sha256(part)
    expected = sha256 or published
    if expected is not None and seen != expected:
        part.unlink()
        raise ModelUnavailable(
            f"{target.name} from {source} has sha256 {seen}, expected {expected}; it was removed",
            mend="pull it again; if the sum is wrong again, the source has another file",
        )
    part.replace(target)
    by = "catalogue" if sha256 else "hub" if published else None
    return Record(sha256=seen, source=source, verified_by=by)


def need_space(folder: Path, needed: int) -> None:
    """Raises ModelUnavailable when the disk cannot hold `needed` more bytes."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise _no_space(folder, needed - free)


def write_error(folder: Path, error: OSError) -> ModelUnavailable:
    """A failed write as an error that says what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _no_space(folder, None)
    return ModelUnavailable(
        f"cannot write to {folder}: {error.strerror or error}",
        mend="set MEMFLOW_CACHE to a folder that can be written",
    )


def _no_space(folder: Path, short: int | None) -> ModelUnavailable:
    by = f", {short / 1e6:,.0f} MB short" if short else ""
    return ModelUnavailable(
        f"not enough space in {folder}{by}",
        mend="free some, or set MEMFLOW_CACHE to a folder on another disk",
    )


def _stream(
    client: httpx.Client, url: str, part: Path, size: int | None, progress: Progress | None
) -> str | None:
    """Append the missing rest to `part`; returns the sum the hub publishes, if it does."""
    done = _size(part)
    headers = {"Accept-Encoding": "identity"}
    if done:
        headers["Range"] = f"bytes={done}-"
    with client.stream("GET", url, headers=headers) as response:
        published = _published_sum(response)
        if response.status_code == 416:  # nothing left to send, or a stale partial file
            if _total(response) == done:
                return published
            part.unlink()
            raise httpx.ReadError("the partial file was stale and has been removed")
        if response.status_code not in (200, 206):
            raise Unreachable(
                f"{url} answered {response.status_code} {response.reason_phrase}",
                mend="is the name right, and does the file need an account?",
            )
        if response.status_code == 200:
            done = 0  # the server does not resume: from the start
        total = _total(response)
        if size is not None and total is not None and total != size:
            raise Unreachable(f"{url} offers {total:,} bytes where {size:,} were expected")
        total = size or total
        if total is not None:
            need_space(part.parent, total - done)
        with part.open("ab" if done else "wb") as file:
            # As the pieces arrive: a broken connection would take a larger block's start along.
            for block in response.iter_raw():
                try:
                    file.write(block)
                except OSError as error:
                    raise write_error(part.parent, error) from error
                done += len(block)
                if progress:
                    progress(done, total)
    if total is not None and done != total:
        raise httpx.ReadError(f"the connection ended at {done:,} of {total:,} bytes")
    return published


def _published_sum(response: httpx.Response) -> str | None:
    """The hub states a large file's sha256 in a header of its redirect."""
    for answer in (*response.history, response):
        tag = answer.headers.get("x-linked-etag", "").removeprefix("W/").strip('"').lower()
        if _SHA256.fullmatch(tag):
            return str(tag)
    return None


def _total(response: httpx.Response) -> int | None:
    """The whole file's length: of Content-Range if the answer is a part of it."""
    if response.status_code in (206, 416):
        text = response.headers.get("content-range", "").rpartition("/")[2]
    else:
        text = response.headers.get("content-length", "")
    return int(text) if text.isdigit() else None


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__

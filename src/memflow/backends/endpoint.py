"""HTTP to one model server: time limits, bounded retries, and errors that say what to do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import httpx

from memflow.errors import ModelError, ModelTimeout, ModelUnavailable, WindowExceeded

_CONNECT_S = 5.0
_BACKOFF_S = 0.5  # doubled each time
_LONGEST_WAIT_S = 8.0
_RETRIED = frozenset({429, 500, 502, 503, 504})


class Refused(ModelError):
    """The server does not take the request as it is (400 or 422)."""


class Endpoint:
    """Speaks JSON with `base_url` and nobody else: no redirects, no proxies, no netrc."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None,
        timeout_s: float,
        retries: int,
        mend: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        # Both spellings are in use: with and without the version at the end.
        self.root = base_url.rstrip("/").removesuffix("/v1").rstrip("/")
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._retries = retries
        self._mend = mend
        self._sleep = sleep

    @cached_property
    def _client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
        timeout = httpx.Timeout(self._timeout_s, connect=min(_CONNECT_S, self._timeout_s))
        # Connections wait for one of a batch's calls, not for each other.
        limits = httpx.Limits(max_connections=None)
        return httpx.Client(headers=headers, timeout=timeout, limits=limits, trust_env=False)

    def get(self, path: str) -> Any:
        """Asked once, without retries."""
        return self._once("GET", path, None)

    def post(self, path: str, body: Any, *, retry: bool = True) -> Any:
        """The decoded answer.

        Raises Refused, WindowExceeded, ModelTimeout or ModelUnavailable. Connection errors, 429
        and 5xx are tried again; a time-out is not, for the next try would last as long.
        """
        retries = self._retries if retry else 0
        for attempt in range(retries + 1):
            try:
                return self._once("POST", path, body)
            except Passing as failure:
                if attempt == retries:
                    raise ModelUnavailable(str(failure), mend=self._mend) from failure.__cause__
                wait = failure.wait_s or _BACKOFF_S * 2**attempt
                self._sleep(min(wait, _LONGEST_WAIT_S))
        raise AssertionError("unreachable")

    def close(self) -> None:
        if "_client" in self.__dict__:
            self._client.close()
            del self._client

    def _once(self, method: str, path: str, body: Any) -> Any:
        url = self.root + path
        deadline = time.monotonic() + self._timeout_s
        chunks: list[bytes] = []
        try:
            with self._client.stream(method, url, json=body) as response:
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    # The client's limit is per read; a server that trickles would escape it.
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("the answer did not end in time")
        except (httpx.ConnectTimeout, httpx.TransportError, httpx.InvalidURL) as error:
            raise self._transport_error(url, error) from error
        return self._decode(url, response, b"".join(chunks))

    def _transport_error(self, url: str, error: Exception) -> ModelError:
        if isinstance(error, httpx.TimeoutException) and not isinstance(
            error, httpx.ConnectTimeout
        ):
            return ModelTimeout(
                f"no answer from {self.root} within {self._timeout_s:g} s",
                mend="raise model_timeout_s, or use a smaller model or prompt",
            )
        reason = str(error) or type(error).__name__
        if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
            return ModelUnavailable(f"{url} is not a usable address: {reason}", mend=self._mend)
        return Passing(f"cannot reach {self.root}: {reason}", mend=self._mend)

    def _decode(self, url: str, response: httpx.Response, content: bytes) -> Any:
        status = response.status_code
        if status != 200:
            raise self._status_error(url, status, response.headers, content)
        try:
            return json.loads(content)
        except ValueError as error:
            raise ModelUnavailable(
                f"{url} answered with something else than JSON", mend=self._mend
            ) from error

    def _status_error(
        self, url: str, status: int, headers: httpx.Headers, content: bytes
    ) -> ModelError:
        said = _said(content)
        message = f"{url} answered {status}" + (f": {said}" if said else "")
        if status in (400, 413, 422):
            if _speaks_of_window(said):
                return WindowExceeded(message, mend="lower the budget, or raise the window")
            return Refused(message)
        if status in _RETRIED:
            return Passing(message, mend=self._mend, wait_s=_seconds(headers.get("retry-after")))
        return ModelUnavailable(message, mend=self._mend)


class Passing(ModelUnavailable):
    """A failure that may pass: worth another try."""

    def __init__(self, message: str, *, mend: str, wait_s: float = 0.0) -> None:
        super().__init__(message, mend=mend)
        self.message = message
        self.wait_s = wait_s

    def __str__(self) -> str:
        return self.message


def _said(content: bytes) -> str:
    """The server's own words, out of whichever envelope."""
    try:
        answer = json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace").strip()[:200]
    while isinstance(answer, dict):
        answer = next((answer[k] for k in ("error", "message", "detail") if k in answer), None)
    return str(answer)[:300] if answer else ""


def _speaks_of_window(said: str) -> bool:
    lowered = said.lower()
    return "context size" in lowered or "context length" in lowered or "context window" in lowered


def _seconds(text: str | None) -> float:
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0

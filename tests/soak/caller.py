"""A caller: a client on a keep-alive connection that checks every response."""

from __future__ import annotations

import gzip
import http.client
import select
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from itertools import count
from time import monotonic

import brotli
from backports import zstd
from soak.ledger import Ledger
from soak.stamps import newest

from app.server.lifecycle import DRAIN_SECONDS

POSTGRESQL, REDIS = "PostgreSQL", "Redis"
WORKER, ALL_WORKERS = "worker killed", "all workers killed"
_NEEDED = {
    **dict.fromkeys(("lead", "form", "push", "orders"), POSTGRESQL),
    "monitoring": ALL_WORKERS,
}
"""What must be down for a kind of request to get 503."""

_CHANGES = "/api/public/v1/changes"
"""The one read of the public API that needs the database."""

TIMEOUT_SECONDS = 30.0
_SILENCE_SECONDS = DRAIN_SECONDS * 0.8
"""A server may close connections idle for DRAIN_SECONDS; the margin is for clock differences."""

_NUMBERS = count()
_DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress, "zstd": zstd.decompress}


@dataclass(frozen=True, slots=True)
class Answer:
    """One complete response, with its decoded body."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def some_client() -> str:
    """Return one of many client addresses, so that no rate limit applies."""
    number = next(_NUMBERS) % 60_000
    return f"198.{18 + number // 30_000}.{number // 250 % 120}.{number % 250 + 1}"


class Caller:
    """Sends one request at a time; returns None if there is no complete response."""

    def __init__(self, port: int, ledger: Ledger) -> None:
        self._ledger = ledger
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        self._used_at = 0.0
        self._seen: dict[str, int] = {}

    def ask(
        self,
        kind: str,
        target: str,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        body: bytes | None = None,
        expected: tuple[int, ...] = (200,),
    ) -> Answer | None:
        """Send a request, and record the response and every violation in the ledger."""
        kept = self._is_kept()
        began = monotonic()
        idle = began - self._used_at if kept else 0.0
        named = {"X-Forwarded-For": some_client(), **(headers or {})}
        try:
            self._connection.request(method, target, body, named)
            response = self._connection.getresponse()
            whole = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._dropped(kind, target, error, began - idle, idle if kept else None)
            return None
        self._used_at = monotonic()
        answer = Answer(response.status, response.headers, _decoded(response, whole))
        self._ledger.answered(kind, answer.status)
        self._judge_status(kind, target, answer, began, expected)
        self._judge_edition(target, answer)
        return answer

    def close(self) -> None:
        """Close the connection; the next request opens a new one."""
        self._connection.close()
        self._seen = {}

    def _is_kept(self) -> bool:
        """Return whether there is a connection that the server has not closed."""
        sock = self._connection.sock
        if sock is not None and select.select([sock], [], [], 0)[0]:
            self.close()
        if self._connection.sock is None:
            self._seen = {}
        return self._connection.sock is not None

    def _dropped(
        self, kind: str, target: str, error: Exception, since: float, idle: float | None
    ) -> None:
        """Record the reason for a missing response; `idle` is None on a new connection."""
        now = monotonic()
        self.close()
        no_word = isinstance(error, http.client.RemoteDisconnected | ConnectionError)
        if self._ledger.was_away(WORKER, since, now):
            self._ledger.dropped("its worker was killed")
        elif idle is not None and idle >= _SILENCE_SECONDS and no_word:
            self._ledger.dropped("an idle connection was closed during the request")
        else:
            where = "a new connection" if idle is None else f"one silent for {idle:.3f} s"
            case = f"{kind} {target} on {where}: {type(error).__name__}: {error}"
            self._ledger.broke("no request is dropped", case)

    def _judge_status(
        self, kind: str, target: str, answer: Answer, began: float, expected: tuple[int, ...]
    ) -> None:
        if answer.status in expected:
            return
        if answer.status != 503:
            case = f"{kind} {target} returned {answer.status}: {answer.body[:300]!r}"
            self._ledger.broke("statuses are the expected ones", case)
            return
        needed = POSTGRESQL if target.startswith(_CHANGES) else _NEEDED.get(kind)
        if needed is None or not self._ledger.was_away(needed, began, self._used_at):
            self._ledger.broke("503 only while its store is down", f"{kind} {target}")
        if needed != ALL_WORKERS and not answer.headers.get("Retry-After", "").isdigit():
            self._ledger.broke("each 503 has Retry-After", f"{kind} {target}")

    def _judge_edition(self, target: str, answer: Answer) -> None:
        """Check that a response is of one edition, and no older than the last one."""
        if answer.status != 200 or not answer.body:
            return
        for name, versions in newest(answer.body).items():
            if len(versions) > 1:
                self._ledger.broke("a response is of one edition", f"{target}: {name} {versions}")
            version = max(versions)
            if version < self._seen.get(name, 0):
                case = f"{target}: {name} {version} after {self._seen[name]}"
                self._ledger.broke("no connection goes back", case)
            self._seen[name] = max(version, self._seen.get(name, 0))


def _decoded(response: http.client.HTTPResponse, body: bytes) -> bytes:
    decode = _DECODERS.get(response.headers.get("Content-Encoding", ""))
    return decode(body) if decode and body else body

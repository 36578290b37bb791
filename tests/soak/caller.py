"""A caller: one client on a connection that it keeps, who judges every answer and every silence."""

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
from soak.ledger import Ledger
from soak.stamps import newest

from app.serving.server import DRAIN_SECONDS

POSTGRESQL, REDIS = "PostgreSQL", "Redis"
WORKER, CREW = "worker killed", "all workers killed"
_NEEDED = {**dict.fromkeys(("lead", "form", "push", "orders"), POSTGRESQL), "monitoring": CREW}
"""What may be away when a kind of request is refused with 503; `/ready` is no request to retry."""

TIMEOUT_SECONDS = 30.0
_SILENCE_SECONDS = DRAIN_SECONDS * 0.8
"""A server may close what was idle for DRAIN_SECONDS; clocks of two processes differ a little."""

_NUMBERS = count()
_DECODERS = {"gzip": gzip.decompress, "br": brotli.decompress}


@dataclass(frozen=True, slots=True)
class Answer:
    """One whole answer, with its body as it was before it was encoded."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()


def some_client() -> str:
    """The address of one of many clients, so that no rate limit is met."""
    number = next(_NUMBERS) % 60_000
    return f"198.{18 + number // 30_000}.{number // 250 % 120}.{number % 250 + 1}"


class Caller:
    """Asks one request at a time; a request without a whole answer gives None."""

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
        """Ask, and note what came; the ledger hears of every law that is broken by it."""
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
        """Leave; the next request makes a new connection."""
        self._connection.close()
        self._seen = {}

    def _is_kept(self) -> bool:
        """Whether there is a connection that the server has not closed, as any client looks."""
        sock = self._connection.sock
        if sock is not None and select.select([sock], [], [], 0)[0]:
            self.close()
        if self._connection.sock is None:
            self._seen = {}
        return self._connection.sock is not None

    def _dropped(
        self, kind: str, target: str, error: Exception, since: float, idle: float | None
    ) -> None:
        """Find the reason why there is no answer; `idle` is None on a new connection."""
        now = monotonic()
        self.close()
        no_word = isinstance(error, http.client.RemoteDisconnected | ConnectionError)
        if self._ledger.was_away(WORKER, since, now):
            self._ledger.dropped("its worker was killed")
        elif idle is not None and idle >= _SILENCE_SECONDS and no_word:
            self._ledger.dropped("an idle connection was closed as it asked")
        else:
            where = "a new connection" if idle is None else f"one silent for {idle:.3f} s"
            told = f"{kind} {target} on {where}: {type(error).__name__}: {error}"
            self._ledger.broke("no request is dropped", told)

    def _judge_status(
        self, kind: str, target: str, answer: Answer, began: float, expected: tuple[int, ...]
    ) -> None:
        if answer.status in expected:
            return
        if answer.status != 503:
            told = f"{kind} {target} answered {answer.status}: {answer.body[:300]!r}"
            self._ledger.broke("statuses are the expected ones", told)
            return
        needed = _NEEDED.get(kind)
        if needed is None or not self._ledger.was_away(needed, began, self._used_at):
            self._ledger.broke("503 only while what is needed is away", f"{kind} {target}")
        if needed != CREW and not answer.headers.get("Retry-After", "").isdigit():
            self._ledger.broke("each 503 has Retry-After", f"{kind} {target}")

    def _judge_edition(self, target: str, answer: Answer) -> None:
        """One answer is of one edition, and no connection goes back to an older one."""
        if answer.status != 200 or not answer.body:
            return
        for name, versions in newest(answer.body).items():
            if len(versions) > 1:
                self._ledger.broke("an answer is of one edition", f"{target}: {name} {versions}")
            version = max(versions)
            if version < self._seen.get(name, 0):
                told = f"{target}: {name} {version} after {self._seen[name]}"
                self._ledger.broke("no connection goes back", told)
            self._seen[name] = max(version, self._seen.get(name, 0))


def _decoded(response: http.client.HTTPResponse, body: bytes) -> bytes:
    decode = _DECODERS.get(response.headers.get("Content-Encoding", ""))
    return decode(body) if decode and body else body

"""The sender: one attempt to hand a body to the webhook; whatever happens, it tells.

The status line decides. The answer's body is never read, so it can neither fill the memory nor
keep the sender busy.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Self
from urllib.parse import urlsplit

import httpx

from app.deliveries.delivery import AttemptResult
from app.deliveries.signature import signed_headers


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How many seconds a connection may take, and an attempt from start to end."""

    connect: float = 5
    total: float = 15


class Sender:
    """Sends to one URL; an async context that holds the client."""

    def __init__(self, url: str, secret: str = "", patience: Timeouts | None = None) -> None:
        self._url = url
        self._secret = secret
        self._patience = patience or Timeouts()
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(self._patience.total, connect=self._patience.connect),
            limits=httpx.Limits(max_keepalive_connections=0),  # an idle connection may be dead
            follow_redirects=False,
            trust_env=False,  # what is sent, and where to, is said by our settings alone
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    @property
    def host(self) -> str:
        """The host that it sends to, with its port."""
        return urlsplit(self._url).netloc.rpartition("@")[2].lower()

    @property
    def signs(self) -> bool:
        """Whether there is a secret to sign with."""
        return bool(self._secret)

    async def send(self, webhook_id: str, body: bytes, at: datetime) -> AttemptResult:
        """Post the body as the attempt of this instant."""
        named = signed_headers(webhook_id, at, body, self._secret)
        try:
            async with (
                asyncio.timeout(self._patience.total),
                self._client.stream("POST", self._url, content=body, headers=named) as response,
            ):
                return _outcome(response, at)
        except TimeoutError:
            return AttemptResult(error=f"no answer within {self._patience.total:g} seconds")
        except (httpx.HTTPError, OSError) as error:
            return AttemptResult(error=_told(error))


def _outcome(response: httpx.Response, at: datetime) -> AttemptResult:
    status = response.status_code
    error = None if response.is_success else f"the receiver answered {status}"
    return AttemptResult(status, error, retry_after(response.headers.get("Retry-After"), at))


def _told(error: Exception) -> str:
    """The kind of failure and its own words."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def retry_after(text: str | None, now: datetime) -> timedelta | None:
    """How long a receiver asks to wait, in seconds or until a date; None where it does not.

    >>> retry_after("120", datetime.now(UTC)), retry_after("soon", datetime.now(UTC))
    (datetime.timedelta(seconds=120), None)
    """
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text[:9]), 10**9))
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(moment - now, timedelta())

"""What senders need of an HTTP client, whose library a service that sends nothing never imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.platform.deliveries.delivery import AttemptResult


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits in seconds: for connecting, and for the whole attempt."""

    connect: float = 5
    total: float = 15


class HttpClient(Protocol):
    """Posts bodies."""

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], at: datetime
    ) -> AttemptResult:
        """Post the body once. Network errors and timeouts become results, not exceptions."""

    async def aclose(self) -> None:
        """Close every connection."""


def open_http_client(timeouts: Timeouts | None = None) -> HttpClient:
    """Return a client; only now is its library imported, which takes 30 ms."""
    from app.platform.deliveries.httpx_client import HttpxClient  # noqa: PLC0415

    return HttpxClient(timeouts or Timeouts())

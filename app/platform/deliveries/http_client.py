"""HTTP deliveries: the client of senders, and webhooks, signed by Standard Webhooks.

Only the status line and Retry-After count. The response body is never read, so a receiver cannot
fill the memory or keep the sender busy with it.

`webhook-id` is the same for all attempts of a delivery, `webhook-timestamp` is the time of the
attempt, and the signature covers both and the exact bytes of the body.

Functions import httpx, which takes 7 MB, as most services send nothing.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from http import HTTPStatus
from ssl import SSLContext
from urllib.parse import urlsplit

from opentelemetry.trace import SpanKind
from standardwebhooks import Webhook

from app.platform import VERSION
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.observability.tracing import Attributes, fail, span, trace_headers


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits in seconds: for connecting, and for the whole attempt."""

    connect: float = 5
    total: float = 15


class HttpClient:
    """Posts bodies, each in a connection of its own."""

    def __init__(self, timeouts: Timeouts | None = None) -> None:
        import httpx  # noqa: PLC0415

        self._timeouts = timeouts or Timeouts()
        self._client = httpx.AsyncClient(
            verify=trusted_certificates(),
            timeout=httpx.Timeout(self._timeouts.total, connect=self._timeouts.connect),
            limits=httpx.Limits(max_keepalive_connections=0),  # an idle connection may be dead
            follow_redirects=False,
            trust_env=False,  # ignore proxy and netrc settings of the environment
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], at: datetime
    ) -> AttemptResult:
        """Post the body once. Network errors and timeouts become results, not exceptions."""
        address = urlsplit(url)  # the rest of the URL may hold a secret
        attributes: Attributes = {
            "http.request.method": "POST",
            "server.address": address.hostname or "",
            "server.port": address.port or (443 if address.scheme == "https" else 80),
        }
        with span("POST", SpanKind.CLIENT, attributes) as current:
            result = await self._post(url, body, {**headers, **trace_headers()}, at)
            if result.response_status is not None:
                current.set_attribute("http.response.status_code", result.response_status)
            if not result.delivered:
                fail(current, str(result.response_status or "unanswered"))
            return result

    async def _post(
        self, url: str, body: bytes, headers: Mapping[str, str], at: datetime
    ) -> AttemptResult:
        import httpx  # noqa: PLC0415

        try:
            async with (
                asyncio.timeout(self._timeouts.total),
                self._client.stream("POST", url, content=body, headers=headers) as response,
            ):
                status = response.status_code
                error = None if response.is_success else f"the receiver answered {status}"
                later = retry_after(response.headers.get("Retry-After"), at)
                return AttemptResult(status, error, later)
        except TimeoutError:
            return AttemptResult(error=f"no answer within {self._timeouts.total:g} seconds")
        except (httpx.HTTPError, OSError) as error:
            return AttemptResult(error=f"{type(error).__name__}: {error}".rstrip(": "))


def retry_after(text: str | None, now: datetime) -> timedelta | None:
    """Parse Retry-After, a number of seconds or a date; return None if absent or invalid.

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


@cache
def trusted_certificates() -> SSLContext:
    """Return the context that trusts the authorities of certifi; it takes 20 ms, so once."""
    import httpx  # noqa: PLC0415

    return httpx.create_ssl_context(trust_env=False)


class WebhookSender:
    """Posts to one URL; with an empty secret, without a signature. `headers` are sent too."""

    def __init__(
        self,
        url: str,
        secret: str = "",
        timeouts: Timeouts | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._url = url
        self._secret = secret
        self._headers = headers or {}
        self._client = HttpClient(timeouts)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

    def headers_of(self, _delivery: Delivery) -> Mapping[str, str]:
        """Return the headers that are sent besides those of the signature."""
        return self._headers

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post the body once; a receiver ends the delivery with 410, as Standard Webhooks say."""
        signed = signed_headers(delivery.id, at, delivery.body, self._secret)
        headers = {**signed, **self.headers_of(delivery)}
        result = await self._client.post(self._url, delivery.body, headers, at)
        return replace(result, final=result.response_status == HTTPStatus.GONE)


def signed_headers(webhook_id: str, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers of one attempt; with an empty secret, without a signature."""
    at = at.astimezone(UTC)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"majlis/{VERSION}",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(at.timestamp())),
    }
    if secret:
        headers["webhook-signature"] = Webhook(secret).sign(webhook_id, at, body.decode())
    return headers

"""Facts of the public address: what it answers, and its certificate."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import httpx

from app.operations.doctor.facts import Answer, CertificateFacts, PublicFacts
from app.platform.clock import Clock
from app.settings import Settings

TIMEOUT_SECONDS = 5.0
_MAX_BYTES = 65_536
_AGENT = "majlis-doctor"
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)"')
_HTML, _MARKDOWN = "text/html", "text/markdown"


async def public_facts(settings: Settings, clock: Clock) -> PublicFacts:
    """Ask the public address; if it does not answer the first question, ask no others."""
    base = settings.public_url
    certificate = asyncio.create_task(_certificate(base))
    async with _client() as client:
        health = await _get(client, f"{base}/api/public/v1/health", clock)
        if health.problem:
            return PublicFacts(health, await certificate, await _by_http(client, base, clock))
        by_http, robots, pages, (hint, hints) = await asyncio.gather(
            _by_http(client, base, clock),
            _get(client, f"{base}/robots.txt", clock),
            _pages(client, base, clock),
            _hints(client, base, settings.country_header, clock),
        )
    return PublicFacts(health, await certificate, by_http, robots, pages, hint, hints)


def _client() -> httpx.AsyncClient:
    """Create a client that accepts any certificate: a check of its own judges that."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return httpx.AsyncClient(
        verify=context, timeout=TIMEOUT_SECONDS, trust_env=False, headers={"User-Agent": _AGENT}
    )


async def _get(
    client: httpx.AsyncClient, url: str, clock: Clock, headers: Mapping[str, str] | None = None
) -> Answer:
    try:
        async with (
            asyncio.timeout(2 * TIMEOUT_SECONDS),  # later than the client, which closes connections
            client.stream("GET", url, headers=headers) as response,
        ):
            received_at, body = clock(), b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) >= _MAX_BYTES:
                    break
    except (TimeoutError, httpx.TimeoutException):
        return Answer(problem=f"no answer within {TIMEOUT_SECONDS:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return Answer(problem=f"{type(error).__name__}: {error}".rstrip(": "))
    names = {name.lower(): value for name, value in response.headers.items()}
    return Answer(response.status_code, names, body.decode(errors="replace"), received_at)


async def _by_http(client: httpx.AsyncClient, base: str, clock: Clock) -> Answer | None:
    """Ask the host without TLS, if the address has TLS on its usual port."""
    parts = urlsplit(base)
    if parts.scheme != "https" or parts.port not in (None, 443):
        return None
    return await _get(client, f"http://{parts.netloc.removesuffix(':443')}/", clock)


async def _pages(client: httpx.AsyncClient, base: str, clock: Clock) -> tuple[Answer, ...]:
    """Ask one page for HTML, for markdown and for HTML again, as a cache in between would."""
    url = await _home(client, base, clock)
    wanted = (_HTML, _MARKDOWN, _HTML)
    return tuple([await _get(client, url, clock, {"Accept": each}) for each in wanted])


async def _home(client: httpx.AsyncClient, base: str, clock: Clock) -> str:
    """Return the address of a page that caches may keep: where the root leads, or its canonical.

    It is asked on the public host, whatever the answer says.
    """
    root = httpx.URL(f"{base}/")
    answer = await _get(client, str(root), clock, {"Accept": _HTML})
    canonical = _CANONICAL.search(answer.text)
    page = answer.headers.get("location") or (unescape(canonical[1]) if canonical else "/")
    return str(root.copy_with(raw_path=root.join(page).raw_path))


async def _hints(
    client: httpx.AsyncClient, base: str, header: str, clock: Clock
) -> tuple[str | None, Mapping[str, str | None]]:
    """Return the country of a client who says nothing, and of one who writes each of the site."""
    api = f"{base}/api/public/v1"

    async def hint(headers: Mapping[str, str]) -> str | None:
        body = _json((await _get(client, f"{api}/locale-hint", clock, headers)).text)
        return str(body.get("countryCode")) if body.get("source") == "header" else None

    listed = _json((await _get(client, f"{api}/countries", clock)).text).get("items", [])
    return await hint({}), {
        each["code"]: await hint({header: each["code"]}) for each in listed if "code" in each
    }


def _json(text: str) -> dict[str, Any]:
    """Return an object, which is empty if the answer is not that of this service."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


async def _certificate(base: str) -> CertificateFacts | None:
    """Connect as a browser does, and return what it would make of the certificate."""
    parts = urlsplit(base)
    if parts.scheme != "https":
        return None
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            context = ssl.create_default_context()
            _, writer = await asyncio.open_connection(
                parts.hostname, parts.port or 443, ssl=context
            )
            certificate = writer.get_extra_info("peercert")
            writer.transport.abort()
    except ssl.SSLCertVerificationError as error:
        return CertificateFacts(problem=error.verify_message)
    except TimeoutError:
        return CertificateFacts(problem=f"no answer within {TIMEOUT_SECONDS:g} seconds")
    except OSError as error:
        return CertificateFacts(problem=f"{type(error).__name__}: {error.strerror or error}")
    until = ssl.cert_time_to_seconds(certificate["notAfter"])
    return CertificateFacts(datetime.fromtimestamp(until, UTC))

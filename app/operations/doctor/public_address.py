"""The public address: what it answers and its certificate, and what the checks make of that."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from html import unescape
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx

from app.operations.doctor import (
    CertificateFacts,
    Facts,
    Finding,
    HttpAnswer,
    PublicFacts,
    fault,
    ok,
    warning,
)
from app.platform.asgi.client_address import TrustedProxies
from app.platform.clock import Clock
from app.platform.deliveries.smtp import is_loopback
from app.settings import Settings

TIMEOUT_SECONDS = 5.0
_MAX_BYTES = 65_536
_AGENT = "majlis-doctor"
_HTML, _MARKDOWN = "text/html", "text/markdown"
_CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)"')


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
) -> HttpAnswer:
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
        return HttpAnswer(problem=f"no answer within {TIMEOUT_SECONDS:g} seconds")
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return HttpAnswer(problem=f"{type(error).__name__}: {error}".rstrip(": "))
    names = {name.lower(): value for name, value in response.headers.items()}
    return HttpAnswer(response.status_code, names, body.decode(errors="replace"), received_at)


async def _by_http(client: httpx.AsyncClient, base: str, clock: Clock) -> HttpAnswer | None:
    """Ask the host without TLS, if the address has TLS on its usual port."""
    parts = urlsplit(base)
    if parts.scheme != "https" or parts.port not in (None, 443):
        return None
    return await _get(client, f"http://{parts.netloc.removesuffix(':443')}/", clock)


async def _pages(client: httpx.AsyncClient, base: str, clock: Clock) -> tuple[HttpAnswer, ...]:
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


def judge_public_address(facts: Facts) -> Iterator[Finding]:
    """Judge health, TLS, the redirect to it, links, and negotiation."""
    public, settings = facts.public, facts.settings
    if public is None:
        return
    yield _reached(public.health, settings)
    yield from _tls(settings, public.by_http)
    if public.health.status == 200:
        yield from _links(public.robots, settings.public_url)
        yield from _negotiation(public.pages)


def _reached(health: HttpAnswer, settings: Settings) -> Finding:
    url = settings.public_url
    if health.problem:
        return fault(
            f"{url} does not answer: {health.problem}",
            "Start the service, and check DNS, firewall and proxy.",
        )
    body = _json(health.text)
    if body.get("service") != "majlis":
        return fault(
            f"{url} answers {health.status}, but is not a majlis.",
            "Let the proxy pass all paths to HOST and PORT.",
        )
    if health.status != 200:
        return fault(
            f"{url} reaches the service, which has no content to serve.",
            "Read its log, and run `majlis check`.",
        )
    told = body.get("env", {})
    if (told.get("nodeEnv"), told.get("port")) != (settings.app_env, settings.port):
        return warning(
            f"{url} reaches a majlis with another APP_ENV or PORT.",
            "Run this command with the settings of the service, or correct the proxy.",
        )
    return ok(f"{url} reaches this service.")


def _tls(settings: Settings, by_http: HttpAnswer | None) -> Iterator[Finding]:
    parts = urlsplit(settings.public_url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        yield fault(
            "BASE_URL has no TLS: what visitors send can be read on its way.",
            "Get a certificate, for example from Let's Encrypt, and write https:// in BASE_URL.",
        )
    if by_http is None:
        return
    if by_http.problem:
        yield warning(
            f"http://{parts.hostname} does not answer: {by_http.problem}",
            "Let the proxy redirect http to https.",
        )
    elif not by_http.headers.get("location", "").startswith("https://"):
        yield fault(
            f"http://{parts.hostname} answers {by_http.status} without leading to https.",
            "Let the proxy redirect http to https with 301 or 308.",
        )
    else:
        yield ok("http leads to https.")


def _links(robots: HttpAnswer, url: str) -> Iterator[Finding]:
    """Compare the base of links with BASE_URL, which the running service may not have."""
    maps = [line for line in robots.text.splitlines() if line.lower().startswith("sitemap:")]
    if maps and not any(f"{url}/" in line for line in maps):
        yield fault(
            "The service that answers writes links with another BASE_URL.",
            "Set BASE_URL where it runs, and restart it.",
        )


def _negotiation(pages: Sequence[HttpAnswer]) -> Iterator[Finding]:
    """Judge whether a client gets the type that it asks for, also after another client."""
    if any(page.problem or page.status != 200 for page in pages) or not pages:
        yield warning("The home page cannot be read.", "Read the log of the service and the proxy.")
        return
    types = [page.headers.get("content-type", "").partition(";")[0] for page in pages]
    if types != [_HTML, _MARKDOWN, _HTML]:
        yield fault(
            f"Clients who ask for HTML, markdown and HTML get {', '.join(types)}.",
            "Let caches and proxies pass Accept on, and heed Vary, or not cache pages.",
        )
    elif not all("accept" in _vary(page) for page in pages):
        yield fault(
            "Vary: Accept is lost on the way, so that caches may mix HTML and markdown.",
            "Let the proxy pass Vary on.",
        )
    else:
        yield ok("Pages come as HTML and as markdown by Accept, with Vary.")


def _vary(page: HttpAnswer) -> set[str]:
    return {name.strip().lower() for name in page.headers.get("vary", "").split(",")}


def _json(text: str) -> dict[str, Any]:
    """Return an object, which is empty if the answer is not that of this service."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


_ADD = "Set TRUSTED_PROXIES to the addresses of the proxy, as the service sees them."


def judge_proxies(facts: Facts) -> Iterator[Finding]:
    """Judge who connects, and whether clients can forge what only a proxy should say."""
    yield from _trust(facts)
    if facts.public is not None and facts.public.hints:
        yield _country(facts.public, facts.settings.country_header)


def _trust(facts: Facts) -> Iterator[Finding]:
    trusted = facts.settings.trusted_proxies
    has_proxy = facts.settings.public_url.startswith("https:")
    strangers = _strangers(facts)
    if has_proxy and not trusted:
        seen = f" Connections come from {', '.join(strangers)}." if strangers else ""
        yield fault(
            "BASE_URL has TLS, so a proxy stands before the service, but TRUSTED_PROXIES is not"
            f" set: all clients share one rate limit.{seen}",
            _ADD,
        )
    elif has_proxy and strangers:
        yield warning(
            f"Connections come from {', '.join(strangers)}, which TRUSTED_PROXIES does not have.",
            f"{_ADD} Close the port to others.",
        )
    elif trusted:
        yield ok("All connections that are open come from TRUSTED_PROXIES.")


def _strangers(facts: Facts) -> list[str]:
    """Return the addresses that are connected and are not trusted."""
    proxies = TrustedProxies(facts.settings.trusted_proxies)
    unknown = [peer for peer in facts.peers if not proxies.trusts(peer)]
    return sorted(unknown, key=lambda peer: ip_address(peer.partition("%")[0]).packed)


def _country(public: PublicFacts, header: str) -> Finding:
    taken = [country for country, hint in public.hints.items() if hint == country != public.hint]
    if taken:
        return warning(
            f"{header} is taken from clients, who can write what they like: {', '.join(taken)}.",
            f"Let the proxy overwrite or remove {header}.",
        )
    if not any((public.hint, *public.hints.values())):
        return ok(f"Clients cannot set {header}.")
    return ok(f"The proxy sets {header}, whatever clients send.")


SOON = timedelta(days=14)
"""Certificates are renewed earlier than this, so that something went wrong."""


def judge_tls(facts: Facts) -> Iterator[Finding]:
    """Judge the certificate, if the address has TLS."""
    if facts.public is None or facts.public.certificate is None:
        return
    certificate = facts.public.certificate
    if certificate.problem or certificate.valid_until is None:
        yield fault(
            f"Clients do not accept the TLS of BASE_URL: {certificate.problem}.",
            "Renew the certificate, for this name and with its chain, and reload the proxy.",
        )
        return
    left = certificate.valid_until - facts.now
    until = f"{certificate.valid_until:%Y-%m-%d}"
    if left < SOON:
        yield warning(
            f"The certificate is valid for {left.days} more days, until {until}.",
            "Renew it, and check why it was not renewed by itself.",
        )
    else:
        yield ok(f"The certificate is valid for {left.days} more days, until {until}.")

"""Origins and hosts: which pages may call through a browser, and the protection against CSRF.

A page of another site can make a browser on the same network send requests. The browser then tells
its origin, and if the site has made its own name an address of this service, that name as host.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from app.platform.asgi.scope import RequestHeaders
from app.services import Services, services
from app.web.http.request_context import current_request
from knowledge.resources.errors import MajlisError

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^:\[\]]+))(?::\d{0,5})?")


@dataclass(frozen=True, slots=True)
class CallerRules:
    """The origins and the host of a service; loopback names are allowed too."""

    origins: frozenset[str]
    host: str

    @classmethod
    def of(cls, public_url: str, others: Iterable[str]) -> Self:
        """Return the rules of a site that allows some other origins."""
        host = urlsplit(public_url).hostname or ""
        return cls(frozenset({origin_of(public_url), *others}), host)

    def allow_origin(self, headers: RequestHeaders) -> bool:
        """Return whether the page that sent a request, if any, may call.

        >>> rules = CallerRules(frozenset({"https://a.example"}), "a.example")
        >>> [rules.allow_origin({b"origin": each}) for each in (b"https://a.example", b"null")]
        [True, False]
        >>> rules.allow_origin({b"origin": b"http://localhost:6274"}), rules.allow_origin({})
        (True, True)
        """
        sent = headers.get(b"origin")
        if sent is None:
            return True
        origin = sent.decode("latin-1").lower()
        scheme, _, host = origin.partition("://")
        is_local = scheme in ("http", "https") and _name_of(host) in _LOOPBACK
        return origin in self.origins or is_local

    def allow_host(self, headers: RequestHeaders) -> bool:
        """Return whether a request names this service as its host, on any port.

        >>> rules = CallerRules(frozenset(), "a.example")
        >>> [rules.allow_host({b"host": each}) for each in (b"A.example:443", b"b.example")]
        [True, False]
        """
        name = _name_of(headers.get(b"host", b"").decode("latin-1").lower())
        return name == self.host or name in _LOOPBACK


def _name_of(host: str) -> str | None:
    match = _HOST.fullmatch(host)
    return (match["address"] or match["name"]) if match else None


_SAME_ORIGIN = ("same-origin", "none")


class CrossOriginRequest(MajlisError):
    """A page of another origin made the browser send this form."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Forms sent from other sites are not accepted.",
            "Open the contact page of this site and send the form there.",
        )


class OriginNotAllowed(MajlisError):
    """A page of an origin that is not allowed made the browser send something to the API."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Browsers may not send this from pages of this origin.",
            "Send it from a page of this site or from a server, or ask the operator to add"
            " the origin to LEADS_ORIGINS.",
        )


def check_origin() -> None:
    """Raise CrossOriginRequest if a page of an origin that may not send leads sent the request."""
    headers, settings = current_request.get().headers, services().settings
    is_listed = _browser_headers(headers)[1] in settings.lead_origins
    if not is_listed and not is_same_origin(headers, settings.public_url):
        raise CrossOriginRequest


def may_submit(services: Services, headers: RequestHeaders) -> bool:
    """Return whether the API accepts a submission from the page that sent a request, if any."""
    settings = services.settings
    return is_allowed_origin(headers, (origin_of(settings.public_url), *settings.lead_origins))


def is_allowed_origin(headers: RequestHeaders, allowed: Container[str | None]) -> bool:
    """Return whether a request comes from an allowed origin, the same origin, or no browser.

    >>> site = ["https://www.a.example"]
    >>> same_site = {b"sec-fetch-site": b"same-site", b"origin": site[0].encode()}
    >>> is_allowed_origin(same_site, site)
    True
    >>> is_allowed_origin({b"origin": b"https://b.example"}, site)
    False
    >>> is_allowed_origin({}, site)
    True
    """
    site, origin = _browser_headers(headers)
    return origin in allowed or _is_own_origin(site, origin)


def is_same_origin(headers: RequestHeaders, public_url: str) -> bool:
    """Return whether a request comes from the same origin, or from a client without the headers.

    Clients that send neither header are not browsers, and carry no cookies of a visitor.

    >>> is_same_origin({b"sec-fetch-site": b"cross-site"}, "https://a.example")
    False
    >>> is_same_origin({b"origin": b"https://a.example"}, "https://a.example/shop")
    True
    """
    site, origin = _browser_headers(headers)
    return _is_own_origin(site, origin) or (site is None and origin == origin_of(public_url))


def _browser_headers(headers: RequestHeaders) -> tuple[str | None, str | None]:
    """Return Sec-Fetch-Site and Origin."""
    values = (headers.get(name) for name in (b"sec-fetch-site", b"origin"))
    site, origin = (None if value is None else value.decode("latin-1") for value in values)
    return site, origin


def _is_own_origin(site: str | None, origin: str | None) -> bool:
    """Return whether Sec-Fetch-Site reports the same origin, or both headers are absent."""
    return origin is None if site is None else site in _SAME_ORIGIN


def origin_of(url: str) -> str:
    """Return the origin of a URL, as browsers send it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()

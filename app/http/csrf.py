"""CSRF protection: which origins' pages may send leads through a browser."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import urlsplit

from quart import request
from werkzeug.datastructures import Headers

from app.services import services
from knowledge.errors import MajlisError

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
    """A page of an origin that is not allowed made the browser send a lead to the API."""

    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Browsers may not send leads from pages of this origin.",
            "Send the lead from a page of this site or from a server, or ask the operator to add"
            " the origin to LEADS_ORIGINS.",
        )


def check_origin() -> None:
    """Raise CrossOriginRequest if the request was sent by a page of another origin."""
    if not is_same_origin(request.headers, services().settings.public_url):
        raise CrossOriginRequest


def refuse_origins_not_allowed() -> None:
    """Raise OriginNotAllowed if a lead was sent by a page of an origin that is not allowed."""
    if not may_send_leads():
        raise OriginNotAllowed


def may_send_leads() -> bool:
    """Return whether the API accepts a lead from the page that sent this request, if any."""
    settings = services().settings
    allowed = (_origin(settings.public_url), *settings.lead_origins)
    return is_allowed_origin(request.headers, allowed)


def is_allowed_origin(headers: Headers, allowed: Container[str | None]) -> bool:
    """Return whether a request comes from an allowed origin, the same origin, or no browser.

    >>> site = ["https://www.a.example"]
    >>> is_allowed_origin(Headers({"Sec-Fetch-Site": "same-site", "Origin": site[0]}), site)
    True
    >>> is_allowed_origin(Headers({"Origin": "https://b.example"}), site)
    False
    >>> is_allowed_origin(Headers(), site)
    True
    """
    origin = headers.get("Origin")
    return origin in allowed or _is_own_origin(headers.get("Sec-Fetch-Site"), origin)


def is_same_origin(headers: Headers, public_url: str) -> bool:
    """Return whether a request comes from the same origin, or from a client without the headers.

    Clients that send neither header are not browsers, and carry no cookies of a visitor.

    >>> is_same_origin(Headers({"Sec-Fetch-Site": "cross-site"}), "https://a.example")
    False
    >>> is_same_origin(Headers({"Origin": "https://a.example"}), "https://a.example/shop")
    True
    """
    site, origin = headers.get("Sec-Fetch-Site"), headers.get("Origin")
    return _is_own_origin(site, origin) or (site is None and origin == _origin(public_url))


def _is_own_origin(site: str | None, origin: str | None) -> bool:
    """Return whether Sec-Fetch-Site reports the same origin, or both headers are absent."""
    return origin is None if site is None else site in _SAME_ORIGIN


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()

"""Same origin: browsers may send leads from our own pages, not from those of others (CSRF)."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import urlsplit

from quart import request
from werkzeug.datastructures import Headers

from app.services import services
from knowledge.errors import MajlisError

_OURS = ("same-origin", "none")


class CrossOriginRequest(MajlisError):
    """A page of somebody else has made the browser send this."""

    def __init__(self) -> None:
        super().__init__(
            "This form is not taken from other sites.", "Open the page and send it there."
        )


class OriginNotAllowed(MajlisError):
    """A page of an origin that is not allowed has made the browser send a lead to the API."""

    def __init__(self) -> None:
        super().__init__(
            "Browsers may not send leads from pages of this origin.",
            "Send it from a page of this site or from a server, or ask the operator to add the"
            " origin to LEADS_ORIGINS.",
        )


def check_origin() -> None:
    """Raise CrossOriginRequest where the browser says that the request comes from elsewhere."""
    if not is_same_origin(request.headers, services().settings.public_url):
        raise CrossOriginRequest


def refuse_origins_not_allowed() -> None:
    """Raise OriginNotAllowed where the browser says that a lead comes from elsewhere."""
    if not may_send_leads():
        raise OriginNotAllowed


def may_send_leads() -> bool:
    """Whether the API takes a lead from the page, if it was a page, that made this request."""
    settings = services().settings
    allowed = (_origin(settings.public_url), *settings.lead_origins)
    return is_allowed_origin(request.headers, allowed)


def is_allowed_origin(headers: Headers, allowed: Container[str | None]) -> bool:
    """As `is_same_origin`; an allowed origin may also send to another host than its own.

    >>> site = ["https://www.a.example"]
    >>> is_allowed_origin(Headers({"Sec-Fetch-Site": "same-site", "Origin": site[0]}), site)
    True
    >>> is_allowed_origin(Headers({"Origin": "https://b.example"}), site)
    False
    >>> is_allowed_origin(Headers(), site)
    True
    """
    origin = headers.get("Origin")
    return origin in allowed or _is_ours(headers.get("Sec-Fetch-Site"), origin)


def is_same_origin(headers: Headers, public_url: str) -> bool:
    """What the browser tells; programs that tell nothing carry nobody's cookies.

    >>> is_same_origin(Headers({"Sec-Fetch-Site": "cross-site"}), "https://a.example")
    False
    >>> is_same_origin(Headers({"Origin": "https://a.example"}), "https://a.example/shop")
    True
    """
    site, origin = headers.get("Sec-Fetch-Site"), headers.get("Origin")
    return _is_ours(site, origin) or (site is None and origin == _origin(public_url))


def _is_ours(site: str | None, origin: str | None) -> bool:
    """Whether the browser calls it ours, or nothing speaks of a browser."""
    return origin is None if site is None else site in _OURS


def _origin(url: str) -> str:
    ours = urlsplit(url)
    return f"{ours.scheme}://{ours.netloc}".lower()

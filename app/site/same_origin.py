"""Same origin: a form is taken from our own pages, not from those of others (CSRF)."""

from __future__ import annotations

from urllib.parse import urlsplit

from quart import request
from werkzeug.datastructures import Headers

from app.services import services
from knowledge.errors import KnowledgeError

_OURS = ("same-origin", "none")


class ForeignOrigin(KnowledgeError):
    """A page of somebody else has made the browser send this."""

    def __init__(self) -> None:
        super().__init__(
            "This form is not taken from other sites.", "Open the page and send it there."
        )


def refuse_other_origins() -> None:
    """Raise ForeignOrigin where the browser says that the request comes from elsewhere."""
    if not is_same_origin(request.headers, services().settings.public_url):
        raise ForeignOrigin


def is_same_origin(headers: Headers, public_url: str) -> bool:
    """What the browser tells; programs that tell nothing carry nobody's cookies.

    >>> is_same_origin(Headers({"Sec-Fetch-Site": "cross-site"}), "https://a.example")
    False
    >>> is_same_origin(Headers({"Origin": "https://a.example"}), "https://a.example/shop")
    True
    """
    site = headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in _OURS
    origin = headers.get("Origin")
    ours = urlsplit(public_url)
    return origin is None or origin == f"{ours.scheme}://{ours.netloc}"

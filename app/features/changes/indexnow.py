"""IndexNow: tells search engines the addresses of changed pages, and serves its key file."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from quart import Quart, Response

from app.features.changes.followers import Follower, Notification
from app.features.changes.model import ChangePage
from app.features.changes.settings import ChangeSettings
from app.platform import VERSION
from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind
from app.platform.deliveries.http_client import HttpClient, Timeouts
from app.services import services
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from knowledge.views.content_view import absolute
from renderers.representation import Representation


def key_path(key: str) -> str:
    """Return the path of the file that proves who owns the site.

    >>> key_path("0123456789abcdef")
    '/0123456789abcdef.txt'
    """
    return f"/{key}.txt"


def is_public(base_url: str) -> bool:
    """Return whether search engines may be able to reach a site at this address.

    >>> is_public("https://www.example.com"), is_public("http://[::1]:8000"), is_public("")
    (True, False, False)
    """
    host = urlsplit(base_url).hostname or "localhost"
    if host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        address = ip_address(host)
    except ValueError:  # a name
        return True
    return not (address.is_loopback or address.is_unspecified)


COLLECTS = timedelta(seconds=10)
"""How long changes are collected, so that an upload of many files becomes one request."""
MOST_CHANGES = 5_000
"""A moved page has two addresses, and a request may have 10,000."""

INDEXNOW = DeliveryKind("indexnow")


def search_engines(base_url: str, key: str, url: str) -> Follower:
    """Return the search engines behind an IndexNow URL as a follower."""

    async def notification(page: ChangePage) -> Notification:
        return Notification(submission(page, base_url, key), page.cursor)

    name = urlsplit(url).netloc.rpartition("@")[2]
    return Follower("indexnow", name, INDEXNOW, MOST_CHANGES, notification, COLLECTS)


def submission(page: ChangePage, base_url: str, key: str) -> bytes:
    """Return the body of a request: the absolute URL of every page, once; of a move both."""
    paths = (
        path
        for item in page.items
        for path in (item.change.path, item.change.moved_to)
        if path is not None
    )
    body = {
        "host": urlsplit(base_url).netloc,
        "key": key,
        "keyLocation": base_url + key_path(key),
        "urlList": [absolute(base_url, path) for path in dict.fromkeys(paths)],
    }
    return json.dumps(body).encode()


_HEADERS = {"Content-Type": "application/json; charset=utf-8", "User-Agent": f"majlis/{VERSION}"}
_FINAL = {
    HTTPStatus.BAD_REQUEST: "it does not understand the request; check INDEXNOW_URL",
    HTTPStatus.FORBIDDEN: (
        "it does not accept the key; check that the key file is reachable on the internet"
        " at BASE_URL/INDEXNOW_KEY.txt"
    ),
    HTTPStatus.UNPROCESSABLE_ENTITY: (
        "the URLs are not those of the key's host; check that BASE_URL is the public address"
    ),
}
"""What the answers mean after which sending the same again would not help."""


class IndexNowSender:
    """Posts submissions to one URL."""

    def __init__(self, url: str, timeouts: Timeouts | None = None) -> None:
        self._url = url
        self._client = HttpClient(timeouts)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post the body once; some answers are final, and their error says what to do."""
        result = await self._client.post(self._url, delivery.body, _HEADERS, at)
        if result.response_status not in _FINAL:
            return result
        status = HTTPStatus(result.response_status)
        return replace(result, final=True, error=f"IndexNow answered {status}: {_FINAL[status]}")


MEDIA_TYPE = "text/plain; charset=utf-8"


def install(app: Quart, key: str) -> None:
    """Add the route of the key file, if there is a key."""
    if key:
        app.add_url_rule(key_path(key), "indexnow_key", get_key)


@policy(MAP)
def get_key() -> Response:
    """Get the key of IndexNow."""
    return represent(
        Representation(MEDIA_TYPE, services().settings.of(ChangeSettings).indexnow_key.encode())
    )

"""Origins and hosts: which pages may call an endpoint through a browser, and by which names.

A page of another site can make a browser on the same network send requests. The browser then tells
its origin, and if the site has made its own name an address of this service, that name as host.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from app.platform.asgi.scope import RequestHeaders
from app.web.http.csrf import origin_of

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

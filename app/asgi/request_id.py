"""Request ids: one for each request, in its answer and in every line of log about it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from random import getrandbits

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.scope import ASGIApp, peer, request_headers, with_headers
from app.asgi.trusted_proxies import TrustedProxies

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered."""


def random_id() -> str:
    """An id that nobody has had yet; it tells requests apart and is no secret."""
    return getrandbits(64).to_bytes(8).hex()


class RequestIds:
    """An ASGI layer that gives each request an id; a trusted proxy may have given it one."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies, new_id: Callable[[], str]) -> None:
        self._app = app
        self._proxies = proxies
        self._new_id = new_id

    def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> Awaitable[None]:
        """Pass the request on under its id."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)
        name = self._proxys_name(scope) or self._new_id()
        request_id.set(name)
        return self._app(scope, receive, with_headers(send, [(HEADER, name.encode())]))

    def _proxys_name(self, scope: HTTPScope) -> str | None:
        sent = request_headers(scope).get(HEADER)
        if sent is None or not self._proxies.trusts(peer(scope)):
            return None
        name = sent.decode("latin-1")
        return name if _WELL_FORMED.fullmatch(name) else None

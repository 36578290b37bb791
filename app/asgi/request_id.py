"""Request ids: one for each request, in its response and in every log line about it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from random import getrandbits

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.client_address import TrustedProxies
from app.asgi.scope import ASGIApp, peer, request_headers, with_headers

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request."""


def random_id() -> str:
    """Return a random id of 16 hexadecimal digits. It is not a secret."""
    return getrandbits(64).to_bytes(8).hex()


class RequestIds:
    """ASGI middleware that sets the request id: that of a trusted proxy, or a new one."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies, new_id: Callable[[], str]) -> None:
        self._app = app
        self._proxies = proxies
        self._new_id = new_id

    def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> Awaitable[None]:
        """Set the request id, add it to the response headers, and pass the request on."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)
        current_id = self._id_from_proxy(scope) or self._new_id()
        request_id.set(current_id)
        return self._app(scope, receive, with_headers(send, [(HEADER, current_id.encode())]))

    def _id_from_proxy(self, scope: HTTPScope) -> str | None:
        header = request_headers(scope).get(HEADER)
        if header is None or not self._proxies.trusts(peer(scope)):
            return None
        proxy_id = header.decode("latin-1")
        return proxy_id if _WELL_FORMED.fullmatch(proxy_id) else None

"""Request ids: one for each request, in its answer and in every line of log about it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, Scope

from app.asgi import ASGIApp, header, with_headers
from app.client_address import is_trusted
from app.settings import Network

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered."""


def random_id() -> str:
    """An id that nobody has had yet."""
    return secrets.token_hex(8)


class RequestIds:
    """An ASGI layer that gives each request an id; a trusted proxy may have given it one."""

    def __init__(
        self, app: ASGIApp, proxies: tuple[Network, ...], new_id: Callable[[], str]
    ) -> None:
        self._app = app
        self._proxies = proxies
        self._new_id = new_id

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Pass the request on under its id."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = header(scope, HEADER) or ""
        peer = scope["client"][0] if scope["client"] else None
        is_usable = _WELL_FORMED.fullmatch(sent) and is_trusted(peer, self._proxies)
        name = sent if is_usable else self._new_id()
        request_id.set(name)
        await self._app(scope, receive, with_headers(send, [(HEADER, name.encode())]))

"""Request validation: the outermost layer, which refuses what no other layer should read."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.refusal import refuse
from app.asgi.request_target import read_target
from app.asgi.scope import ASGIApp, peer, request_headers
from app.asgi.trusted_proxies import TrustedProxies
from app.asgi.websocket import WebSocketRefused, as_http, is_handshake
from knowledge.errors import InvalidArgument, MajlisError

_PATH = "/api/"
"""The path that a refused request gets, as its own cannot be relied on. Under `/api/` it counts
as a read, and its error is JSON."""


class RequestValidation:
    """Decides the path of each request once, and passes on what can be answered.

    What cannot goes to `refusing`: the same layers without the response cache.
    """

    def __init__(self, app: ASGIApp, refusing: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._refusing = refusing
        self._proxies = proxies

    def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> Awaitable[None]:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            error = self._problem(scope)
            if error is None:
                return self._app(scope, receive, send)
            return self._refuse(scope, error, receive, send)
        if scope["type"] == "websocket":
            request, receive, send = as_http(scope, receive, send)
            return self._refuse(request, WebSocketRefused(), receive, send)
        return self._app(scope, receive, send)

    def _problem(self, scope: HTTPScope) -> MajlisError | None:
        """Why a request is refused, None where it is not."""
        headers = request_headers(scope)
        if b"x-forwarded-for" in headers:
            self._proxies.warn_of_stranger(peer(scope))
        if b"upgrade" in headers and is_handshake(headers):
            return WebSocketRefused()
        if not scope["method"].isupper():  # the router ignores its case, so everybody does
            scope["method"] = scope["method"].upper()
        try:
            read_target(scope)
        except InvalidArgument as error:
            return error
        return None

    def _refuse(
        self,
        scope: HTTPScope,
        error: MajlisError,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
    ) -> Awaitable[None]:
        target = {"path": _PATH, "raw_path": _PATH.encode(), "query_string": b"", "root_path": ""}
        refused = cast(HTTPScope, {**scope, **target})
        refuse(refused, error)
        return self._refusing(refused, receive, send)

"""Request validation: the outermost ASGI middleware, which refuses malformed requests."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from app.asgi.client_address import TrustedProxies
from app.asgi.refusal import refuse
from app.asgi.request_target import read_target
from app.asgi.scope import ASGIApp, peer, request_headers
from app.asgi.websocket import WebSocketRefused, as_http, is_handshake
from knowledge.errors import InvalidArgument, MajlisError

_REFUSED_PATH = "/api/"
"""Replaces the unreliable path of a refused request. It is below `/api/`, so that the refusal
counts as a read and the error is JSON."""


class RequestValidation:
    """ASGI middleware that normalizes the request target and passes valid requests on.

    Invalid requests go to `refusing`: the same middleware without the response cache.
    """

    def __init__(self, app: ASGIApp, refusing: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._refusing = refusing
        self._proxies = proxies

    def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> Awaitable[None]:
        """Pass a request on if it is valid, else refuse it."""
        if scope["type"] == "http":
            error = self._normalize(scope)
            if error is None:
                return self._app(scope, receive, send)
            return self._refuse(scope, error, receive, send)
        if scope["type"] == "websocket":
            request, receive, send = as_http(scope, receive, send)
            return self._refuse(request, WebSocketRefused(), receive, send)
        return self._app(scope, receive, send)

    def _normalize(self, scope: HTTPScope) -> MajlisError | None:
        """Normalize method and target in place; return the error of an invalid request."""
        headers = request_headers(scope)
        if b"x-forwarded-for" in headers:
            self._proxies.warn_if_untrusted(peer(scope))
        if b"upgrade" in headers and is_handshake(headers):
            return WebSocketRefused()
        if not scope["method"].isupper():  # the router ignores case, so all middleware must
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
        target = {
            "path": _REFUSED_PATH,
            "raw_path": _REFUSED_PATH.encode(),
            "query_string": b"",
            "root_path": "",
        }
        refused = cast(HTTPScope, {**scope, **target})
        refuse(refused, error)
        return self._refusing(refused, receive, send)

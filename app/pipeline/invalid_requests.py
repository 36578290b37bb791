"""Invalid requests: refused after they have been counted."""

from __future__ import annotations

from collections.abc import Awaitable

from quart import Quart

from app.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.http.request_context import current_request


class InvalidRequests:
    """ASGI middleware that refuses requests which are invalid for every route."""

    def __init__(self, app: HTTPApp, _: Quart) -> None:
        self._app = app

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, or raise its error."""
        error = current_request.get().error
        if error is not None:
            raise error
        return self._app(scope, receive, send)

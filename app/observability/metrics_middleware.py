"""Metering: an ASGI layer that counts answers and their time by route."""

from __future__ import annotations

from collections.abc import Awaitable
from time import perf_counter
from typing import cast

from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope
from quart import Quart, request

from app.asgi.scope import ASGIApp, scope_state
from app.observability.metrics import LATENCY, REQUESTS, Metrics

_ROUTE = "majlis.route"
_NO_ROUTE = "none"
"""What asks for no route of ours counts together: paths are without number."""
_FAILED = "500"
_LEFT = "499"
"""The client went away before there was an answer; nginx has the same number for it."""


def name_route(scope: Scope, route: str) -> None:
    """Note on a request which route answers it, for the layers further out."""
    scope_state(scope)[_ROUTE] = route


def route_of(scope: Scope) -> str:
    """The route that was noted, or a word for none."""
    return str(scope_state(scope).get(_ROUTE, _NO_ROUTE))


def install(app: Quart) -> None:
    """Note the route of all that Quart answers."""
    app.before_request(_note)


async def _note() -> None:
    rule = request.url_rule
    if rule is not None:
        name_route(cast(Scope, request.scope), rule.rule)


class _StatusSeen:
    """Passes messages on; remembers the status that went by."""

    __slots__ = ("_send", "status")

    def __init__(self, send: ASGISendCallable) -> None:
        self._send = send
        self.status = _LEFT

    def __call__(self, message: ASGISendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            self.status = str(message["status"])
        return self._send(message)


class MetricsMiddleware:
    """Wraps an ASGI application.

    What fails before it answers counts as 500, what the client did not wait for as 499.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Pass a request on and count its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = _StatusSeen(send)
        started = perf_counter()
        try:
            await self._app(scope, receive, cast(ASGISendCallable, seen))
        except Exception:
            if seen.status == _LEFT:
                seen.status = _FAILED
            raise
        finally:
            route = route_of(scope)
            self._metrics.observe(LATENCY, perf_counter() - started, route)
            self._metrics.count(REQUESTS, route, seen.status)

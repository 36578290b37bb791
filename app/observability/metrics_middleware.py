"""Metrics middleware: counts responses and their durations by route."""

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
"""Label of all requests that match no route: a label for each path would be unbounded."""
_FAILED = "500"
_DISCONNECTED = "499"
"""The client disconnected before the response; nginx logs the same number."""


def name_route(scope: Scope, route: str) -> None:
    """Store the route of a request, for the outer middleware."""
    scope_state(scope)[_ROUTE] = route


def route_of(scope: Scope) -> str:
    """Return the stored route, or `none`."""
    return str(scope_state(scope).get(_ROUTE, _NO_ROUTE))


def install(app: Quart) -> None:
    """Store the route of each request that enters Quart."""
    app.before_request(_store_route)


async def _store_route() -> None:
    rule = request.url_rule
    if rule is not None:
        name_route(cast(Scope, request.scope), rule.rule)


class _StatusRecorder:
    """ASGI send that records the status of the response."""

    __slots__ = ("_send", "status")

    def __init__(self, send: ASGISendCallable) -> None:
        self._send = send
        self.status = _DISCONNECTED

    def __call__(self, message: ASGISendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            self.status = str(message["status"])
        return self._send(message)


class MetricsMiddleware:
    """ASGI middleware that counts responses and observes their durations.

    A request that fails without a response counts as 500, and one whose client disconnected
    before the response as 499.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Pass a request on and count its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        recorder = _StatusRecorder(send)
        started = perf_counter()
        try:
            await self._app(scope, receive, cast(ASGISendCallable, recorder))
        except Exception:
            if recorder.status == _DISCONNECTED:
                recorder.status = _FAILED
            raise
        finally:
            route = route_of(scope)
            self._metrics.observe(LATENCY, perf_counter() - started, route)
            self._metrics.count(REQUESTS, route, recorder.status)

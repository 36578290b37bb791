"""Request metrics: counts responses and their durations by route."""

from __future__ import annotations

from collections.abc import Awaitable
from time import perf_counter

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.observability.metrics import LATENCY, REQUESTS
from app.services import services_of
from app.web.http.request_context import current_request
from app.web.pipeline.layer import Layer

_FAILED = "500"
_DISCONNECTED = "499"
"""The client disconnected before the response; nginx logs the same number."""


class RequestMetrics(Layer):
    """ASGI middleware that counts responses and observes their durations.

    A request that fails without a response counts as 500, and one whose client disconnected
    before the response as 499.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._metrics = services_of(quart).metrics

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on and count its response."""
        status = _DISCONNECTED
        started = perf_counter()

        def recording(message: SendEvent) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            return send(message)

        try:
            await self._app(scope, receive, recording)
        except Exception:
            status = _FAILED if status == _DISCONNECTED else status
            raise
        finally:
            route = current_request.get().route.label
            self._metrics.observe(LATENCY, perf_counter() - started, route)
            self._metrics.count(REQUESTS, route, status)

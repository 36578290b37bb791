"""Request metrics: counts responses and their durations by route."""

from __future__ import annotations

from collections.abc import Awaitable
from time import perf_counter
from typing import cast

from quart import Quart

from app.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.http.request_context import current_request
from app.observability.metrics import LATENCY, REQUESTS
from app.pipeline.layer import Layer
from app.services import services_of

_FAILED = "500"
_DISCONNECTED = "499"
"""The client disconnected before the response; nginx logs the same number."""


class _StatusRecorder:
    """ASGI send that records the status of the response."""

    __slots__ = ("_send", "status")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = _DISCONNECTED

    def __call__(self, message: SendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            self.status = str(message["status"])
        return self._send(message)


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
        recorder = _StatusRecorder(send)
        started = perf_counter()
        try:
            await self._app(scope, receive, cast(Send, recorder))
        except Exception:
            if recorder.status == _DISCONNECTED:
                recorder.status = _FAILED
            raise
        finally:
            route = current_request.get().route.label
            self._metrics.observe(LATENCY, perf_counter() - started, route)
            self._metrics.count(REQUESTS, route, recorder.status)

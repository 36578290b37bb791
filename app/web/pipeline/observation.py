"""Observation: the id and the trace of a request, and what is noted of its response.

The access log, the metrics, the traces and the features that count readers are observers of one
layer, which looks at each message once. Without observers it only names the request.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from random import getrandbits
from time import perf_counter

from hypercorn.typing import HTTPResponseStartEvent
from opentelemetry.context import Context, attach
from quart import Quart

from app.platform.asgi.scope import (
    HeaderBlock,
    HTTPApp,
    HTTPScope,
    Receive,
    RequestHeaders,
    Send,
    SendEvent,
    peer,
)
from app.platform.observability.logs import request_id
from app.platform.observability.metrics import LATENCY, REQUESTS, Metrics
from app.platform.observability.tracing import NO_TRACE, TRACEPARENT, TRACESTATE, trace_in
from app.services import services_of
from app.web.http.request_context import RequestContext, current_request
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.layer import Layer

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_PARENT, _STATE = TRACEPARENT.encode(), TRACESTATE.encode()
_BODILESS = frozenset({204, 304})

DISCONNECTED = 499
"""The client disconnected before the response; nginx logs the same number."""


def random_id() -> str:
    """Return a random id of 16 hexadecimal digits. It is not a secret."""
    return getrandbits(64).to_bytes(8).hex()


class Exchange:
    """A request and what is known of its response; the ASGI send of the layers inside.

    `status` and `start` are None until the response begins; a request that fails before has 500.
    `sent_bytes` are those of the body. `seconds` are complete once the exchange has ended.
    """

    __slots__ = (
        "_observers",
        "_send",
        "context",
        "scope",
        "seconds",
        "sent_bytes",
        "start",
        "status",
    )

    def __init__(self, scope: HTTPScope, send: Send, observers: tuple[Observer, ...]) -> None:
        self.scope = scope
        self.context: RequestContext = current_request.get()
        self.start: HTTPResponseStartEvent | None = None
        self.status: int | None = None
        self.sent_bytes = 0
        self.seconds = 0.0
        self._send = send
        self._observers = observers

    def __call__(self, message: SendEvent) -> Awaitable[None]:
        """Note a message and send it."""
        if message["type"] == "http.response.start":
            self.start, self.status = message, message["status"]
            for observer in self._observers:
                message = observer.response(self, message)
        elif message["type"] == "http.response.body" and self._has_body:
            self.sent_bytes += len(message.get("body", b""))
        return self._send(message)

    @property
    def _has_body(self) -> bool:
        """Whether the server sends the body; not to HEAD."""
        return self.context.method != "HEAD" and self.status not in _BODILESS


class Observer:
    """Notes what happens to each request, also to one that is refused.

    An observer overrides what it needs.
    """

    def around(self, exchange: Exchange) -> AbstractContextManager[object]:
        """Return what a request passes through on its way to the handler."""
        return nullcontext()

    def response(self, exchange: Exchange, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Note the beginning of a response, and return it as it is to be sent."""
        return start

    def end(self, exchange: Exchange) -> None:
        """Note a request whose response is complete, or that has failed."""


class Observation(Layer):
    """ASGI middleware that names each request, and lets its observers note the response."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._proxies = services.proxies
        self._new_id = services.new_id
        self._observers = tuple(services.all(Observer))

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on with its id and its trace; without a valid header there is none."""
        context = current_request.get()
        current_id = context.headers.get(HEADER)
        if (
            current_id is None
            or not self._proxies.trusts(peer(scope))
            or not _WELL_FORMED.fullmatch(current_id)
        ):
            current_id = self._new_id().encode()
        request_id.set(current_id.decode())
        context.response_blocks.append(HeaderBlock([(HEADER, current_id)]))
        attach(_trace_of(context.headers) if _PARENT in context.headers else NO_TRACE)
        if not self._observers:
            return self._app(scope, receive, send)
        return self._observe(scope, receive, send)

    async def _observe(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        exchange, started = Exchange(scope, send, self._observers), perf_counter()
        found_in_cache.set(False)
        try:
            with ExitStack() as stack:
                for observer in self._observers:
                    stack.enter_context(observer.around(exchange))
                await self._app(scope, receive, exchange)
        except Exception:
            exchange.status = exchange.status or 500
            raise
        finally:
            exchange.seconds = perf_counter() - started
            for observer in self._observers:
                observer.end(exchange)


def _trace_of(headers: RequestHeaders) -> Context:
    parent, state = headers[_PARENT], headers.get(_STATE, b"")
    return trace_in({TRACEPARENT: parent.decode("latin-1"), TRACESTATE: state.decode("latin-1")})


class RequestMetrics(Observer):
    """Counts responses and observes their durations, by route."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def end(self, exchange: Exchange) -> None:
        """Count a request."""
        route = exchange.context.route.label
        self._metrics.observe(LATENCY, exchange.seconds, route)
        self._metrics.count(REQUESTS, route, str(exchange.status or DISCONNECTED))

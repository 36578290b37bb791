"""Traces: a server span for each request, in the trace that its headers name."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import cast

from opentelemetry.context import Context, attach
from opentelemetry.trace import Span, SpanKind
from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, RequestHeaders, Send, SendEvent
from app.platform.observability.tracing import (
    NO_TRACE,
    TRACEPARENT,
    TRACESTATE,
    Attributes,
    TracingService,
    current_tracer,
    fail,
    span,
    trace_in,
)
from app.services import services_of
from app.web.http.request_context import RequestContext, current_request
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.layer import Layer
from app.web.pipeline.shown_paths import shown_path

_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"}
)


class ServerSpans(Layer):
    """ASGI middleware that traces each request; addresses and queries are no attributes."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._tracer = cast(TracingService, services_of(quart).tracer).tracer

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on inside its span."""
        context = current_request.get()
        current_tracer.set(self._tracer)
        found_in_cache.set(False)
        with span(_name(context), SpanKind.SERVER, _attributes(scope, context)) as request:

            def noting(message: SendEvent) -> Awaitable[None]:
                if message["type"] == "http.response.start":
                    _note_status(request, message["status"])
                return send(message)

            await self._app(scope, receive, noting)
            request.set_attribute("majlis.cache.hit", found_in_cache.get())


def _name(context: RequestContext) -> str:
    method = context.method if context.method in _METHODS else "HTTP"
    return f"{method} {context.route.rule.rule}" if context.route.rule else method


def _attributes(scope: HTTPScope, context: RequestContext) -> Attributes:
    rule = context.route.rule
    attributes = {
        "http.request.method": context.method if context.method in _METHODS else "_OTHER",
        "network.protocol.version": scope["http_version"],
        "url.path": shown_path(scope, context),
        "url.scheme": scope["scheme"],
    }
    return attributes | {"http.route": rule.rule} if rule else attributes


def _note_status(request: Span, status: int) -> None:
    request.set_attribute("http.response.status_code", status)
    if status >= 500:
        fail(request, str(status))


_PARENT, _STATE = TRACEPARENT.encode(), TRACESTATE.encode()


class TraceContexts(Layer):
    """ASGI middleware that sets the trace of a request; without a valid header there is none."""

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on with its trace."""
        headers = current_request.get().headers
        attach(_trace_in(headers) if _PARENT in headers else NO_TRACE)
        return self._app(scope, receive, send)


def _trace_in(headers: RequestHeaders) -> Context:
    parent, state = headers[_PARENT], headers.get(_STATE, b"")
    return trace_in({TRACEPARENT: parent.decode("latin-1"), TRACESTATE: state.decode("latin-1")})

"""Trace contexts: takes the trace that a request belongs to from its headers."""

from __future__ import annotations

from collections.abc import Awaitable

from opentelemetry.context import Context, attach

from app.platform.asgi.scope import HTTPScope, Receive, RequestHeaders, Send
from app.platform.observability.tracing import (
    NO_TRACE,
    TRACEPARENT,
    TRACESTATE,
    trace_in,
)
from app.web.http.request_context import current_request
from app.web.pipeline.layer import Layer

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

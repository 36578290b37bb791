"""Trace contexts: takes the trace that a request belongs to from its headers."""

from __future__ import annotations

from collections.abc import Awaitable

from app.platform.asgi.scope import HTTPScope, Receive, Send
from app.platform.observability.trace_context import (
    TRACEPARENT,
    TRACESTATE,
    current_trace,
    trace_of,
)
from app.web.http.request_context import current_request
from app.web.pipeline.layer import Layer

_PARENT, _STATE = TRACEPARENT.encode(), TRACESTATE.encode()


class TraceContexts(Layer):
    """ASGI middleware that sets the trace of a request; without a valid header there is none."""

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on with its trace."""
        headers = current_request.get().headers
        sent = headers.get(_PARENT)
        current_trace.set(trace_of(sent, headers.get(_STATE, b"")) if sent else None)
        return self._app(scope, receive, send)

"""Traces: the trace that a request belongs to, and spans of what takes time in it.

The API of OpenTelemetry does nothing until its SDK, which `otel` opens, takes the spans. A trace is
not authority: any client may send one, which changes only what log lines and outgoing requests are
named. Attributes name routes, statuses and kinds; nothing personal, and no message of an error.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from opentelemetry.context import Context, attach, get_current
from opentelemetry.trace import (
    NoOpTracer,
    Span,
    SpanKind,
    StatusCode,
    Tracer,
    format_trace_id,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

Exporter = Literal["otlp", "console"]
Attributes = Mapping[str, str | int | float | bool]
TraceHeaders = Mapping[str, str]
"""The headers that pass a trace on; none without one."""

TRACEPARENT, TRACESTATE = "traceparent", "tracestate"
NO_TRACE = Context()

_LONGEST_STATE = 512
_W3C = TraceContextTextMapPropagator()

current_tracer: ContextVar[Tracer] = ContextVar("current_tracer", default=NoOpTracer())  # noqa: B039  # it has no state
"""The tracer of the current request or background task."""


def trace_in(headers: TraceHeaders) -> Context:
    """Return the trace that headers of W3C Trace Context name, `NO_TRACE` if they are malformed.

    >>> with continued(trace_in({"traceparent": f"00-{'ab' * 16}-{'cd' * 8}-01"})):
    ...     trace_id()
    'abababababababababababababababab'
    """
    state = headers.get(TRACESTATE, "")
    if len(state) > _LONGEST_STATE:
        headers = {TRACEPARENT: headers[TRACEPARENT]}
    return _W3C.extract(headers, NO_TRACE)


def trace_headers() -> dict[str, str]:
    """Return the headers that pass the current trace on; none without one."""
    headers: dict[str, str] = {}
    _W3C.inject(headers)
    return headers


def trace_id() -> str | None:
    """Return the id of the current trace in hexadecimal digits; None without one."""
    context = get_current_span().get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else None


@contextmanager
def continued(trace: Context) -> Iterator[None]:
    """Make a trace the current one inside the block."""
    before = get_current()
    attach(trace)
    try:
        yield
    finally:
        attach(before)  # not detached, which fails where another task ends a generator


@contextmanager
def span(
    name: str, kind: SpanKind = SpanKind.INTERNAL, attributes: Attributes | None = None
) -> Iterator[Span]:
    """Open a span for the block, which is the parent of those inside."""
    with leaf_span(name, kind, attributes) as started, continued(set_span_in_context(started)):
        yield started


@contextmanager
def leaf_span(name: str, kind: SpanKind, attributes: Attributes | None) -> Iterator[Span]:
    """Open a span for the block, while those inside stay its siblings."""
    started = current_tracer.get().start_span(name, kind=kind, attributes=attributes)
    try:
        yield started
    except Exception as error:
        fail(started, type(error).__qualname__)
        raise
    finally:
        started.end()


def fail(failed: Span, error_type: str) -> None:
    """Mark a span as failed; the message of an error may be personal, and is left out."""
    failed.set_attribute("error.type", error_type)
    failed.set_status(StatusCode.ERROR)

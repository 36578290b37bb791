"""OpenTelemetry: the tracer, and the only module that imports its packages.

Its SDK reads the standard variables `OTEL_*` for all that is not decided here: samplers, limits,
batches, headers, resource attributes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Self

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    ConsoleSpanExporter,
    SpanExporter,
)
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, TraceState

from app.platform.observability.spans import Attribute, SpanKind, current_tracer
from app.platform.observability.trace_context import TraceContext
from app.platform.version import VERSION

_STOP_SECONDS = 5.0
"""Maximum time for the last spans at a stop."""

_KINDS = {
    SpanKind.SERVER: trace.SpanKind.SERVER,
    SpanKind.CLIENT: trace.SpanKind.CLIENT,
    SpanKind.PRODUCER: trace.SpanKind.PRODUCER,
    SpanKind.INTERNAL: trace.SpanKind.INTERNAL,
}


class OtelSpan:
    """A span of the SDK."""

    def __init__(self, inner: trace.Span) -> None:
        self._inner = inner

    @property
    def context(self) -> TraceContext:
        """Its position in the trace."""
        context = self._inner.get_span_context()
        return TraceContext(
            trace.format_trace_id(context.trace_id),
            trace.format_span_id(context.span_id),
            int(context.trace_flags),
            context.trace_state.to_header(),
        )

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute."""
        self._inner.set_attribute(name, value)

    def fail(self, error_type: str) -> None:
        """Mark it as failed; the message of an error may be personal, and is left out."""
        self._inner.set_attribute("error.type", error_type)
        self._inner.set_status(trace.StatusCode.ERROR)

    def end(self) -> None:
        """End it now."""
        self._inner.end()


class OtelTracer:
    """Sends spans to an exporter, between the start and the end of an `async with` block."""

    def __init__(self, exporter: SpanExporter) -> None:
        own = Resource.create({"service.name": "majlis", "service.version": VERSION})
        resource = own.merge(OTELResourceDetector().detect())  # what the operator says counts
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._processor = BatchSpanProcessor(exporter)
        self._provider.add_span_processor(self._processor)
        self._tracer = self._provider.get_tracer("majlis", VERSION)

    async def __aenter__(self) -> Self:
        current_tracer.set(self)  # for the background tasks, which inherit it
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._processor.force_flush, int(1_000 * _STOP_SECONDS))
        await asyncio.to_thread(self._provider.shutdown)

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: TraceContext | None,
        attributes: Mapping[str, Attribute],
    ) -> OtelSpan:
        """Start a span; without a parent it begins a trace."""
        context = trace.set_span_in_context(
            trace.INVALID_SPAN if parent is None else NonRecordingSpan(_span_context(parent))
        )
        return OtelSpan(
            self._tracer.start_span(
                name, context, _KINDS[kind], dict(attributes), record_exception=False
            )
        )


def _span_context(parent: TraceContext) -> SpanContext:
    return SpanContext(
        int(parent.trace_id, 16),
        int(parent.span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(parent.flags),
        trace_state=TraceState.from_header([parent.state]),
    )


def otlp_tracer(endpoint: str) -> OtelTracer:
    """Return a tracer that sends to an OTLP endpoint over HTTP; the empty one is the default."""
    return OtelTracer(OTLPSpanExporter(endpoint=endpoint or None))


def console_tracer() -> OtelTracer:
    """Return a tracer that writes spans to standard output."""
    return OtelTracer(ConsoleSpanExporter())

"""OpenTelemetry's SDK: takes the spans, and sends them. No other module imports it.

It reads the standard variables `OTEL_*` for all that is not decided here: samplers, limits,
batches, headers, resource attributes.
"""

import asyncio
from typing import Self

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

from app.platform import VERSION
from app.platform.observability.tracing import Exporter, current_tracer

_STOP_SECONDS = 5.0
"""Maximum time for the last spans at a stop."""


class OtelTracing:
    """Sends spans to an exporter, between the start and the end of an `async with` block."""

    def __init__(self, exporter: SpanExporter) -> None:
        own = Resource.create({"service.name": "majlis", "service.version": VERSION})
        resource = own.merge(OTELResourceDetector().detect())  # what the operator says counts
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._processor = BatchSpanProcessor(exporter)
        self._provider.add_span_processor(self._processor)
        self.tracer = self._provider.get_tracer("majlis", VERSION)

    async def __aenter__(self) -> Self:
        current_tracer.set(self.tracer)  # for the background tasks, which inherit it
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._processor.force_flush, int(1_000 * _STOP_SECONDS))
        await asyncio.to_thread(self._provider.shutdown)


def open_tracing(exporter: Exporter, endpoint: str) -> OtelTracing:
    """Return what sends spans to an OTLP endpoint, by default that of the SDK, or prints them."""
    is_console = exporter == "console"
    return OtelTracing(
        ConsoleSpanExporter() if is_console else OTLPSpanExporter(endpoint=endpoint or None)
    )

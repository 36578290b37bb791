"""Traces: a server span for each request; addresses and queries are no attributes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.trace import SpanKind

from app.platform.asgi.scope import HTTPScope
from app.platform.observability.tracing import (
    Attributes,
    TracingService,
    current_tracer,
    fail,
    span,
)
from app.web.http.request_context import RequestContext
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.observation import Exchange, Observer
from app.web.pipeline.surfaces import shown_path

_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"}
)


class ServerSpans(Observer):
    """Opens a span around each request, and notes the status of its response."""

    def __init__(self, tracing: TracingService) -> None:
        self._tracer = tracing.tracer

    @contextmanager
    def around(self, exchange: Exchange) -> Iterator[None]:
        """Open the span of a request, in the trace that its headers name."""
        context = exchange.context
        current_tracer.set(self._tracer)
        with span(_name(context), SpanKind.SERVER, _attributes(exchange.scope, context)) as request:
            yield
            if exchange.status is not None:
                request.set_attribute("http.response.status_code", exchange.status)
                if exchange.status >= 500:
                    fail(request, str(exchange.status))
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

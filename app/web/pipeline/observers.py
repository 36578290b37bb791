"""Observers: the access log and the traces of requests, and which observers a service has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from opentelemetry.trace import SpanKind

from app.platform.asgi.client_address import TrustedProxies
from app.platform.asgi.scope import HTTPScope, peer
from app.platform.observability.access_log import Access, AccessLog
from app.platform.observability.logs import LineWriter, LogFile, StandardOutput, request_id
from app.platform.observability.tracing import (
    Attributes,
    TracingService,
    current_tracer,
    fail,
    open_tracer,
    span,
    trace_id,
)
from app.services import Services
from app.web.http.request_context import RequestContext
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.observation import DISCONNECTED, Exchange, Observer, RequestMetrics
from app.web.pipeline.surfaces import Surfaces, shown_path


def observers(services: Services) -> Iterator[object]:
    """Yield what notes requests, the outermost first: traces, the access log and the metrics.

    What the first two write to is among them, as it starts and stops with the service.
    """
    settings = services.settings
    if settings.tracing:
        tracing = open_tracer(settings.tracing, settings.otlp_endpoint)
        yield from (tracing, ServerSpans(tracing))
    if settings.access_log != "off":
        file = settings.access_log_file
        writer = LineWriter(LogFile(file) if file else StandardOutput())
        log = AccessLog(settings.access_log, settings.access_log_addresses, writer)
        yield from (log, AccessLogs(log, services.proxies))
    if settings.metrics_port is not None:
        yield RequestMetrics(services.metrics)


_MAX_AGENT, _MAX_METHOD, _MAX_REFERER = 256, 32, 512
_CACHED = 2_048
_ORIGIN = re.compile(rb"(https?://[A-Za-z0-9.:\[\]-]{1,255})(?:[/?#].*)?", re.DOTALL)


class AccessLogs(Observer):
    """Logs each request, also one that is refused."""

    def __init__(self, access_log: AccessLog, proxies: TrustedProxies) -> None:
        self._access_log = access_log
        self._proxies = proxies
        self._surfaces = Surfaces()

    def end(self, exchange: Exchange) -> None:
        """Write the line of a request."""
        self._access_log.write(self._access(exchange))

    def _access(self, exchange: Exchange) -> Access:
        scope, context = exchange.scope, exchange.context
        return Access(
            self._address(scope, context),
            context.method[:_MAX_METHOD],
            shown_path(scope, context),
            f"HTTP/{scope['http_version']}",
            exchange.status or DISCONNECTED,
            exchange.sent_bytes,
            exchange.seconds,
            self._surfaces.of(context).form_of(context, exchange.start) if exchange.start else None,
            _cache_state(context),
            request_id.get(),
            trace_id(),
            _origin(context.headers.get(b"referer", b"")[:_MAX_REFERER]),
            _agent(context.headers.get(b"user-agent")),
        )

    def _address(self, scope: HTTPScope, context: RequestContext) -> str | None:
        if not self._access_log.has_full_addresses:
            return self._access_log.shown(context.client)
        forwarded = context.header(b"x-forwarded-for") or ""
        return self._access_log.shown(self._proxies.address(peer(scope), forwarded))


def _cache_state(context: RequestContext) -> str | None:
    if found_in_cache.get():
        return "hit"
    return "miss" if context.is_cacheable and context.error is None else None


@lru_cache(maxsize=_CACHED)
def _origin(referer: bytes) -> str | None:
    """Return the scheme and host of a referer.

    >>> _origin(b"https://www.example.com/search?q=x"), _origin(b"about:blank"), _origin(b"")
    ('https://www.example.com', None, None)
    """
    match = _ORIGIN.fullmatch(referer)
    return match[1].decode() if match else None


def _agent(agent: bytes | None) -> str | None:
    return None if agent is None else agent[:_MAX_AGENT].decode("latin-1")


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
            try:
                yield
            finally:  # also of a response that ends early
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

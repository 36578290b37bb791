"""Observation: the id and the trace of a request, and what is noted of its response.

The access log, the metrics, the traces and the features that count readers are observers of one
layer, which looks at each message once. Without observers it only names the request.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import lru_cache
from random import getrandbits
from time import perf_counter

from hypercorn.typing import HTTPResponseStartEvent
from opentelemetry.context import Context, attach
from opentelemetry.trace import SpanKind, Tracer
from quart import Quart

from app.platform.asgi.client_address import TrustedProxies
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
from app.platform.observability.access_log import Access, AccessLog
from app.platform.observability.logs import LogFile, StandardOutput, request_id
from app.platform.observability.metrics import LATENCY, REQUESTS, Metrics
from app.platform.observability.tracing import (
    NO_TRACE,
    TRACEPARENT,
    TRACESTATE,
    Attributes,
    current_tracer,
    fail,
    span,
    trace_id,
    trace_in,
)
from app.services import Services, services_of
from app.web.http.request_context import RequestContext, current_request
from app.web.pipeline import PipelineLayer
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.surfaces import Surfaces, shown_path

_BODILESS = frozenset({204, 304})

DISCONNECTED = 499
"""The client disconnected before the response; nginx logs the same number."""


def random_id() -> str:
    """Return a random id of 16 hexadecimal digits. It is not a secret."""
    return getrandbits(64).to_bytes(8).hex()


class Exchange:
    """A request and what is known of its response; the ASGI send of the layers inside.

    `status` and `start` are None until the response begins; a request that fails before has 500.
    `seconds` are complete once the exchange has ended.
    """

    __slots__ = (
        "_body_bytes",
        "_observers",
        "_send",
        "context",
        "scope",
        "seconds",
        "start",
        "status",
    )

    def __init__(self, scope: HTTPScope, send: Send, observers: tuple[Observer, ...]) -> None:
        self.scope = scope
        self.context: RequestContext = current_request.get()
        self.start: HTTPResponseStartEvent | None = None
        self.status: int | None = None
        self._body_bytes = 0
        self.seconds = 0.0
        self._send = send
        self._observers = observers

    def __call__(self, message: SendEvent) -> Awaitable[None]:
        """Note a message and send it."""
        if message["type"] == "http.response.start":
            self.start, self.status = message, message["status"]
            for observer in self._observers:
                message = observer.response(self, message)
        elif message["type"] == "http.response.body":
            self._body_bytes += len(message.get("body", b""))
        return self._send(message)

    @property
    def sent_bytes(self) -> int:
        """The bytes of the body; the server sends none to HEAD."""
        has_body = self.context.method != "HEAD" and self.status not in _BODILESS
        return self._body_bytes if has_body else 0


class Observer:
    """Notes the response to each request, also to one that is refused."""

    def response(self, exchange: Exchange, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Note the beginning of a response, and return it as it is to be sent."""
        return start


class EndObserver(Observer, ABC):
    """An observer that also notes the end of each request."""

    @abstractmethod
    def end(self, exchange: Exchange) -> None:
        """Note a request whose response is complete, or that has failed."""


class SurroundingObserver(Observer, ABC):
    """An observer that also holds something open while a request is handled."""

    @abstractmethod
    def around(self, exchange: Exchange) -> AbstractContextManager[object]:
        """Return what a request passes through on its way to the handler."""


HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_PARENT, _STATE = TRACEPARENT.encode(), TRACESTATE.encode()


class Observation(PipelineLayer):
    """ASGI middleware that names each request, and lets its observers note the response."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._proxies = services.proxies
        self._new_id = services.new_id
        self._observers = tuple(services.all(Observer))
        self._at_end = tuple(services.all(EndObserver))
        self._surrounding = tuple(services.all(SurroundingObserver))

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
        if self._observers:
            send = exchange = Exchange(scope, send, self._observers)
            if self._at_end or self._surrounding:
                return self._until_end(scope, receive, exchange)
        return self._app(scope, receive, send)

    async def _until_end(self, scope: HTTPScope, receive: Receive, exchange: Exchange) -> None:
        started = perf_counter()
        found_in_cache.set(False)
        try:
            if self._surrounding:
                await self._surrounded(scope, receive, exchange)
            else:
                await self._app(scope, receive, exchange)
        except Exception:
            exchange.status = exchange.status or 500
            raise
        finally:
            exchange.seconds = perf_counter() - started
            for observer in self._at_end:
                observer.end(exchange)

    async def _surrounded(self, scope: HTTPScope, receive: Receive, exchange: Exchange) -> None:
        with ExitStack() as stack:
            for observer in self._surrounding:
                stack.enter_context(observer.around(exchange))
            await self._app(scope, receive, exchange)


def _trace_of(headers: RequestHeaders) -> Context:
    parent, state = headers[_PARENT], headers.get(_STATE, b"")
    return trace_in({TRACEPARENT: parent.decode("latin-1"), TRACESTATE: state.decode("latin-1")})


class RequestMetrics(EndObserver):
    """Counts responses and observes their durations, by route."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def end(self, exchange: Exchange) -> None:
        """Count a request."""
        route = exchange.context.route.label
        self._metrics.observe(LATENCY, exchange.seconds, route)
        self._metrics.count(REQUESTS, route, str(exchange.status or DISCONNECTED))


def observers(services: Services) -> Iterator[object]:
    """Yield what notes requests, the outermost first: traces, the access log and the metrics.

    What the first two write to is among them, as it starts and stops with the service.
    """
    settings = services.settings
    if settings.tracing:
        from app.platform.observability.otel import open_tracing  # noqa: PLC0415  # an extra

        tracing = open_tracing(settings.tracing, settings.otlp_endpoint)
        yield from (tracing, ServerSpans(tracing.tracer))
    if settings.access_log != "off":
        file = settings.access_log_file
        output = LogFile(file) if file else StandardOutput()
        log = AccessLog(settings.access_log, settings.access_log_addresses, output)
        yield from (log, AccessLogs(log, services.proxies))
    if settings.metrics_port is not None:
        yield RequestMetrics(services.metrics)


_MAX_AGENT, _MAX_METHOD, _MAX_REFERER = 256, 32, 512
_CACHED = 2_048
_ORIGIN = re.compile(rb"(https?://[A-Za-z0-9.:\[\]-]{1,255})(?:[/?#].*)?", re.DOTALL)


class AccessLogs(EndObserver):
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
        agent = context.headers.get(b"user-agent")
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
            None if agent is None else agent[:_MAX_AGENT].decode("latin-1"),
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


_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"}
)


class ServerSpans(SurroundingObserver):
    """Opens a span around each request, and notes the status of its response."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

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

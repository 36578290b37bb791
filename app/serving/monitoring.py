"""Monitoring: `/metrics` for Prometheus and `/ready` for load balancers, on a separate port."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import accumulate
from typing import cast

from hypercorn.typing import (
    ASGIFramework,
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    LifespanShutdownCompleteEvent,
    LifespanStartupCompleteEvent,
    Scope,
)
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from app.asgi.client_address import TrustedProxies
from app.observability.metrics import FAMILIES, SECONDS, Family, Metrics, MetricType, Samples
from app.serving.config import ServerConfig
from app.serving.connections import ConnectionLimits, Connections
from app.serving.server import Server
from app.serving.status import WorkerStatus

_LIMITS = ConnectionLimits(total=32, per_client=32)
"""Limits of the monitoring port, separate from the public ones."""

_BOUNDS = (*(str(bound) for bound in SECONDS), "+Inf")


class _SampleCollector(Collector):
    """A collector of the Prometheus client library over our samples."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples

    def collect(self) -> Iterator[Metric]:
        for family in FAMILIES.values():
            metric = _metric(family)
            for (name, labels), numbers in self._samples.items():
                if name == family.name:
                    _add(metric, labels, [*numbers])
            yield metric


def _metric(family: Family) -> Metric:
    types = {MetricType.COUNT: CounterMetricFamily, MetricType.DURATION: HistogramMetricFamily}
    metric_type = types.get(family.kind, GaugeMetricFamily)
    return cast(Metric, metric_type(family.name, family.description, labels=family.labels))


def _add(metric: Metric, labels: tuple[str, ...], numbers: list[float]) -> None:
    if isinstance(metric, HistogramMetricFamily):
        *counts, total = numbers
        metric.add_metric(labels, list(zip(_BOUNDS, accumulate(counts), strict=True)), total)
    elif isinstance(metric, CounterMetricFamily | GaugeMetricFamily):
        metric.add_metric(labels, numbers[0])


def exposition(samples: Samples) -> bytes:
    """Return the samples in the Prometheus text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_SampleCollector(samples))
    return generate_latest(registry)


def monitoring(status: Callable[[], Awaitable[WorkerStatus]]) -> ASGIFramework:
    """Create the ASGI application of the monitoring port."""

    async def application(
        scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            raise NotImplementedError("The monitoring port supports HTTP only.")
        code, media_type, body = await _respond(scope["path"], status)
        headers = [(b"content-type", media_type.encode()), (b"cache-control", b"no-store")]
        headers.append((b"content-length", str(len(body)).encode()))
        await send(HTTPResponseStartEvent(type="http.response.start", status=code, headers=headers))
        await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))

    return application


async def _lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    await send(LifespanStartupCompleteEvent(type="lifespan.startup.complete"))
    await receive()
    await send(LifespanShutdownCompleteEvent(type="lifespan.shutdown.complete"))


async def _respond(
    path: str, status: Callable[[], Awaitable[WorkerStatus]]
) -> tuple[int, str, bytes]:
    if path == "/metrics":
        return 200, CONTENT_TYPE_LATEST, exposition((await status()).samples)
    if path == "/ready":
        ready = (await status()).ready
        return (200, "text/plain", b"ready\n") if ready else (503, "text/plain", b"not ready\n")
    return 404, "text/plain", b"Not found. Available paths: /metrics, /ready.\n"


@asynccontextmanager
async def metrics_server(
    status: Callable[[], Awaitable[WorkerStatus]], listening_socket: socket.socket | None
) -> AsyncIterator[None]:
    """Serve monitoring during the block, or nothing if `listening_socket` is None."""
    if listening_socket is None:
        yield
        return
    proxies, metrics = TrustedProxies(()), Metrics()
    connections = Connections(_LIMITS, proxies, metrics)
    async with Server(monitoring(status), listening_socket, ServerConfig("WARNING"), connections):
        yield

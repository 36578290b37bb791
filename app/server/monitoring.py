"""Monitoring: `/metrics` for Prometheus and `/ready` for load balancers, on a separate port."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import accumulate
from typing import cast

from hypercorn.config import Config
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from quart import Quart, Response

from app.platform.observability.metrics import FAMILIES, SECONDS, Family, MetricType, Samples
from app.server.lifecycle import Status
from app.server.stock import configure, serve_stock

_START_SECONDS = 60.0
_BOUNDS = (*(str(bound) for bound in SECONDS), "+Inf")


@asynccontextmanager
async def monitoring_server(
    status: Status, sockets: Sequence[socket.socket]
) -> AsyncIterator[None]:
    """Serve the monitoring port during the block."""
    config = Config()
    configure(config, "WARNING", _START_SECONDS)
    ready, stop = asyncio.Event(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(serve_stock(monitoring(status), sockets, config, ready.set, stop))
        await ready.wait()
        try:
            yield
        finally:
            stop.set()


def monitoring(status: Status) -> Quart:
    """Create the application of the monitoring port."""
    app = Quart("monitoring", static_folder=None)

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(exposition((await status()).samples), content_type=CONTENT_TYPE_LATEST)

    @app.get("/ready")
    async def ready() -> Response:
        is_ready = (await status()).ready
        return _text(200, "ready\n") if is_ready else _text(503, "not ready\n")

    @app.errorhandler(404)
    async def not_found(_: Exception) -> Response:
        return _text(404, "Not found. Available paths: /metrics, /ready.\n")

    @app.after_request
    async def keep_uncached(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    return app


def _text(status: int, text: str) -> Response:
    return Response(text, status, content_type="text/plain")


def exposition(samples: Samples) -> bytes:
    """Return the samples in the Prometheus text format."""
    return generate_latest(_SampleCollector(samples))


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

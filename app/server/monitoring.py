"""Monitoring: `/metrics` for Prometheus and `/ready` for load balancers, on a separate port."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from hypercorn.config import Config
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from quart import Quart, Response

from app.platform.observability.exposition import exposition
from app.server.lifecycle import Status
from app.server.stock import configure, serve_stock

_START_SECONDS = 60.0


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

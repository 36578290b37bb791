"""Monitoring: `/metrics` for Prometheus and `/ready` for load balancers, on a separate port."""

from __future__ import annotations

import socket
from collections.abc import Sequence

from quart import Quart, Response

from app.platform.asgi.client_address import TrustedProxies
from app.platform.observability.metrics import Metrics
from app.server.config import ServerConfig
from app.server.connections import ConnectionLimits, Connections
from app.server.exposition import CONTENT_TYPE, exposition
from app.server.server import Server
from app.server.status import Status

_LIMITS = ConnectionLimits(total=32, per_client=32)
"""Limits of the monitoring port, separate from the public ones."""


def monitoring(status: Status) -> Quart:
    """Create the application of the monitoring port."""
    app = Quart("monitoring", static_folder=None)

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(exposition((await status()).samples), content_type=CONTENT_TYPE)

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


def monitoring_server(status: Status, sockets: Sequence[socket.socket]) -> Server:
    """Return the server of the monitoring port."""
    connections = Connections(_LIMITS, TrustedProxies(()), Metrics())
    return Server(monitoring(status), sockets, ServerConfig("WARNING"), connections)

"""The port of monitoring, if the service has one."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from app.server.status import Status


@asynccontextmanager
async def monitored(status: Status, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve monitoring during the block, or nothing without a socket."""
    if not sockets:
        yield
        return
    # Without the port, a supervisor needs no server, nor a service the client of Prometheus.
    from app.server.monitoring import monitoring_server  # noqa: PLC0415

    async with monitoring_server(status, sockets):
        yield

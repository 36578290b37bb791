"""The port of monitoring, if the service has one."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.serving.status import Status


@asynccontextmanager
async def monitored(status: Status, listening_socket: socket.socket | None) -> AsyncIterator[None]:
    """Serve monitoring during the block, or nothing if `listening_socket` is None."""
    if listening_socket is None:
        yield
        return
    # Without the port, a supervisor needs no server, nor a service the client of Prometheus.
    from app.serving.monitoring import monitoring_server  # noqa: PLC0415

    async with monitoring_server(status, listening_socket):
        yield

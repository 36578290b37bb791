"""`majlis serve` without workers: this process serves the requests itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from signal import SIGHUP, SIGINT, SIGTERM

from app.server.listening_socket import drop_new_connections
from app.server.monitoring_port import monitored
from app.server.process import ServingProcess
from app.server.run import ListeningSockets
from app.server.status import WorkerStatus
from app.server.stop_signals import stop_on
from app.settings import Settings


async def serve_single(settings: Settings, sockets: ListeningSockets) -> None:
    """Serve in this process until SIGTERM, SIGINT or SIGHUP."""
    stop = stop_on(SIGTERM, SIGINT, SIGHUP)
    leave = asyncio.Event()
    process = ServingProcess(settings, sockets.public, leave)

    async def status() -> WorkerStatus:
        current = process.status()
        return replace(current, ready=current.ready and not stop.is_set())

    async def leave_after_delay() -> None:
        await stop.wait()
        await asyncio.sleep(settings.stop_delay_seconds)
        drop_new_connections(sockets.public)
        leave.set()

    async with monitored(status, sockets.monitoring):
        leaving = asyncio.create_task(leave_after_delay())
        await process.run(on_ready=lambda: None)
        leaving.cancel()

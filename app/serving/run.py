"""The two ways to run: this process serves alone, or it supervises workers that do."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass, replace
from signal import SIGHUP, SIGINT, SIGTERM

from app.serving.listening_socket import drop_new_connections
from app.serving.monitoring import metrics_server
from app.serving.process import ServingProcess
from app.serving.signals import stop_on
from app.serving.status import WorkerStatus
from app.serving.supervisor import Supervisor
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class ListeningSockets:
    """Where the service listens, and where it is monitored."""

    public: socket.socket
    monitoring: socket.socket | None


async def serve_single(settings: Settings, sockets: ListeningSockets) -> None:
    """Serve in this process until SIGTERM, SIGINT or SIGHUP."""
    stop = stop_on(SIGTERM, SIGINT, SIGHUP)
    leave = asyncio.Event()
    process = ServingProcess(settings, sockets.public, leave)

    async def status() -> WorkerStatus:
        told = process.status()
        return replace(told, ready=told.ready and not stop.is_set())

    async def leave_in_time() -> None:
        await stop.wait()
        await asyncio.sleep(settings.stop_delay_seconds)
        drop_new_connections(sockets.public)
        leave.set()

    async with metrics_server(status, sockets.monitoring):
        leaving = asyncio.create_task(leave_in_time())
        await process.run(opened=lambda: None)
        leaving.cancel()


async def serve_with_workers(settings: Settings, sockets: ListeningSockets, count: int) -> bool:
    """Supervise workers until SIGTERM or SIGINT; False where none of them would start.

    SIGHUP replaces them one by one. They read their settings from the environment anew.
    """
    stop = stop_on(SIGTERM, SIGINT)
    address = {"HOST": settings.host, "PORT": str(sockets.public.getsockname()[1])}
    supervisor = Supervisor(sockets.public, count, address)
    async with metrics_server(supervisor.status, sockets.monitoring):
        starting = asyncio.create_task(supervisor.start())
        replacing: set[asyncio.Task[None]] = set()
        asyncio.get_running_loop().add_signal_handler(
            SIGHUP, lambda: replacing.add(asyncio.create_task(supervisor.replace_all()))
        )
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        started = stop.is_set() or starting.result()
        if started:
            await stopping
        await supervisor.stop(settings.stop_delay_seconds)
    return started

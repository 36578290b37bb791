"""`majlis serve` with workers: a supervisor, which does not load the application itself."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from signal import SIGHUP, SIGINT, SIGTERM

from app.server.monitoring_port import monitored
from app.server.stop_signals import stop_on
from app.server.supervisor import Supervisor
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class ListeningSockets:
    """The bound sockets of the service and, if it has a port, of monitoring."""

    public: Sequence[socket.socket]
    monitoring: Sequence[socket.socket] = ()

    def close(self) -> None:
        """Close all of them."""
        for each in (*self.public, *self.monitoring):
            each.close()


async def serve_with_workers(settings: Settings, sockets: ListeningSockets, count: int) -> bool:
    """Supervise workers until SIGTERM or SIGINT; return False if none of them could start.

    SIGHUP replaces the workers. They read their settings from the environment.
    """
    stop = stop_on(SIGTERM, SIGINT)
    variables = {"HOST": settings.host, "PORT": str(sockets.public[0].getsockname()[1])}
    supervisor = Supervisor(sockets.public, count, variables)
    async with monitored(supervisor.status, sockets.monitoring):
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

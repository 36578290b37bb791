"""A worker: one of several serving processes, started and watched by the supervisor.

It speaks with the supervisor by lines: its status when it is open, and again whenever a line
comes in. When the supervisor is gone, so is the reason to go on.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from signal import SIGINT, SIGTERM

import uvloop

from app.observability.logs import log_to_stderr
from app.serving.malloc import limit_malloc_arenas
from app.serving.process import ServingProcess
from app.serving.signals import stop_on
from app.settings import Settings, SettingsError, load_settings


def main() -> None:
    """Serve at the door whose descriptor is the first argument; the second is the channel."""
    limit_malloc_arenas()
    listening_socket, channel = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    try:
        settings = load_settings()
    except SettingsError as error:
        sys.exit(f"A worker cannot start, as the settings are wrong. {error}")
    log_to_stderr(settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_work(settings, listening_socket, channel))


async def _work(
    settings: Settings, listening_socket: socket.socket, channel: socket.socket
) -> None:
    stop = stop_on(SIGTERM, SIGINT)
    process = ServingProcess(settings, listening_socket, stop)
    reader, writer = await asyncio.open_connection(sock=channel)

    def tell() -> None:
        writer.write(process.status().line())

    async def answer() -> None:
        while await reader.readline():
            tell()
        stop.set()

    answering = asyncio.create_task(answer())
    await process.run(opened=tell)
    answering.cancel()
    tell()
    writer.close()
    await writer.wait_closed()

"""A worker: one of several serving processes, started and watched by the supervisor.

The worker sends its status as a line when it is ready, and again for each line that it receives
from the supervisor. It stops when the supervisor closes the channel.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from signal import SIGINT, SIGTERM

import uvloop

from app.observability.logs import log_to_stderr
from app.serving.malloc import limit_malloc_arenas
from app.serving.process import ServingProcess, stop_on
from app.settings import Settings, SettingsError, load_settings


def main() -> None:
    """Serve on the socket of the first argument; the second is the supervisor's channel.

    Both arguments are file descriptors.
    """
    limit_malloc_arenas()
    listening_socket, channel = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    try:
        settings = load_settings()
    except SettingsError as error:
        sys.exit(f"The worker cannot start. Invalid configuration: {error}")
    log_to_stderr(settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, listening_socket, channel))


async def _serve(
    settings: Settings, listening_socket: socket.socket, channel: socket.socket
) -> None:
    stop = stop_on(SIGTERM, SIGINT)
    process = ServingProcess(settings, listening_socket, stop)
    reader, writer = await asyncio.open_connection(sock=channel)

    def send_status() -> None:
        writer.write(process.status().to_line())

    async def answer_supervisor() -> None:
        while await reader.readline():
            send_status()
        stop.set()

    answering = asyncio.create_task(answer_supervisor())
    await process.run(on_ready=send_status)
    answering.cancel()
    send_status()
    writer.close()
    await writer.wait_closed()

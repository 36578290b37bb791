"""A worker: one of several serving processes, started by a loader and watched by the supervisor.

The worker first sends its process ID as a line, then its status: when it is ready, and again for
each request of the supervisor, which also chooses the worker that records changes. It stops when
the supervisor closes the channel.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGINT, SIGTERM

import uvloop

from app.publishing.content.store import ContentStore
from app.server.process import ServingProcess
from app.server.status import RECORD
from app.server.stop_signals import stop_on
from app.settings import Settings


def work(
    settings: Settings,
    content_store: ContentStore,
    sockets: Sequence[socket.socket],
    channel: socket.socket,
) -> None:
    """Serve on the sockets; `channel` leads to the supervisor."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, content_store, sockets, channel))


async def _serve(
    settings: Settings,
    content_store: ContentStore,
    sockets: Sequence[socket.socket],
    channel: socket.socket,
) -> None:
    stop = stop_on(SIGTERM, SIGINT)
    reader, writer = await asyncio.open_connection(sock=channel)
    writer.write(b"%d\n" % os.getpid())
    process = ServingProcess(settings, sockets, stop, content_store)
    process.record_changes(records=False)

    def send_status() -> None:
        writer.write(process.status().to_line())

    async def answer_supervisor() -> None:
        while line := await reader.readline():
            if line == RECORD:
                process.record_changes(records=True)
            else:
                send_status()
        stop.set()

    answering = asyncio.create_task(answer_supervisor())
    await process.run(on_ready=send_status)
    answering.cancel()
    send_status()
    writer.close()
    with suppress(ConnectionError):  # the supervisor was killed
        await writer.wait_closed()

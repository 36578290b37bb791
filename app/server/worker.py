"""A worker: one of several serving processes, started by a loader and watched by the supervisor.

The worker first sends its process ID as a line, then its status: when it is ready, and again for
each request of the supervisor, which also chooses the worker that records changes. It stops when
the supervisor closes the channel.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGINT, SIGTERM

import uvloop

from app.factory import open_content_store
from app.feature import feature_facts
from app.platform import memory
from app.platform.clock import utc_now
from app.platform.memory import limit_malloc_arenas
from app.platform.observability.logs import log_to_stderr
from app.publishing.content.store import ContentStore
from app.server.lifecycle import RECORD, stop_on
from app.server.process import ServingProcess
from app.server.sockets import CannotListen
from app.settings import Settings, SettingsError, load_settings
from app.web.site import map_preparation
from llms.mcp_server import McpServer


def main() -> None:
    """Start workers on the sockets of the first argument, with commas between.

    Each further argument is the supervisor's channel to one of them. All are file descriptors.
    """
    limit_malloc_arenas()
    sockets, *ends = [
        [socket.socket(fileno=int(number)) for number in argument.split(",")]
        for argument in sys.argv[1:]
    ]
    channels = [end for (end,) in ends]
    try:
        settings = load_settings()
    except SettingsError as error:
        sys.exit(f"The worker cannot start. Invalid configuration: {error}")
    log_to_stderr(settings.log_level)
    content_store = open_content_store(settings)
    if len(channels) > 1:
        _load(settings, content_store)
        channels = [_fork(channels)]
    try:
        work(settings, content_store, sockets, *channels)
    except CannotListen as error:
        sys.exit(str(error))


def _load(settings: Settings, content_store: ContentStore) -> None:
    """Load what the workers are to share; starts no thread, as a fork would not copy it."""
    with memory.gc_frozen():
        snapshot = content_store.preload()
        if snapshot is not None:
            facts = feature_facts(settings)
            mcp = next((each for each in facts if isinstance(each, McpServer)), None)
            map_preparation.prepare(snapshot, utc_now(), settings.public_url, mcp)


def _fork(channels: Sequence[socket.socket]) -> socket.socket:
    """Fork a process for each channel, and return it there; this process ends.

    It ends without freeing its memory, which would copy what the others share.
    """
    for channel in channels:
        if not os.fork():
            for other in channels:
                if other is not channel:
                    other.close()
            return channel
    os._exit(0)


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

"""The loader: a process that loads the content once, and becomes the workers that serve it.

Workers that are forked from it share its memory until one of them changes a page of it. With one
worker it serves itself, as where processes cannot be forked.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence

from app.factory import feature_facts, open_content_store
from app.platform import garbage_collection
from app.platform.clock import utc_now
from app.platform.malloc import limit_malloc_arenas
from app.platform.observability.logs import log_to_stderr
from app.publishing.content.store import ContentStore
from app.server.listening_socket import CannotListen
from app.server.worker import work
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
    with garbage_collection.gc_frozen():
        snapshot = content_store.preload()
        if snapshot is not None:
            mcp = next(
                (each for each in feature_facts(settings) if isinstance(each, McpServer)), None
            )
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

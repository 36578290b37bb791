"""Stock Hypercorn: serves the monitoring port, and with `FAST_FRONT=off` the service itself."""

import logging
import os
import socket
from asyncio import Event
from collections.abc import Callable, Sequence

from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.typing import (
    ASGIFramework,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    Scope,
)

from app.server.lifecycle import GRACEFUL_SECONDS
from app.server.sockets import CannotListen, address_of


def configure(config: Config, log_level: str, startup_seconds: float) -> None:
    """Set what each of our servers has in the configuration of Hypercorn."""
    config.graceful_timeout = GRACEFUL_SECONDS
    config.startup_timeout = startup_seconds
    config.include_server_header = False
    # Hypercorn's own handlers would write every line a second time.
    config.errorlog = logging.getLogger("hypercorn.error")
    config.loglevel = log_level


async def serve_stock(
    app: ASGIFramework,
    sockets: Sequence[socket.socket],
    config: Config,
    on_ready: Callable[[], None],
    stop: Event,
) -> None:
    """Serve until `stop` is set; raises CannotListen.

    `on_ready` is called as soon as the application has started.
    """

    async def announced(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        async def announce(message: ASGISendEvent) -> None:
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                on_ready()

        await app(scope, receive, announce if scope["type"] == "lifespan" else send)

    # Hypercorn closes the sockets that it gets.
    config.bind = [f"fd://{os.dup(each.fileno())}" for each in sockets]
    try:
        await serve(announced, config, shutdown_trigger=stop.wait)
    except OSError as error:
        addresses = " and ".join(map(address_of, sockets))
        raise CannotListen(f"Cannot listen on {addresses}: {error.strerror}") from None

"""A server: the connections of its listening sockets, and a shutdown that drops no request.

The shutdown has three steps. First the sockets are closed. Then, for half a second, every response
asks its client to disconnect (`Connection: close`), so that busy clients disconnect by themselves.
Finally the server closes idle connections and waits for the responses in progress. A busy process
may do each step late, with connections and requests still waiting in the system's buffers: it
accepts them and answers them.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Self

from hypercorn.asyncio.lifespan import Lifespan
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState, LifespanState
from hypercorn.utils import wrap_app

from app.server.connection import Connection
from app.server.connections import Connections
from app.server.http1 import ServerConfig, Shared
from app.server.lifecycle import DRAIN_SECONDS
from app.server.output import UnsentBodies
from app.server.parsing import HeadParser
from app.server.sockets import Listener, address_of, listen

log = logging.getLogger(__name__)

LAST_ACCEPT_SECONDS = 0.1
"""How long connections in the queue are still accepted after the stop signal."""

_CLOSE_SECONDS = 0.1
"""How often idle connections are closed; each time those with unread bytes stay open."""


class Server:
    """An application served on bound sockets during an `async with` block.

    They listen as soon as the application has started.
    """

    def __init__(
        self,
        app: ASGIFramework,
        sockets: Sequence[socket.socket],
        config: ServerConfig,
        connections: Connections,
    ) -> None:
        self._app = app
        self._sockets = sockets
        self._config = config
        self._connections = connections
        self._context = WorkerContext(None)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        state = await self._stack.enter_async_context(_started(self._app, self._config))
        self._shared = Shared(
            self._app,
            self._config,
            self._context,
            ConnectionState(state),
            self._connections,
            UnsentBodies(),
            HeadParser(),
        )
        self._connections.register()
        self._listeners = [*map(self._listen, self._sockets)]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop_accepting()
        await self._finish()
        await self._stack.aclose()

    def announce_end(self) -> None:
        """Make every response ask its client to disconnect."""
        self._config.draining = True

    def stop_accepting(self) -> None:
        """Stop accepting connections; accepted connections stay open."""
        for listener in self._listeners:
            listener.close()

    async def _finish(self) -> None:
        """Close idle connections, and wait for the responses in progress."""
        self._config.draining = True
        await self._context.terminated.set()
        loop = asyncio.get_running_loop()
        end = loop.time() + self._config.graceful_timeout
        while self._tasks and loop.time() < end:
            self._connections.close_idle()
            await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)
        self._connections.abort()
        for task in self._tasks:
            task.cancel()

    def _listen(self, bound: socket.socket) -> Listener:
        listen(bound)
        log.info("Listening on http://%s", address_of(bound))
        return Listener(bound, self._connections, self._accept, self._config.log_refusal)

    def _accept(self, accepted: socket.socket, peer: str | None) -> None:
        connection = Connection(accepted, self._shared)
        self._connections.add(connection, peer)
        task = asyncio.get_running_loop().create_task(connection.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: self._connections.remove(connection))


async def serve(
    app: ASGIFramework,
    sockets: Sequence[socket.socket],
    config: ServerConfig,
    connections: Connections,
    on_ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve until `stop` is set, and then until every response is sent.

    `on_ready` is called as soon as requests are accepted.
    """
    asyncio.get_running_loop().set_exception_handler(_log_unless_cancelled)
    async with Server(app, sockets, config, connections) as server:
        on_ready()
        await stop.wait()
        server.announce_end()
        await asyncio.sleep(LAST_ACCEPT_SECONDS)
        server.stop_accepting()
        await asyncio.sleep(DRAIN_SECONDS)


def _log_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore cancellations: a response cut off after the graceful timeout is not an error."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


@asynccontextmanager
async def _started(app: ASGIFramework, config: ServerConfig) -> AsyncIterator[LifespanState]:
    """Start the application, and shut it down after the block; re-raises startup errors."""
    state = LifespanState({})
    wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
    lifespan = Lifespan(wrapped, config, asyncio.get_running_loop(), state)
    task = asyncio.create_task(lifespan.handle_lifespan())
    await lifespan.wait_for_startup()
    if task.done():
        task.result()
    try:
        yield state
    finally:
        await lifespan.wait_for_shutdown()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

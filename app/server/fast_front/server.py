"""A server: the connections of its listening sockets, and a shutdown that drops no request.

The shutdown has three steps. First the sockets are closed. Then, for half a second, every response
asks its client to disconnect (`Connection: close`), so that busy clients disconnect by themselves.
Finally the server closes idle connections and waits for the responses in progress. A busy process
may do each step late, with connections and requests still waiting in the system's buffers: it
accepts them and answers them.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from time import monotonic
from typing import Any, Self

from hypercorn.asyncio.lifespan import Lifespan
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, ConnectionState, LifespanState
from hypercorn.utils import wrap_app

from app.server.fast_front.connection import Connection, Shared
from app.server.fast_front.connections import Connections, UnsentBodies
from app.server.fast_front.plain_reads import HeadParser
from app.server.fast_front.strict import FrontConfig
from app.server.lifecycle import DRAIN_SECONDS
from app.server.sockets import address_of, listen

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
        config: FrontConfig,
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
        await self.stop_accepting()
        await self._finish()
        await self._stack.aclose()

    def announce_end(self) -> None:
        """Make every response ask its client to disconnect."""
        self._config.draining = True

    async def stop_accepting(self) -> None:
        """Stop accepting connections; accepted connections stay open."""
        for listener in self._listeners:
            await listener.close()

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
    config: FrontConfig,
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
        await server.stop_accepting()
        await asyncio.sleep(DRAIN_SECONDS)


def _log_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore cancellations: a response cut off after the graceful timeout is not an error."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


_PAUSE_SECONDS = 0.1
_LOG_SECONDS = 60.0
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"Connection: close\r\nContent-Length: 0\r\nRetry-After: 10\r\n\r\n"
)
_REFUSED_STATUS = 503
_READ_BYTES = 16_384

OnAccept = Callable[[socket.socket, str | None], None]
OnRefuse = Callable[[str | None, int], None]


class Listener:
    """Accepts the connections of a listening socket until it is closed.

    The event loop's own servers accept every connection and, without a free descriptor, drop all
    waiting ones silently. A listener refuses a connection over a limit before it costs anything,
    and logs and counts a lack of descriptors.
    """

    def __init__(
        self,
        listening_socket: socket.socket,
        connections: Connections,
        on_accept: OnAccept,
        on_refuse: OnRefuse | None = None,
    ) -> None:
        self._socket = listening_socket
        self._connections = connections
        self._on_accept = on_accept
        self._on_refuse = on_refuse
        self._accepting = asyncio.create_task(self._accept())

    async def close(self) -> None:
        """Accept what waits in the queue, then stop; accepted connections stay open.

        A busy process may not have looked at the queue for long. If it is the last one that
        closes the socket, the connections in the queue are reset.
        """
        self._accepting.cancel()
        with suppress(asyncio.CancelledError):
            await self._accepting
        with suppress(OSError):
            while True:
                self._add_or_refuse(*self._socket.accept())
        self._socket.close()

    async def _accept(self) -> None:
        """Accept connections; without a free descriptor, close idle ones and pause."""
        logged_at = float("-inf")
        while True:
            try:
                self._add_or_refuse(*await asyncio.get_running_loop().sock_accept(self._socket))
            except ConnectionAbortedError:
                pass  # the client disconnected
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                self._connections.lower_limit()
                if monotonic() - logged_at >= _LOG_SECONDS:
                    logged_at = monotonic()
                    log.error(
                        "Cannot accept connections: %s. Raise the limit of open files"
                        " (LimitNOFILE, ulimit -n) or lower MAX_CONNECTIONS.",
                        error.strerror,
                    )
                await asyncio.sleep(_PAUSE_SECONDS)

    def _add_or_refuse(self, accepted: socket.socket, address: object) -> None:
        peer = str(address[0]) if isinstance(address, tuple) else None
        if self._connections.reason_to_refuse(peer):
            _refuse(accepted)
            if self._on_refuse is not None:
                self._on_refuse(peer, _REFUSED_STATUS)
        else:
            self._on_accept(accepted, peer)


def _refuse(accepted: socket.socket) -> None:
    """Send 503 if that is possible without waiting, and close the socket."""
    with accepted, suppress(OSError):
        accepted.setblocking(False)
        accepted.send(_REFUSAL)
        accepted.shutdown(socket.SHUT_WR)
        accepted.recv(_READ_BYTES)  # closing with unread data would reset the connection


@asynccontextmanager
async def _started(app: ASGIFramework, config: FrontConfig) -> AsyncIterator[LifespanState]:
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

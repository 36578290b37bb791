"""A connection: one accepted socket, its HTTP protocol, and its timeouts."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import socket
import struct
import termios
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import h11
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.utils import parse_socket_addr

from app.server.http1 import Http1, Shared, Transport
from app.server.output import Output
from app.server.tasks import RequestTasks

log = logging.getLogger(__name__)

_READ_BYTES = 64 * 1024
_HALF_CLOSED_SECONDS = 5
"""How long a client that has closed its sending side may wait for its response. Whether it has
closed the whole connection cannot be seen, so what is still in progress then learns of its end."""


class Connection:
    """A client connection, served until the client disconnects, idles or stops reading."""

    def __init__(self, accepted: socket.socket, shared: Shared) -> None:
        self._socket = accepted
        self._shared = shared
        self._loop = asyncio.get_running_loop()
        self._tasks = RequestTasks()
        self._reader = asyncio.StreamReader(loop=self._loop)
        self._transport: asyncio.Transport | None = None
        self._output: Output | None = None
        self._protocol: Http1 | None = None
        self._has_ended = False
        self._awaits_data = False
        self._idle_since: float | None = self._loop.time()
        self._idle_seconds = shared.config.head_timeout
        self._timer: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Serve the connection until it ends."""
        try:
            transport = await self._open()
            self._check_idle()
            await self._receive(transport)
        except OSError:
            pass  # the client disconnected during the accept
        except Exception:
            log.exception("A connection failed")
        finally:
            await self._close_or_abort()

    def abort(self) -> None:
        """Close the connection at once."""
        self._end()
        if self._output is not None:
            self._output.abort()

    def close_if_idle(self) -> None:
        """Close the connection now if no request is in progress, read or unread."""
        if self._idle_since is not None and not _has_unread_bytes(self._socket):
            self._end()

    async def _open(self) -> Transport:
        family = self._socket.family
        client = parse_socket_addr(family, self._socket.getpeername())
        server = parse_socket_addr(family, self._socket.getsockname())
        protocol = _Input(self._reader, self._loop, self._take)
        connected, _ = await self._loop.connect_accepted_socket(lambda: protocol, self._socket)
        self._transport = connected
        writer = asyncio.StreamWriter(connected, protocol, self._reader, self._loop)
        stalled = partial(self._shared.connections.count_closed, "stalled")
        output = self._output = Output(writer, self._shared.config.write_timeout, stalled)
        return Transport(
            self._shared,
            client,
            server,
            output,
            self._tasks,
            partial(self._handle_event, output),
            self._note_request,
            self._give_up,
        )

    def _take(self, data: bytes) -> bytes:
        """Respond at once where possible; return the data that the protocol is to handle."""
        if self._awaits_data and not self._has_ended and self._protocol is not None:
            data = self._protocol.take(data)
        if data:
            self._awaits_data = False
        return data

    async def _receive(self, transport: Transport) -> None:
        protocol = self._protocol = Http1(transport)
        while not self._has_ended and not self._reader.at_eof():
            self._awaits_data = True
            try:
                data = await self._reader.read(_READ_BYTES)
            except OSError:
                break
            if self._has_ended:
                break
            await protocol.handle(RawData(data))

    def _note_request(self) -> None:
        """Note a request that has been responded to at once."""
        self._shared.connections.note_request(self)
        self._note_idle()

    async def _handle_event(self, output: Output, event: Event) -> None:
        """Carry out an event of the protocol."""
        if isinstance(event, RawData):
            await output.send(event.data)
        elif isinstance(event, Closed):
            self._end()
        elif isinstance(event, Updated) and event.idle:
            self._wait_for_request()
        elif isinstance(event, Updated):
            self._idle_since = None
            self._shared.connections.note_busy(self)

    def _wait_for_request(self) -> None:
        self._shared.connections.note_idle(self)
        self._note_idle()
        if self._shared.context.terminated.is_set():
            self._end()

    def _note_idle(self) -> None:
        """Note that the connection is idle from now on, and for how long at most."""
        seconds = self._idle_seconds = self._shared.config.keep_alive_timeout
        self._idle_since = self._loop.time()
        if self._timer is not None and self._timer.when() > self._idle_since + seconds:
            self._timer.cancel()
            self._check_idle()

    def _check_idle(self) -> None:
        """Close a connection that is idle for too long, or schedule the next check."""
        now = self._loop.time()
        since = now if self._idle_since is None else self._idle_since
        if now >= since + self._idle_seconds:
            self._end()
        else:
            self._timer = self._loop.call_at(since + self._idle_seconds, self._check_idle)

    def _give_up(self, reason: str) -> None:
        self._shared.connections.count_closed(reason)
        self.abort()

    def _end(self) -> None:
        """Stop reading, so that `run` ends and closes the connection."""
        self._has_ended = True
        if self._transport is not None:
            self._transport.pause_reading()
            self._reader.feed_eof()

    async def _close_or_abort(self) -> None:
        try:
            await self._close()
        except Exception:
            log.exception("Could not close a connection gracefully; aborting it")
            self.abort()
        finally:
            if self._timer is not None:
                self._timer.cancel()

    async def _close(self) -> None:
        if self._output is None:
            self._socket.close()
            return
        if self._protocol is None:
            self._output.abort()
            return
        has_whole_request = self._protocol.connection.their_state is not h11.SEND_BODY
        if has_whole_request and not self._has_ended:
            await self._tasks.ended(_HALF_CLOSED_SECONDS)
        await self._protocol.handle(Closed())
        if not self._has_ended:
            await self._tasks.ended()
        await self._output.close()
        await self._tasks.ended()


class _Input(asyncio.StreamReaderProtocol):
    """Passes received data to `take`, and what that returns to the reader."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        loop: asyncio.AbstractEventLoop,
        take: Callable[[bytes], bytes],
    ) -> None:
        super().__init__(reader, loop=loop)
        self._take = take

    def data_received(self, data: bytes) -> None:
        """Take the data."""
        remaining = self._take(data)
        if remaining:
            super().data_received(remaining)


def _has_unread_bytes(connected: socket.socket) -> bool:
    """Return whether bytes wait in a socket's receive buffer; False if the socket is closed."""
    with suppress(OSError, ValueError):
        (count,) = struct.unpack("i", fcntl.ioctl(connected.fileno(), termios.FIONREAD, bytes(4)))
        return bool(count)
    return False

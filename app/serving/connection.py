"""A connection: one accepted socket, the version of HTTP spoken on it, and its time-outs."""

from __future__ import annotations

import asyncio
import logging
import socket
from functools import partial

from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H2CProtocolRequiredError, H2ProtocolAssumedError
from hypercorn.utils import parse_socket_addr

from app.serving.http1 import Http1
from app.serving.http2 import Http2
from app.serving.output import Output
from app.serving.transport import HttpProtocol, Shared, Transport
from app.serving.work import Work

log = logging.getLogger(__name__)

_READ_BYTES = 64 * 1024


class Connection:
    """Serves one client until it leaves, is idle for too long, or takes nothing any more."""

    def __init__(self, accepted: socket.socket, shared: Shared) -> None:
        self._socket = accepted
        self._shared = shared
        self._loop = asyncio.get_running_loop()
        self._work = Work()
        self._reader = asyncio.StreamReader(loop=self._loop)
        self._transport: asyncio.Transport | None = None
        self._output: Output | None = None
        self._protocol: HttpProtocol | None = None
        self._has_ended = False
        self._idle_since: float | None = self._loop.time()
        self._patience = shared.config.head_timeout
        self._timer: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Serve to the end."""
        try:
            transport = await self._open()
            self._look_at_clock()
            await self._load_files(transport)
        except OSError:
            pass  # the client left while it was accepted
        except Exception:
            log.exception("A connection failed")
        finally:
            await self._close_surely()

    def abort(self) -> None:
        """End at once."""
        self._end()
        if self._output is not None:
            self._output.abort()

    def announce_end(self) -> None:
        """Tell the client that the connection will end soon."""
        if self._protocol is not None:
            self._protocol.announce_end()

    def close_if_idle(self) -> None:
        """End now where no request is under way."""
        if self._idle_since is not None:
            self._end_idle()

    async def _open(self) -> Transport:
        family = self._socket.family
        client = parse_socket_addr(family, self._socket.getpeername())
        server = parse_socket_addr(family, self._socket.getsockname())
        protocol = asyncio.StreamReaderProtocol(self._reader, loop=self._loop)
        connected, _ = await self._loop.connect_accepted_socket(lambda: protocol, self._socket)
        self._transport = connected
        writer = asyncio.StreamWriter(connected, protocol, self._reader, self._loop)
        stalled = partial(self._shared.connections.count_closed, "stalled")
        output = self._output = Output(writer, self._shared.config.write_timeout, stalled)
        act = partial(self._act, output)
        return Transport(self._shared, client, server, output, self._work, act, self._give_up)

    async def _load_files(self, transport: Transport) -> None:
        protocol: HttpProtocol = Http1(transport)
        while not self._has_ended and not self._reader.at_eof():
            self._protocol = protocol
            try:
                data = await self._reader.read(_READ_BYTES)
            except OSError:
                break
            if self._has_ended:
                break
            protocol = await self._take(data, protocol, transport)

    async def _take(
        self, data: bytes, protocol: HttpProtocol, transport: Transport
    ) -> HttpProtocol:
        """Let the protocol take what came in; gives the one that the client speaks from now on."""
        try:
            await protocol.handle(RawData(data))
        except H2ProtocolAssumedError as error:
            self._protocol = http2 = Http2(transport)
            self._wait_for_request(self._shared.config.head_timeout, first=True)
            await http2.begin()
            await http2.handle(RawData(error.data))
            return http2
        except H2CProtocolRequiredError as error:
            self._protocol = http2 = Http2(transport)
            await http2.begin_with(error.headers, error.settings)
            await http2.handle(RawData(error.data))
            return http2
        return protocol

    async def _act(self, output: Output, event: Event) -> None:
        """Do what the protocol asks for."""
        if isinstance(event, RawData):
            await output.send(event.data)
        elif isinstance(event, Closed):
            self._end()
        elif isinstance(event, Updated) and event.idle:
            self._wait_for_request(self._shared.config.keep_alive_timeout)
        elif isinstance(event, Updated):
            self._idle_since = None
            self._shared.connections.note_busy(self)

    def _wait_for_request(self, patience: float, *, first: bool = False) -> None:
        self._patience = patience
        self._idle_since = self._loop.time()
        self._shared.connections.note_idle(self, first=first)
        if self._timer is not None and self._timer.when() > self._idle_since + patience:
            self._timer.cancel()
            self._look_at_clock()
        if self._shared.context.terminated.is_set():
            self._end_idle()

    def _look_at_clock(self) -> None:
        """End what is idle for too long, or look again when it could be."""
        now = self._loop.time()
        since = now if self._idle_since is None else self._idle_since
        if now >= since + self._patience:
            self._end_idle()
        else:
            self._timer = self._loop.call_at(since + self._patience, self._look_at_clock)

    def _end_idle(self) -> None:
        if self._output is not None and self._protocol is not None:
            self._output.write(self._protocol.last_words())
        self._end()

    def _give_up(self, reason: str) -> None:
        self._shared.connections.count_closed(reason)
        self.abort()

    def _end(self) -> None:
        """Read no more; `run` does the rest."""
        self._has_ended = True
        if self._transport is not None:
            self._transport.pause_reading()
            self._reader.feed_eof()

    async def _close_surely(self) -> None:
        try:
            await self._close()
        except Exception:
            log.exception("A connection could not be closed as it should")
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
        await self._protocol.handle(Closed())
        if not self._has_ended:  # the client may have closed its side alone, and wait
            await self._work.ended()
        await self._output.close()
        await self._work.ended()

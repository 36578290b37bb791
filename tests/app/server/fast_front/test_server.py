"""The server: timeouts, and clients that disconnect or do not read."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import uvloop

from app.platform.asgi.client_address import TrustedProxies
from app.platform.observability.metrics import Metrics
from app.server.fast_front import server
from app.server.fast_front.connection import _HALF_CLOSED_SECONDS
from app.server.fast_front.connections import ConnectionLimits, Connections
from app.server.fast_front.server import Server, serve
from app.server.fast_front.strict import FrontConfig
from app.server.sockets import bind

MIB = 1024 * 1024
LARGE = bytes(16 * MIB)
DEADLINE = 10.0
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class App:
    """An ASGI application that answers with a body, or with the length of the request body.

    Its events record a disconnect, and the start and end of a request.
    """

    def __init__(self, body: bytes = b"") -> None:
        self.body = body
        self.reads = True
        self.disconnected = asyncio.Event()
        self.ended = asyncio.Event()
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle the lifespan or a request."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["path"] == "/wait":
            while (await receive())["type"] != "http.disconnect":
                pass
            self.disconnected.set()
            return
        if scope["path"] == "/hold":
            self.started.set()
            await self.released.wait()
        body = self.body or b"%d" % await self._length(receive)
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        self.ended.set()

    async def _length(self, receive: Callable[[], Awaitable[Any]]) -> int:
        length, more = 0, self.reads
        while more:
            message = await receive()
            length += len(message["body"])
            more = message["more_body"]
        return length


async def _lifespan(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


class Running:
    """A server in this process, and its metrics."""

    def __init__(self, port: int, metrics: Metrics) -> None:
        self.port = port
        self.writers: list[asyncio.StreamWriter] = []
        self._metrics = metrics

    async def connect(self, receive_bytes: int = 0) -> Streams:
        """Open a connection, with a receive buffer of this size if one is given."""
        connection = socket.socket()
        if receive_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        reader, writer = await asyncio.open_connection(sock=connection)
        self.writers.append(writer)
        return reader, writer

    def closed(self, reason: str) -> float:
        """Return how many connections the server has closed for a reason."""
        counts = self._metrics.samples().get(("majlis_connections_closed", (reason,)), [0])
        return counts[0]


@asynccontextmanager
async def running(app: App, **options: Any) -> AsyncIterator[Running]:
    """Run a server with these values in its configuration."""
    config = FrontConfig()
    for option, value in options.items():
        assert hasattr(config, option)
        setattr(config, option, value)
    metrics = Metrics()
    limits = ConnectionLimits(total=50, per_client=50)
    listening_socket = bind("127.0.0.1", 0)
    port = listening_socket.getsockname()[1]
    connections = Connections(limits, TrustedProxies(()), metrics)
    async with Server(app, [listening_socket], config, connections):
        server = Running(port, metrics)
        yield server
        for writer in server.writers:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Read until the connection is closed."""
    async with asyncio.timeout(DEADLINE):
        return await reader.read()


async def test_clients_are_refused_until_the_application_has_started() -> None:
    """A client that waited for its content could have asked another instance."""
    loading, loaded, stop = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class SlowStart(App):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "lifespan":
                loading.set()
                await loaded.wait()
            await super().__call__(scope, receive, send)

    app, config, ready = SlowStart(b"x"), FrontConfig(), asyncio.Event()
    with bind("127.0.0.1", 0) as bound:
        connections = Connections(ConnectionLimits(5, 5), TrustedProxies(()), Metrics())
        serving = asyncio.create_task(serve(app, [bound], config, connections, ready.set, stop))
        await loading.wait()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(*bound.getsockname())
        loaded.set()
        await ready.wait()
        _, writer = await asyncio.open_connection(*bound.getsockname())
        writer.close()
        stop.set()
        await serving


async def test_a_slow_head_is_closed() -> None:
    """Also the second head of a connection, of which a part was sent."""
    async with running(App(b"x"), head_timeout=0.2, keep_alive_timeout=0.2) as server:
        for begun in (b"", GET):
            reader, writer = await server.connect()
            writer.write(begun + b"GET / HTTP/1.1\r\nHost: x\r\n")
            assert (await rest(reader))[-1:] == (b"x" if begun else b"")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
async def test_a_connection_without_a_request_is_closed(sent: bytes) -> None:
    """After the timeout for the first request head."""
    async with running(App(), head_timeout=0.2) as server:
        reader, writer = await server.connect()
        writer.write(sent)
        assert await rest(reader) == b""


async def test_an_idle_connection_is_closed() -> None:
    """After the timeout between two requests."""
    async with running(App(b"x"), keep_alive_timeout=0.2, head_timeout=DEADLINE) as server:
        reader, writer = await server.connect()
        writer.write(GET)
        assert (await rest(reader)).endswith(b"\r\n\r\nx")


async def test_a_client_that_reads_nothing_is_disconnected() -> None:
    """After the write timeout; the application's task ends, too."""
    app = App(LARGE)
    async with running(app, write_timeout=0.3) as server:
        _, writer = await server.connect(4_096)
        writer.write(GET)
        async with asyncio.timeout(DEADLINE):
            await app.ended.wait()
            while not server.closed("stalled"):  # noqa: ASYNC110  # there is no event for it
                await asyncio.sleep(0.01)
        assert server.closed("stalled") == 1


async def test_a_client_that_reads_slowly_gets_everything() -> None:
    """It may take longer than the timeout, as long as it makes progress."""
    async with running(App(LARGE[: 2 * MIB]), write_timeout=0.5) as server:
        reader, writer = await server.connect(16_384)
        writer.write(GET)
        head = await reader.readuntil(b"\r\n\r\n")
        size = 0
        while size < MIB // 2:  # so slowly that the system's buffers cannot hide it
            size += len(await reader.readexactly(32_768))
            await asyncio.sleep(0.1)
        assert b" 200 " in head
        await reader.readexactly(2 * MIB - size)
        assert server.closed("stalled") == 0


async def test_pipelined_requests_are_answered_in_order() -> None:
    """Each response is complete, and the connection is closed after the last one."""
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    posts = [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % n + b"a" * n
        for n in (3, 70_000)
    ]
    async with running(App()) as server:
        reader, writer = await server.connect()
        writer.write(b"".join([*posts, last]))
        responses = (await rest(reader)).split(b"HTTP/1.1 200 ")
        assert [response.rpartition(b"\r\n\r\n")[2] for response in responses[1:]] == [
            b"3",
            b"70000",
            b"0",
        ]


async def test_pipelines_with_bodies_are_answered_however_they_arrive() -> None:
    """Also if the application responds before it has read a body of which a part has arrived."""
    random = Random(7)
    app = App()
    app.reads = False

    def post() -> bytes:
        size = random.randrange(1, 600)
        if random.random() < 0.5:
            return b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + b"a" * size
        head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        return head + b"%x\r\n" % size + b"a" * size + b"\r\n0\r\n\r\n"

    async with asyncio.timeout(DEADLINE), running(app) as server:
        for _ in range(40):
            requests = [random.choice((post(), GET)) for _ in range(random.randrange(2, 7))]
            sent = b"".join(requests)
            cuts = sorted(random.sample(range(1, len(sent)), random.randrange(1, 9)))
            reader, writer = await server.connect()
            for start, end in pairwise((0, *cuts, len(sent))):
                writer.write(sent[start:end])
                for _ in range(random.randrange(8)):  # so that the server reads the pieces alone
                    await asyncio.sleep(0)
            for _ in requests:
                head = await reader.readuntil(b"\r\n\r\n")
                assert b" 200 " in head
                assert b"connection: close" not in head
                await reader.readexactly(1)
            writer.close()


async def test_a_body_that_does_not_arrive_ends_its_connection() -> None:
    """After the time of an idle connection; one that is too long after a few bytes of it."""
    app = App()
    app.reads = False
    head = b"POST / HTTP/1.1\r\nHost: x\r\n"
    async with running(app, keep_alive_timeout=0.2) as server:
        reader, writer = await server.connect()
        writer.write(head + b"Content-Length: 9\r\n\r\nabc")
        assert b" 200 " in await rest(reader)
    async with running(app) as server:
        reader, writer = await server.connect()
        writer.write(head + b"Transfer-Encoding: chunked\r\n\r\n")
        writer.write((b"2000\r\n" + bytes(8192) + b"\r\n") * 20)
        assert (await rest(reader)).count(b"HTTP/1.1 ") == 1


async def test_what_follows_the_last_request_is_ignored() -> None:
    """The response tells what was done: the request before was carried out."""
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab"
    old = b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab"
    async with running(App()) as server:
        for sent in (request + b"\r\n", request + b"rubbish", old + GET, request + GET):
            reader, writer = await server.connect()
            writer.write(sent)
            responses = await rest(reader)
            assert responses.startswith(b"HTTP/1.1 200 ")
            assert responses.count(b"HTTP/1.1 ") == 1


async def test_empty_lines_before_a_request_are_ignored() -> None:
    """RFC 9112, section 2.2; also between two requests, and in pieces."""
    post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
    last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    async with running(App()) as server:
        for pieces in (
            [b"\r\n" + post + b"\r\n\r\n" + last],
            [b"\r", b"\n" + post + b"\r", b"\n" + last],
        ):
            reader, writer = await server.connect()
            for piece in pieces:
                writer.write(piece)
                for _ in range(8):
                    await asyncio.sleep(0)
            assert (await rest(reader)).count(b"HTTP/1.1 200 ") == 2


async def test_a_client_that_expects_100_receives_it() -> None:
    """Before it sends the request body."""
    async with running(App()) as server:
        reader, writer = await server.connect()
        writer.write(
            b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        )
        assert b" 100 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"ab")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        assert await reader.readexactly(1) == b"2"


async def test_an_unread_request_body_does_not_block() -> None:
    """The connection and its tasks end after the response."""
    app = App()
    app.reads = False
    async with asyncio.timeout(DEADLINE):
        async with running(app) as server:
            reader, writer = await server.connect()
            head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            writer.write(head + b"1\r\na\r\n" * 5_000)
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")


@pytest.mark.parametrize("path", ["/", "/hold"])
async def test_a_client_that_closes_its_sending_side_is_answered(path: str) -> None:
    """At once or later, and all of its requests; then the connection is closed."""
    app = App(b"text")
    request = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode()
    async with running(app) as server:
        reader, writer = await server.connect()
        writer.write(request * 2)
        writer.write_eof()
        if path == "/hold":
            async with asyncio.timeout(DEADLINE):
                await app.started.wait()
            app.released.set()
        answered = await rest(reader)
    assert answered.count(b" 200 ") == 2
    assert answered.count(b"text") == 2


async def test_a_body_that_will_not_arrive_is_not_waited_for() -> None:
    """The application learns of the end at once; the other limit is longer than this test."""
    app = App()
    async with running(app) as server:
        _, writer = await server.connect()
        loop = asyncio.get_running_loop()
        writer.write(b"POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\npart")
        began = loop.time()
        writer.write_eof()
        async with asyncio.timeout(DEADLINE):
            await app.disconnected.wait()
        assert loop.time() < began + _HALF_CLOSED_SECONDS


async def test_a_disconnect_reaches_the_application() -> None:
    """It receives `http.disconnect`."""
    app = App()
    async with running(app) as server:
        _, writer = await server.connect()
        writer.write(b"GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
        writer.close()
        async with asyncio.timeout(DEADLINE):
            await app.disconnected.wait()


@asynccontextmanager
async def stopping(app: App) -> AsyncIterator[int]:
    """Serve, and set the stop event before the block; it has the port, and then all must end."""
    stop, ready = asyncio.Event(), asyncio.Event()
    listening_socket = bind("127.0.0.1", 0)
    port: int = listening_socket.getsockname()[1]
    limits = ConnectionLimits(total=50, per_client=50)
    connections = Connections(limits, TrustedProxies(()), Metrics())
    config = FrontConfig()
    serving = asyncio.create_task(
        serve(app, [listening_socket], config, connections, ready.set, stop)
    )
    await ready.wait()
    stop.set()
    while not config.draining:  # noqa: ASYNC110  # there is no event for it
        await asyncio.sleep(0)
    yield port
    async with asyncio.timeout(DEADLINE):
        await serving


def _request(port: int) -> socket.socket:
    """Send a request on a new connection, without this process's event loop."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
    connection.sendall(GET)
    return connection


@pytest.mark.parametrize("loop_factory", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_a_stall_during_a_stop_drops_no_request(
    loop_factory: Callable[[], asyncio.AbstractEventLoop],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process is stalled until all steps of the stop are due; requests came meanwhile."""
    monkeypatch.setattr(server, "LAST_ACCEPT_SECONDS", 0.01)
    monkeypatch.setattr(server, "DRAIN_SECONDS", 0.01)

    async def stalled() -> None:
        async with stopping(App(b"whole")) as port:
            sent = [_request(port) for _ in range(40)]
            time.sleep(0.02)  # noqa: ASYNC251  # the stall
        for connection in sent:
            with connection, connection.makefile("rb") as response:
                assert response.read().endswith(b"\r\n\r\nwhole")

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(stalled())

"""Responses at once: without a task, and what sends a request the ordinary way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from cases import cases

from app.platform.asgi.client_address import TrustedProxies
from app.platform.concurrency.eager_start import in_task
from app.platform.observability.metrics import Metrics
from app.server.fast_front.connections import ConnectionLimits, Connections
from app.server.fast_front.server import Server
from app.server.fast_front.strict import FrontConfig
from app.server.sockets import bind

DEADLINE = 10.0
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class App:
    """An ASGI application that notes for each request whether it runs without a task."""

    def __init__(self, body: bytes = b"ok") -> None:
        self.body = body
        self.at_once: list[bool] = []
        self.before: Callable[[], Any] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle the lifespan or a request."""
        if scope["type"] == "lifespan":
            for phase in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{phase}.complete"})
            return
        self.at_once.append(asyncio.current_task() is None)
        if self.before is not None:
            await self.before()
        headers = [(b"content-length", b"%d" % len(self.body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


@asynccontextmanager
async def running(app: App, **options: Any) -> AsyncIterator[tuple[Server, Connections, Streams]]:
    """Run a server with these values in its configuration, and connect to it."""
    config = FrontConfig()
    for name, value in options.items():
        assert hasattr(config, name)
        setattr(config, name, value)
    connections = Connections(ConnectionLimits(5, 5), TrustedProxies(()), Metrics())
    listening_socket = bind("127.0.0.1", 0)
    port = listening_socket.getsockname()[1]
    async with Server(app, [listening_socket], config, connections) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(0)
        async with asyncio.timeout(DEADLINE):
            writer.write(GET)  # the first request may arrive before the server reads
            await body_of(reader)
            app.at_once.clear()
            yield server, connections, (reader, writer)
        writer.close()
        await writer.wait_closed()


async def body_of(reader: asyncio.StreamReader) -> bytes:
    """Read the next response and return its body."""
    while (head := await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 "):
        pass
    length = int(head.partition(b"content-length: ")[2].split(b"\r\n")[0])
    return await reader.readexactly(length)


async def test_a_read_that_waits_for_nothing_needs_no_task() -> None:
    """One after the other, and pipelined."""
    app = App()
    async with running(app) as (_, _, (reader, writer)):
        tasks: list[object] = []

        def count(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
            tasks.append(coroutine)
            return asyncio.Task(coroutine, loop=loop, **options)

        asyncio.get_running_loop().set_task_factory(count)
        for sent in (GET, GET * 3):
            writer.write(sent)
            for _ in range(sent.count(GET)):
                assert await body_of(reader) == b"ok"
        asyncio.get_running_loop().set_task_factory(None)
    assert (app.at_once, tasks) == ([True] * 4, [])


@cases(
    "sent",
    [
        pytest.param(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", id="a body"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n", id="Expect"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\n\r\n", id="Upgrade"),
        pytest.param(LAST, id="Connection: close"),
        pytest.param(b"GET / HTTP/1.1\nHost: x\n\n", id="bare line feeds"),
        pytest.param(b"PURGE / HTTP/1.1\r\nHost: x\r\n\r\n", id="another method"),
    ],
)
async def test_whatever_is_no_plain_read_goes_the_ordinary_way(sent: bytes) -> None:
    """There h11 parses it."""
    app = App()
    async with running(app) as (_, _, (reader, writer)):
        writer.write(sent)
        assert await body_of(reader) == b"ok"
    assert app.at_once == [False]


async def test_a_read_that_waits_continues_in_a_task() -> None:
    """The application is called once, and the requests after it wait for their turn."""
    app = App()
    app.before = in_task
    async with running(app) as (_, _, (reader, writer)):
        app.before = None
        writer.write(GET)
        await body_of(reader)
        app.before = in_task
        writer.write(GET + GET)
        assert [await body_of(reader) for _ in range(2)] == [b"ok"] * 2
    assert app.at_once == [True, True, False]


async def test_a_head_in_parts_goes_the_ordinary_way() -> None:
    """The request after it does not."""
    app = App()
    async with running(app) as (_, _, (reader, writer)):
        writer.write(GET[:9])
        for _ in range(8):  # turns of the loop, in which the server receives it
            await asyncio.sleep(0)
        writer.write(GET[9:])
        await body_of(reader)
        writer.write(GET)
        await body_of(reader)
    assert app.at_once == [False, True]


async def test_a_request_after_a_large_body_goes_the_ordinary_way() -> None:
    """The body counts as unsent until the client has read it."""
    app = App(bytes(200_000))
    async with running(app) as (_, _, (reader, writer)):
        writer.write(GET + GET)
        assert [len(await body_of(reader)) for _ in range(2)] == [200_000] * 2
    assert app.at_once == [True, False]


async def test_many_pipelined_requests_leave_others_their_turn() -> None:
    """After a few that are responded to at once, the others go the ordinary way."""
    app = App()
    async with running(app) as (_, _, (reader, writer)):
        writer.write(GET * 40)
        for _ in range(40):
            await body_of(reader)
    assert app.at_once == [True] * 16 + [False] * 24


async def test_a_connection_is_closed_after_its_last_request() -> None:
    """The number of requests on a connection is limited as before."""
    async with running(App(), keep_alive_max_requests=3) as (_, _, (reader, writer)):
        writer.write(GET)
        await body_of(reader)
        writer.write(GET)
        assert b"connection: close\r\n" in await reader.read()


async def test_a_server_that_stops_asks_clients_to_disconnect() -> None:
    """In each response."""
    async with running(App()) as (server, _, (reader, writer)):
        server.announce_end()
        writer.write(GET)
        assert b"connection: close\r\n" in await reader.read()


async def test_an_idle_connection_is_closed_after_a_response_at_once() -> None:
    """After the timeout between two requests."""
    async with running(App(), keep_alive_timeout=0.1, head_timeout=DEADLINE) as (_, _, streams):
        reader, writer = streams
        writer.write(GET)
        await body_of(reader)
        assert await reader.read() == b""


async def test_an_error_before_the_response_is_a_500() -> None:
    """Also if the application raises it in its first step."""
    app = App()
    async with running(app) as (_, _, (reader, writer)):

        async def fail() -> None:
            raise KeyError

        app.before = fail
        writer.write(GET)
        assert (await reader.read()).startswith(b"HTTP/1.1 500 \r\n")
    assert app.at_once == [True]


async def test_a_request_is_abandoned_with_its_connection() -> None:
    """What it holds is released, if the connection ends before the application continues."""
    app, released = App(), asyncio.Event()
    async with running(app) as (_, connections, (_, writer)):

        async def hold() -> None:
            connections.abort()
            try:
                await in_task()
            finally:
                released.set()

        app.before = hold
        writer.write(GET)
        await released.wait()
    assert app.at_once == [True]

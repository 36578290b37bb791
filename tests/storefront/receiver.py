"""A webhook receiver: a real server on loopback that answers each connection by a script."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Self

Responder = Callable[["Exchange"], Awaitable[None]]


@dataclass(frozen=True)
class Received:
    """A received request."""

    headers: dict[str, str]
    body: bytes

    @property
    def webhook_id(self) -> str:
        """The ID by which a receiver recognises a repeated delivery."""
        return self.headers["webhook-id"]


@dataclass(frozen=True)
class Exchange:
    """A connection whose request has been read."""

    request: Received
    writer: asyncio.StreamWriter
    closing: asyncio.Event

    async def say(self, data: bytes) -> None:
        """Send bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def hang(self) -> None:
        """Send nothing more until the receiver is closed."""
        await self.closing.wait()

    def reset(self) -> None:
        """Reset the connection, as if the machine had failed."""
        self.writer.transport.abort()


def answers(status: int, *headers: str, body: bytes = b"{}") -> Responder:
    """Return a responder that sends a complete response."""

    async def respond(exchange: Exchange) -> None:
        lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body)}", *headers]
        await exchange.say("\r\n".join([*lines, "", ""]).encode() + body)

    return respond


async def silence(exchange: Exchange) -> None:
    """Send no response at all."""
    await exchange.hang()


async def half_a_head(exchange: Exchange) -> None:
    """Send an incomplete head, and wait."""
    await exchange.say(b"HTTP/1.1 200 OK\r\nContent-Le")
    await exchange.hang()


async def head_only(exchange: Exchange) -> None:
    """Send the head of a 500 response, and never its body."""
    await exchange.say(b"HTTP/1.1 500 Broken\r\nContent-Length: 10\r\n\r\n")
    await exchange.hang()


async def drip(exchange: Exchange) -> None:
    """Send an endless head byte by byte."""
    await exchange.say(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not exchange.closing.is_set():
        await exchange.say(b"x")
        await asyncio.sleep(0.01)


async def cut_before_answer(exchange: Exchange) -> None:
    """Reset the connection before the response."""
    exchange.reset()


async def cut_mid_body(exchange: Exchange) -> None:
    """Reset the connection in the body of a 500 response."""
    await exchange.say(b"HTTP/1.1 500 Broken\r\nContent-Length: 1000\r\n\r\nhalf")
    exchange.reset()


async def nonsense(exchange: Exchange) -> None:
    """Send bytes that are not HTTP."""
    await exchange.say(b"\x00\xff\x00 220 mail.example ESMTP\r\n\r\n")


async def hundred_megabytes(exchange: Exchange) -> None:
    """Send a 200 response with a body of 100 MB."""
    size = 100 * 1024 * 1024
    await exchange.say(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
    chunk = b"x" * 65_536
    for _ in range(size // len(chunk)):
        await exchange.say(chunk)


class Receiver:
    """A receiver that answers each request by the next responder; the last one is repeated."""

    def __init__(self, *script: Responder, tls: ssl.SSLContext | None = None) -> None:
        self._script: Sequence[Responder] = script or (answers(200),)
        self._tls = tls
        self._closing = asyncio.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.received: list[Received] = []
        self.at_once = 0
        self.most_at_once = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, sock=self._socket, ssl=self._tls)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        if self._server:
            self._server.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        """The URL of the receiver, valid before it is started."""
        port = self._socket.getsockname()[1]
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{port}/hook"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self._exchange(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client disconnected, as some scripts provoke
        finally:
            self.at_once -= 1
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await _read(reader)
        respond = self._script[min(len(self.received), len(self._script) - 1)]
        self.received.append(request)
        await respond(Exchange(request, writer, self._closing))


async def _read(reader: asyncio.StreamReader) -> Received:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return Received(headers, await reader.readexactly(int(headers.get("content-length", "0"))))

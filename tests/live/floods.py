"""Floods: many requests at once on separate connections, or continuously."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from random import random

from live.server import DEADLINE, Server, next_client

READER = "Accept: text/html\r\n"


def get(target: str, client: str = "", method: str = "GET") -> bytes:
    """Build the only request of a connection, by default from a new client address."""
    return (
        f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{READER}"
        f"X-Forwarded-For: {client or next_client()}\r\n\r\n"
    ).encode()


def status_of(head: bytes) -> int:
    """Return the status of a response head, 0 if the head is empty."""
    return int(head.split(None, 2)[1]) if head else 0


def heads_at_once(server: Server, requests: Iterable[bytes]) -> list[bytes]:
    """Send all requests before reading any response, and return the response heads."""
    with ExitStack() as stack:
        connections: list[socket.socket] = []
        for request in requests:
            connections.append(stack.enter_context(server.connect()))
            connections[-1].sendall(request)
        return [_head(connection) for connection in connections]


def statuses(heads: Iterable[bytes]) -> Counter[int]:
    """Count the responses by status."""
    return Counter(map(status_of, heads))


@contextmanager
def flooded(port: int, target: str, connections: int) -> Iterator[None]:
    """Send requests continuously on several connections during the block.

    `target` contains `{}`, which is replaced by a random number. The requests are sent by a
    subprocess, so that they do not slow down the test.
    """
    context = get_context("spawn")
    stop = context.Event()
    process = context.Process(target=_flood, args=(port, target, connections, stop), daemon=True)
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(DEADLINE)
        process.kill()


def _flood(port: int, target: str, connections: int, stop: Event) -> None:
    async def ask() -> None:
        while not stop.is_set():
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(get(target.format(random())))
            await reader.read()
            writer.close()

    async def ask_concurrently() -> None:
        await asyncio.gather(*(ask() for _ in range(connections)))

    asyncio.run(ask_concurrently())


def _head(connection: socket.socket) -> bytes:
    """Read to the end of the connection, and return the head."""
    response = b""
    while chunk := connection.recv(65_536):
        response += chunk
    return response.partition(b"\r\n\r\n")[0]

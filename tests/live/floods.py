"""Floods: many requests at once over connections of their own, and one after the other."""

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
    """A request of a client, by default of one that has not asked before, and the last."""
    return (
        f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{READER}"
        f"X-Forwarded-For: {client or next_client()}\r\n\r\n"
    ).encode()


def status_of(head: bytes) -> int:
    """The status in the head of an answer; 0 where there is none."""
    return int(head.split(None, 2)[1]) if head else 0


def heads_at_once(server: Server, requests: Iterable[bytes]) -> list[bytes]:
    """The heads of the answers to requests that are all sent before any answer is read."""
    with ExitStack() as opened:
        connections: list[socket.socket] = []
        for request in requests:
            connections.append(opened.enter_context(server.connect()))
            connections[-1].sendall(request)
        return [_head(connection) for connection in connections]


def statuses(heads: Iterable[bytes]) -> Counter[int]:
    """How many answers there are of each status."""
    return Counter(map(status_of, heads))


@contextmanager
def flooded(port: int, target: str, connections: int) -> Iterator[None]:
    """So many connections ask on and on until the end, each when it was answered.

    In `target` stands `{}` for a number. They are of a process of their own, so that its work
    takes no time of the test.
    """
    own = get_context("spawn")
    stop = own.Event()
    flooding = own.Process(target=_flood, args=(port, target, connections, stop), daemon=True)
    flooding.start()
    try:
        yield
    finally:
        stop.set()
        flooding.join(DEADLINE)
        flooding.kill()


def _flood(port: int, target: str, connections: int, stop: Event) -> None:
    async def ask() -> None:
        while not stop.is_set():
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(get(target.format(random())))
            await reader.read()
            writer.close()

    async def all_of_them() -> None:
        await asyncio.gather(*(ask() for _ in range(connections)))

    asyncio.run(all_of_them())


def _head(connection: socket.socket) -> bytes:
    """Read to the end of the connection."""
    answer = b""
    while chunk := connection.recv(65_536):
        answer += chunk
    return answer.partition(b"\r\n\r\n")[0]

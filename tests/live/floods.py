"""Floods: many requests at once over connections of their own, and one after the other."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event

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
def flooded(server: Server, requests: Iterator[bytes], connections: int) -> Iterator[Counter[int]]:
    """So many connections ask on and on until the end, each when it was answered; by status."""
    stop = Event()
    answered: Counter[int] = Counter()

    def ask() -> None:
        while not stop.is_set():
            answered[status_of(server.exchange(next(requests))[0])] += 1

    with ThreadPoolExecutor(connections) as pool:
        asking = [pool.submit(ask) for _ in range(connections)]
        try:
            yield answered
        finally:
            stop.set()
    for each in asking:
        each.result(DEADLINE)


def _head(connection: socket.socket) -> bytes:
    """Read to the end of the connection."""
    answer = b""
    while chunk := connection.recv(65_536):
        answer += chunk
    return answer.partition(b"\r\n\r\n")[0]

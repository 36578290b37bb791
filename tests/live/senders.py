"""Clients that send leads as fast as possible, and record which were acknowledged."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import httpx
from live.server import client_of, eventually, set_next_client

_NUMBERS = count()


class Senders:
    """Concurrent senders; `acknowledged` maps the e-mail address of each lead to its ID."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stop = threading.Event()
        self.acknowledged: dict[str, str] = {}
        self.statuses: set[int] = set()

    @contextmanager
    def sending(self, connections: int = 4) -> Iterator[None]:
        """Send until the block ends."""
        self._stop.clear()
        with ThreadPoolExecutor(connections) as pool:
            futures = [pool.submit(self._send) for _ in range(connections)]
            try:
                yield
            finally:
                self._stop.set()
        for future in futures:
            future.result()

    def wait_for(self, more: int) -> None:
        """Wait until this number of further leads is acknowledged."""
        goal = len(self.acknowledged) + more
        eventually(lambda: len(self.acknowledged) >= goal)

    def _send(self) -> None:
        hooks = {"request": [set_next_client]}
        with client_of(self._url, event_hooks=hooks) as client:
            while not self._stop.is_set():
                email = f"sender{next(_NUMBERS)}@example.test"
                try:
                    reply = client.post("/api/public/v1/leads", json={"email": email})
                except httpx.TransportError:
                    continue  # the server was killed: nothing was acknowledged
                self.statuses.add(reply.status_code)
                if reply.status_code == 200:
                    self.acknowledged[email] = reply.json()["id"]

"""A service whose log nobody reads: it serves and stops as always, and what it said is there."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from live.fixtures import small_tree
from live.server import DEADLINE, Server, eventually, free_port

LEAD = {"email": "noor@example.com", "message": "Is anybody there?"}
PADDING = b" " * 4_095 + b"\n"


class Unread(Server):
    """A server whose output goes to the pipe of `LOG_PIPE`."""

    wrapper = ("sh", "-c", 'exec "$0" "$@" >"$LOG_PIPE" 2>&1')


class Pipe:
    """A named pipe that is full from the beginning, until it is read."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.fill()

    def fill(self) -> None:
        """Write until nothing fits any more."""
        try:
            while True:
                os.write(self._descriptor, PADDING)
        except BlockingIOError:
            pass

    def read(self) -> bytes:
        """Return what is in it, without what filled it."""
        try:
            return os.read(self._descriptor, 1 << 20).replace(PADDING, b"")
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Close the reading end, which frees the space."""
        os.close(self._descriptor)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    """A full pipe for the log."""
    pipe = Pipe(tmp_path / "log")
    yield pipe
    pipe.close()


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["one process", "workers"])
def test_a_log_that_nobody_reads_stops_nothing(
    tmp_path: Path, pipe: Pipe, options: tuple[str, ...]
) -> None:
    """Neither the start, pages, leads, readiness nor the stop; what is read then is all there."""
    metrics = free_port()
    variables = {"METRICS_PORT": str(metrics), "ACCESS_LOG": "json", "LOG_LEVEL": "DEBUG"}
    variables |= {"LOG_PIPE": str(tmp_path / "log"), "ERP_WEBHOOK_URL": "http://127.0.0.1:9/"}
    with Unread(small_tree(tmp_path / "content"), tmp_path, *options, **variables) as server:
        sent = set()
        with server.client() as client:
            for number in range(20):
                lead = client.post("/api/leads", json=LEAD | {"message": f"Message {number}"})
                assert lead.status_code == 200
                sent.add(lead.headers["X-Request-ID"])
                assert client.get("/ae/en/page", headers={"Accept": "text/html"}).status_code == 200
                assert httpx.get(f"http://127.0.0.1:{metrics}/ready").status_code == 200
        log = bytearray()

        def is_complete() -> bool:
            log.extend(pipe.read())
            return all(log.count(each.encode()) > 1 for each in sent)  # its access, and its storage

        eventually(is_complete)
        assert [json.loads(line) for line in log.splitlines()[:-1]]
        pipe.fill()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(DEADLINE) == 0

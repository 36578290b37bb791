"""Cached reads, beside a bare ASGI application that answers the same bytes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from benchmarks.load import requests_per_second
from benchmarks.table import Row

_CASES = {
    "JSON": ("/api/public/v1/blog/homepage", "application/json"),
    "markdown": ("/ae/en/pricing", "text/markdown"),
    "HTML": ("/ae/en/pricing", "text/html"),
}
_HERE = Path(__file__).parent


def measure(port: int) -> list[Row]:
    """Rows of requests per second; server on one core, load on the other."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows = []
    for form, (path, accept) in _CASES.items():
        subject = f"cached {form}"
        with _server("benchmarks.majlis", port):
            body = httpx.get(f"http://127.0.0.1:{port}{path}", headers={"Accept": accept})
            ours = asyncio.run(requests_per_second(port, path, {"Accept": accept}))
        environment = {"BARE_BODY": body.text, "BARE_TYPE": body.headers["content-type"]}
        with _server("benchmarks.bare", port, environment):
            bare = asyncio.run(requests_per_second(port, path, {"Accept": accept}))
        rows.append(Row(subject, "bare ASGI on Hypercorn", bare, "req/s", 1.0))
        rows.append(Row(subject, "Majlis on Hypercorn", ours, "req/s", ours / bare))
    return rows


@contextmanager
def _server(module: str, port: int, environment: dict[str, str] | None = None) -> Iterator[None]:
    """A server process on the first core, until the block ends."""
    variables = {**os.environ, "PORT": str(port), "LOG_LEVEL": "WARNING", **(environment or {})}
    command = ["taskset", "-c", "0", sys.executable, "-m", module]
    with subprocess.Popen(command, env=variables, cwd=_HERE.parent) as server:
        try:
            _wait(port)
            yield
        finally:
            server.terminate()


def _wait(port: int) -> None:
    """Until the server answers; connecting is retried by the transport."""
    transport = httpx.HTTPTransport(retries=12)
    with httpx.Client(transport=transport) as client:
        client.get(f"http://127.0.0.1:{port}/api/public/v1/health")

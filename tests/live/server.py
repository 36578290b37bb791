"""A real server: `majlis serve` in a subprocess, and clients for it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Any, Self

import httpx

from app.settings import Settings

MAJLIS = Path(sys.executable).with_name("majlis")
DEADLINE = 30.0
"""Seconds after which waiting for a condition fails."""

START = 180.0
"""Seconds that a process may take to start on a busy machine."""

_CREATE_APP = "app.factory:create_app()"
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""A context without authorities: httpx would load all of them for each client."""

_POLL_SECONDS = 0.01
"""Between the first looks at a condition; a long wait looks less often, to leave the processor."""

_NUMBERS = count(1)
_PORTS = (10_000 + number % 20_000 for number in range(os.getpid() * 1_000, sys.maxsize))


def environment(**variables: str) -> dict[str, str]:
    """Return this process's environment without the service's settings, plus `variables`."""
    ours = {name.upper() for name in Settings.model_fields}
    return {name: value for name, value in os.environ.items() if name not in ours} | variables


def majlis(
    *arguments: str, folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder without `.env`, and wait for its end."""
    return subprocess.run(
        [str(MAJLIS), *arguments],
        cwd=folder,
        env=environment(**(variables or {})),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


def eventually(happened: Callable[[], object], within: float = DEADLINE) -> float:
    """Wait until a condition is true, and return the seconds; fails after `within` seconds."""
    started = time.monotonic()
    while not happened():
        waited = time.monotonic() - started
        if waited > within:
            raise AssertionError(f"The condition was not true within {within} seconds.")
        time.sleep(min(max(_POLL_SECONDS, waited / 10), 10 * _POLL_SECONDS))
    return time.monotonic() - started


async def until(happened: Callable[[], object]) -> None:
    """Wait like `eventually`, while other tasks run."""
    async with asyncio.timeout(DEADLINE):
        while not happened():  # noqa: ASYNC110  # there is no event for the condition
            await asyncio.sleep(_POLL_SECONDS)


def free_port() -> int:
    """Return a free port, which this process returns once.

    It is below those that the system gives to outgoing connections: one of them could take it
    before the server listens. Each process begins elsewhere.
    """
    for port in _PORTS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("Every port is in use.")


def is_open(port: int) -> bool:
    """Tell whether a process listens; many times cheaper than a request that cannot connect."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def next_client() -> str:
    """Return a new client address; they repeat after 62,500."""
    number = next(_NUMBERS)
    return f"198.18.{number // 250 % 250}.{number % 250 + 1}"


def set_next_client(request: httpx.Request) -> None:
    """Send each request from a new client address, so that no rate limit is reached."""
    request.headers.setdefault("X-Forwarded-For", next_client())


def client_of(url: str, **options: Any) -> httpx.Client:
    """Create an HTTP client with its own connections; it does not follow redirects."""
    return httpx.Client(base_url=url, timeout=DEADLINE, verify=_NO_TLS, **options)


class Way(Enum):
    """A way to serve the application: its command, with `{port}`, and its variables."""

    FRONT = ((str(MAJLIS), "serve", "--port", "{port}"), {"FAST_FRONT": "on"})
    STOCK = ((str(MAJLIS), "serve", "--port", "{port}"), {"FAST_FRONT": "off"})
    HYPERCORN = (
        (str(MAJLIS.with_name("hypercorn")), "--bind", "127.0.0.1:{port}", _CREATE_APP),
        {"BASE_URL": "http://127.0.0.1:{port}"},
    )
    UVICORN = (
        (
            *(str(MAJLIS.with_name("uvicorn")), "--no-proxy-headers", "--port", "{port}"),
            *("--factory", "app.factory:create_app"),
        ),
        {"BASE_URL": "http://127.0.0.1:{port}"},
    )

    def __str__(self) -> str:
        return self.name.lower()


class Server:
    """A process that serves a content folder, from its start to its exit."""

    wrapper: tuple[str, ...] = ()
    """A command prefix, for example to run the server with other limits."""

    way = Way.FRONT

    def __init__(self, content: Path, work: Path, *options: str, **variables: str) -> None:
        self.content = content
        self.port = int(options[1]) if options[:1] == ("--port",) else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = work / f"server-{self.port}.log"
        # The test process is a trusted proxy, so that it can set each request's client.
        command, more = self.way.value
        settings = {"TRUSTED_PROXIES": "127.0.0.0/8", "CONTENT_DIR": str(content), **variables}
        settings = {name: value.format(port=self.port) for name, value in more.items()} | settings
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, *(each.format(port=self.port) for each in command), *options],
                cwd=work,
                env=environment(**settings),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        try:
            eventually(self._is_ready, within=START)
        except AssertionError:
            self.kill()
            raise AssertionError(self.log.read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _is_ready(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError("The server process has exited.")
        if not is_open(self.port):
            return False
        try:
            return self.client_get("/api/public/v1/locale-hint").status_code == 200
        except httpx.TransportError:
            return False

    def client(self) -> httpx.Client:
        """Create an HTTP client whose requests come from different addresses."""
        return client_of(self.url, event_hooks={"request": [set_next_client]})

    def client_get(self, target: str) -> httpx.Response:
        """Send a GET request on a new connection."""
        with self.client() as client:
            return client.get(target)

    def json(self, target: str) -> Any:
        """Return the JSON body of a 200 response, None for any other status."""
        response = self.client_get(target)
        return response.json() if response.status_code == 200 else None

    def connect(self, source: str = "") -> socket.socket:
        """Open a TCP connection, optionally from another local address."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=DEADLINE, source_address=(source, 0)
        )

    def exchange(self, request: bytes) -> tuple[bytes, bytes]:
        """Send bytes, read to the end of the connection, and return head and body."""
        with self.connect() as connection:
            connection.sendall(request)
            response = b""
            while chunk := connection.recv(65_536):
                response += chunk
        head, _, body = response.partition(b"\r\n\r\n")
        return head, body

    def says_from_now(self) -> Callable[[str], bool]:
        """Return a function that tells whether the log has a text, written after this call."""
        before = self.log.stat().st_size
        return lambda text: text.encode() in self.log.read_bytes()[before:]

    def write(self, path: str, text: str) -> None:
        """Write a content file like most editors: to a temporary file that is then renamed."""
        target = self.content / path
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)

    def delete(self, path: str) -> None:
        """Remove a content file."""
        (self.content / path).unlink(missing_ok=True)

    def stop(self) -> None:
        """Send SIGTERM without waiting."""
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)

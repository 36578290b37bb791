"""A real server: `majlis serve` in a process of its own, and the ways to ask it."""

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
from itertools import count
from pathlib import Path
from typing import Any, Self

import httpx

from app.settings import Settings

MAJLIS = Path(sys.executable).with_name("majlis")
DEADLINE = 30.0
"""Seconds after which what has not happened is taken for never happening."""

START = 60.0
"""Seconds that a process may take to start, on a machine that does much else."""

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""One that knows no authority: httpx would read all of them anew for each client."""

_POLL_SECONDS = 0.01
_NUMBERS = count(1)


def environment(**variables: str) -> dict[str, str]:
    """This process's environment without settings of ours, but with these."""
    ours = {name.upper() for name in Settings.model_fields}
    return {name: value for name, value in os.environ.items() if name not in ours} | variables


def majlis(
    *arguments: str, folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a folder without `.env`."""
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
    """Wait until something is so; the seconds that took. Fails when the time is over."""
    started = time.monotonic()
    while not happened():
        if time.monotonic() - started > within:
            raise AssertionError(f"It did not happen within {within} seconds.")
        time.sleep(_POLL_SECONDS)
    return time.monotonic() - started


async def until(happened: Callable[[], object]) -> None:
    """Wait as `eventually` does, while other tasks run."""
    async with asyncio.timeout(DEADLINE):
        while not happened():  # noqa: ASYNC110  # what is waited for sets no event
            await asyncio.sleep(_POLL_SECONDS)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def next_client() -> str:
    """The address of a client that has not asked before; they begin anew after 62,500."""
    number = next(_NUMBERS)
    return f"198.18.{number // 250 % 250}.{number % 250 + 1}"


def somebody(request: httpx.Request) -> None:
    """Let each request come from a client of its own, so that no rate limit is met."""
    request.headers.setdefault("X-Forwarded-For", next_client())


def client_of(url: str, **options: Any) -> httpx.Client:
    """A client with connections of its own; it follows no redirect."""
    return httpx.Client(base_url=url, timeout=DEADLINE, verify=_NO_TLS, **options)


class Server:
    """`majlis serve` over a content folder, from start to exit."""

    wrapper: tuple[str, ...] = ()
    """A command that runs the one after it, in an environment of its making."""

    def __init__(self, content: Path, work: Path, *options: str, **variables: str) -> None:
        self.content = content
        self.port = int(options[1]) if options[:1] == ("--port",) else free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = work / f"server-{self.port}.log"
        # This process is the trusted proxy that names each request's client.
        chosen = {"TRUSTED_PROXIES": "127.0.0.0/8", "CONTENT_DIR": str(content), **variables}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, str(MAJLIS), "serve", "--port", str(self.port), *options],
                cwd=work,
                env=environment(**chosen),
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        try:
            eventually(self._answers, within=START)
        except AssertionError:
            self.kill()
            raise AssertionError(self.log.read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _answers(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError("It ended.")
        try:
            return self.client_get("/api/public/v1/locale-hint").status_code == 200
        except httpx.TransportError:
            return False

    def client(self) -> httpx.Client:
        """A client whose requests come from different addresses."""
        return client_of(self.url, event_hooks={"request": [somebody]})

    def client_get(self, target: str) -> httpx.Response:
        """One GET on a connection of its own."""
        with self.client() as client:
            return client.get(target)

    def json(self, target: str) -> Any:
        """The body of a 200, as JSON; None for anything else."""
        response = self.client_get(target)
        return response.json() if response.status_code == 200 else None

    def connect(self, source: str = "") -> socket.socket:
        """A bare connection, from an address of this machine."""
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout=DEADLINE, source_address=(source, 0)
        )

    def exchange(self, request: bytes) -> tuple[bytes, bytes]:
        """Send bytes, read to the end of the connection: the answer's head and body."""
        with self.connect() as connection:
            connection.sendall(request)
            answer = b""
            while chunk := connection.recv(65_536):
                answer += chunk
        head, _, body = answer.partition(b"\r\n\r\n")
        return head, body

    def write(self, path: str, text: str) -> None:
        """Write a content file as most editors do: beside it first, then in its place."""
        target = self.content / path
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)

    def delete(self, path: str) -> None:
        """Remove a content file."""
        (self.content / path).unlink(missing_ok=True)

    def stop(self) -> None:
        """Send SIGTERM, and do not wait."""
        self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once where it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(DEADLINE)

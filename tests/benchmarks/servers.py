"""The servers to measure: the command of each, and whether it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import httpx
from benchmarks.machine import SERVER_CORE
from live.server import free_port

from app.operations.edge import NginxOptions, nginx_configuration

_TESTS = Path(__file__).parents[1]
_PATH = f"{_TESTS}{os.pathsep}{_TESTS.parent}"
"""The benchmarks, and the packages of this folder, wherever others are installed."""

_SCRIPTS = Path(sys.executable).parent
_START_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Server:
    """A display name, and the command that serves on `$PORT`."""

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    has_file: bool = False
    """Whether the last argument is a file of configuration, which is to be given the port."""


def majlis(*options: str) -> Server:
    """Return Majlis as `majlis serve` runs it."""
    return Server("Majlis's own front", (str(_SCRIPTS / "majlis"), "serve", *options))


def majlis_on_hypercorn() -> Server:
    """Return Majlis on the server as it is installed, without the front for cached reads."""
    return Server("Majlis on stock Hypercorn", majlis().command, {"FAST_FRONT": "off"})


def uncached() -> Server:
    """Return Majlis with a response cache that holds nothing."""
    return Server("Majlis", (sys.executable, "-m", "benchmarks.uncached_service"))


def bare_hypercorn() -> Server:
    """Return the bare application on the same server."""
    command = (sys.executable, "-m", "benchmarks.bare_hypercorn")
    return Server("bare application on stock Hypercorn", command)


def fast_api() -> Server | None:
    """Return FastAPI, or None if it is not installed."""
    if find_spec("fastapi") is None:
        return None
    options = ("--port", "{port}", "--log-level", "warning", "--no-access-log")
    http = ("--http", "httptools", "--loop", "uvloop", "--no-proxy-headers")
    application = "benchmarks.fast_api:application"
    command = (sys.executable, "-m", "uvicorn", application, *options, *http)
    return Server("FastAPI with pydantic on uvicorn", command)


def express() -> Server | None:
    """Return Express, or None if Node does not find it (NODE_PATH)."""
    node = shutil.which("node")
    script = str(Path(__file__).with_name("express.cjs"))
    needed = ("express", "compression", "express-rate-limit")
    code = "".join(f"require('{name}');" for name in needed)
    if (
        node is None
        or subprocess.run([node, "-e", code], capture_output=True, check=False).returncode
    ):
        return None
    return Server("Express with compression and rate limit", (node, script))


def nginx(folder: Path, body: bytes) -> Server | None:
    """Return nginx with a static file, or None if it is not installed."""
    program = shutil.which("nginx")
    if program is None:
        return None
    folder.chmod(0o755)  # started by root, nginx reads as another user
    (folder / "file").write_bytes(body)
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr warn;\n"
        "events { worker_connections 512; }\n"
        "http { access_log off; sendfile on; tcp_nopush on; default_type application/json;\n"
        "keepalive_requests 10000000;\n"
        "server { listen 127.0.0.1:{port}; location / { root "
        f"{folder}; try_files /file =404; }} }} }}\n"
    )
    return Server("nginx, a static file", (program, "-c", str(configuration)), has_file=True)


def edge(folder: Path, port: int) -> Server | None:
    """Return nginx with the cache of `majlis nginx` in front of a port, or None without nginx."""
    program = shutil.which("nginx")
    if program is None:
        return None
    folder.chmod(0o755)  # started by root, nginx reads as another user
    options = NginxOptions(
        upstreams=[f"127.0.0.1:{port}"],
        listen="127.0.0.1:{port}",
        cache_path=f"{folder}/cache",
        renewal_port=free_port(),
    )
    unlimited = nginx_configuration(options).replace("rate=20r/s", "rate=1000000r/s")
    configuration = folder / "edge.conf"
    configuration.write_text(
        f"daemon off; worker_processes 1; pid {folder}/edge.pid; error_log stderr warn;\n"
        "events { worker_connections 512; }\n"
        "http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000;\n"
        f"{unlimited} }}\n"
    )
    return Server("nginx with a cache", (program, "-c", str(configuration)), has_file=True)


@contextmanager
def running(
    server: Server,
    ready: str,
    variables: Mapping[str, str] | None = None,
    core: int | None = SERVER_CORE,
) -> Iterator[int]:
    """Run a server on the serving core until `ready` returns 200; yield its port."""
    with running_process(server, ready, variables, core) as (port, _):
        yield port


@contextmanager
def running_process(
    server: Server,
    ready: str,
    variables: Mapping[str, str] | None = None,
    core: int | None = SERVER_CORE,
) -> Iterator[tuple[int, int]]:
    """Do the same, and yield its port and its process ID."""
    port = free_port()
    if server.has_file:
        configuration = Path(server.command[-1])
        configuration.write_text(configuration.read_text().replace("{port}", str(port)))
    pinned = ("taskset", "-c", str(core)) if core is not None else ()
    command = [*pinned, *(part.replace("{port}", str(port)) for part in server.command)]
    environment = {**os.environ, "PORT": str(port), "LOG_LEVEL": "WARNING", **(variables or {})}
    environment |= {**server.variables, "TRUSTED_PROXIES": "127.0.0.0/8", "PYTHONPATH": _PATH}
    with subprocess.Popen(command, env=environment, cwd=_TESTS) as process:
        try:
            _wait(process, port, ready)
            yield port, process.pid
        finally:
            process.terminate()


def _wait(process: subprocess.Popen[bytes], port: int, ready: str) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}{ready}").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start: {process.args!r}")

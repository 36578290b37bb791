"""Servers of files by rclone: a bucket of S3, and WebDAV."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self

from live.server import DEADLINE, eventually, free_port, is_open
from live.tools import program

KEY, SECRET = "majlis-test", "not-a-secret"


class Rclone:
    """Serves a folder by one protocol, `s3` or `webdav`; a folder in it is a bucket."""

    def __init__(self, protocol: str, folder: Path) -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        options = ["--addr", f"127.0.0.1:{self._port}", "--config", "/dev/null"]
        if protocol == "s3":
            options += ["--auth-key", f"{KEY},{SECRET}"]
        self._command = [program("rclone"), "serve", protocol, str(folder), *options]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL)
        eventually(lambda: is_open(self._port))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(DEADLINE)

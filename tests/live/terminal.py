"""A terminal: runs the commands of a guide as a reader would, in the order of the guide."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from live.documents import ROOT
from live.server import DEADLINE, MAJLIS, START, environment, eventually, free_port, is_open

_SERVE = re.compile(r"^.*\bmajlis serve\b.*\n", re.MULTILINE)
_BASH = "/bin/bash"
_CURL = re.compile(r"^curl (?:.*\\\n)*.*\n", re.MULTILINE)
_STAND_INS = ROOT / "tests" / "samples" / "programs"


class Terminal:
    """A shell in an empty folder, and the services that were started in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._services: list[subprocess.Popen[bytes]] = []
        self._port = free_port()
        path = os.pathsep.join(map(str, (_STAND_INS, MAJLIS.parent, os.environ["PATH"])))
        self._environment = environment(
            PATH=path, PORT=str(self._port), HOST="127.0.0.1", SAMPLES_ROOT=str(ROOT)
        )

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://127.0.0.1:{self._port}"

    def run(self, block: str) -> str:
        """Run the commands of a block; `majlis serve` stays in the background.

        What `curl` shows may take a moment, as an edited file is live within a second.
        """
        serve = _SERVE.search(block)
        commands = _CURL.sub("", _SERVE.sub("", block))
        output = self._completed(commands)
        assert output.returncode == 0, f"{commands}\n{output.stdout}\n{output.stderr}"
        if serve:
            self._start(serve[0])
        return output.stdout + "".join(map(self._shown, _CURL.findall(block)))

    def _shown(self, command: str) -> str:
        command = command.replace("127.0.0.1:8000", f"127.0.0.1:{self._port}")
        shown = [""]

        def is_shown() -> bool:
            done = self._completed(command)
            shown[0] = done.stdout
            return done.returncode == 0

        eventually(is_shown)
        return shown[0]

    def _completed(self, commands: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [_BASH, "-euo", "pipefail", "-c", commands],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=2 * DEADLINE,
            check=False,
        )

    def _start(self, command: str) -> None:
        self.stop()
        self._services.append(self.start(command))
        eventually(lambda: is_open(self._port), within=START)
        url = f"http://127.0.0.1:{self._port}/api/public/v1/health"
        check = ["curl", "-sf", "-o", os.devnull, url]
        eventually(lambda: subprocess.run(check, check=False).returncode == 0, within=START)

    def start(self, command: str, output: Path | None = None) -> subprocess.Popen[bytes]:
        """Start a program that stays in the background, and may write its output to a file."""
        return subprocess.Popen(
            [_BASH, "-c", f"exec env {command.strip()}{f' > {output}' if output else ''}"],
            cwd=self._folder,
            env=self._environment,
        )

    def stop(self) -> None:
        """Stop the services."""
        for service in self._services:
            service.terminate()
            service.wait(DEADLINE)
        self._services.clear()


@contextmanager
def opened_terminal(folder: Path) -> Iterator[Terminal]:
    """Open a terminal; its services end with the block."""
    terminal = Terminal(folder)
    try:
        yield terminal
    finally:
        terminal.stop()

"""The access log of a real service: several workers, a rotation, and a stop."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run_majlis
from live.raw import ask
from live.server import DEADLINE, Server, eventually

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
API = "/api/public/v1/pages"
REQUESTS = 30


def lines(file: Path) -> list[dict[str, object]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_no_line_is_lost_between_workers_by_a_rotation_or_at_a_stop(
    start: Start, tmp_path: Path
) -> None:
    """Each response has one line, in the file that had the name when it was sent, or after."""
    file, rotated = tmp_path / "access.log", tmp_path / "access.log.1"
    server = start("--workers", "2", ACCESS_LOG="json", ACCESS_LOG_FILE=str(file))
    ids = {ask(server.port, f"GET {API}").headers["x-request-id"] for _ in range(REQUESTS)}
    eventually(lambda: len(lines(file)) > REQUESTS)
    file.rename(rotated)
    ids |= {ask(server.port, f"GET {API}").headers["x-request-id"] for _ in range(REQUESTS)}
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(DEADLINE)
    logged = [line["request"] for line in lines(rotated) + lines(file) if line["path"] == API]
    assert len(ids) == 2 * REQUESTS == len(logged)
    assert set(logged) == ids


def test_a_file_that_cannot_be_written_stops_the_start(tmp_path: Path) -> None:
    """The error names the variable."""
    variables = {"ACCESS_LOG": "json", "ACCESS_LOG_FILE": str(tmp_path / "none" / "access.log")}
    done = run_majlis("serve", folder=tmp_path, variables=variables)
    assert done.returncode == 1
    assert "(ACCESS_LOG_FILE): No such file or directory" in done.stderr

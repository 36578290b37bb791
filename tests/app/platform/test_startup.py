"""The start of the service: how long it may take, and what it says if that is not enough."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from live.fixtures import small_tree
from live.server import majlis

from app.services import Startup

SENTENCE = (
    r"The start took longer than 0\.001 seconds: preparing took \d+ s.*\. Raise STARTUP_SECONDS\."
)


def test_each_step_has_its_time() -> None:
    """Steps after the start are none of it."""
    startup = Startup(0.0)
    startup.begin("Fetching the repository")
    startup.begin("Checking commit 1234")
    startup.has_ended = True
    startup.begin("Fetching the repository")
    assert startup.left == 0.0
    assert startup.told() == "preparing took 0 s, fetching took 0 s, checking took 0 s"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("--workers", "1")])
def test_a_start_that_takes_too_long_ends_with_a_sentence(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    """No traceback of a library; of a worker that is busy, the supervisor says it."""
    content = str(small_tree(tmp_path / "content"))
    variables = {"CONTENT_DIR": content, "PORT": "0", "STARTUP_SECONDS": "0.001"}
    ended = majlis("serve", *workers, folder=tmp_path, variables=variables)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    by_supervisor = "starts for too long, see its last step. Raise STARTUP_SECONDS." in ended.stderr
    assert re.search(SENTENCE, ended.stderr) or (workers and by_supervisor)

"""`majlis demo`: each printed line works in a shell, and nothing is left behind."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from live.server import DEADLINE, MAJLIS, START, environment, eventually, majlis

from app.feature import features

pytestmark = pytest.mark.slow

SHOWN = {
    "One address": ("<!doctype html>", '\ntitle: "', '{"page":{"id":"registry-erp"'),
    "A question": ("Typically 6 to 10 weeks", "/ae/en/faqs#how-long-does-a-rollout-take"),
    "The orders": ('"number":"WH-10232"', '"number":"WH-10233"'),
    "What an agent asks": ('"structuredContent"', "/sa/en/"),
    "A visitor's enquiry": ('{"ok":true,"id":"', "noor@example.com  Noor"),
    "Who reads the site": ("curl", "Markdown against HTML"),
}
"""What the output of each line has, by the start of its title."""


class Running(NamedTuple):
    """A demo, what it has printed, and the folder for its temporary files."""

    process: subprocess.Popen[bytes]
    text: str
    folder: Path

    @property
    def tour(self) -> list[tuple[str, str]]:
        """Return the titles with their lines."""
        return re.findall(r"^\d\. (.+)\n\n {3}(.+)$", self.text, re.MULTILINE)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A demo beside settings of another service, which it does not read."""
    work, temporary = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("my temporary")
    (work / ".env").write_text("MCP=off\nAUDIENCE=off\n")
    others = {"BASE_URL": "https://www.example.com", "erp_pull_api_token": "of-another-service"}
    log = work / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [MAJLIS, "demo"],
            cwd=work,
            env=environment(TMPDIR=str(temporary), **others),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        eventually(lambda: "Ctrl-C ends" in log.read_text() or process.poll() is not None, START)
        yield Running(process, log.read_text(), temporary)
    finally:
        process.kill()
        process.wait(DEADLINE)


def typed(line: str) -> str:
    """Return what a line prints in the shell of somebody who has no settings of the service."""
    done = subprocess.run(
        ["/bin/bash", "-c", line], env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def is_printed(texts: tuple[str, ...], line: str) -> bool:
    """Return whether a line prints all of some texts."""
    printed = typed(line)
    return all(text in printed for text in texts)


def test_each_line_shows_what_its_title_says(running: Running) -> None:
    """In the order in which they are printed; counts of readers are written a little later."""
    assert len(running.tour) == 2 + sum(each.demo is not None for each in features()) == 6
    for title, line in running.tour:
        (shown,) = (each for start, each in SHOWN.items() if title.startswith(start))
        if "audience" in line:
            eventually(partial(is_printed, shown, line))
        assert is_printed(shown, line), typed(line)


def test_an_edit_of_the_copy_is_live(running: Running) -> None:
    """The page that is named has the new text, and the script that loads it again."""
    found = re.search(r"\nOpen (\S+) in a browser and edit (.+): the page", running.text)
    assert found
    url, file = found[1], Path(found[2])
    assert file.is_relative_to(running.folder)
    file.write_text(file.read_text("utf-8") + "\n\nEdited during the tour.\n", "utf-8")
    html = {"Accept": "text/html"}
    eventually(lambda: "Edited during the tour." in httpx.get(url, headers=html).text)
    assert "EventSource" in httpx.get(url, headers=html).text


def test_an_end_by_ctrl_c_leaves_nothing(running: Running) -> None:
    """It is no failure, and the temporary folder is empty again."""
    assert list(running.folder.iterdir())
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(DEADLINE) == 0
    assert list(running.folder.iterdir()) == []


def test_a_public_address_is_refused(tmp_path: Path) -> None:
    """The token of the demo is known to everybody."""
    every_address = ("--host", "0.0.0.0")  # noqa: S104  # it is refused
    done = majlis("demo", *every_address, folder=tmp_path, variables={"TMPDIR": str(tmp_path)})
    assert done.returncode == 1
    assert "listen on 127.0.0.1 instead of 0.0.0.0." in done.stderr
    assert list(tmp_path.iterdir()) == []

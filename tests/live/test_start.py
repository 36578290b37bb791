"""docs/start.md: each command works, in the order in which the guide has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from live.documents import blocks
from live.server import DEADLINE, eventually, free_port, is_open
from live.terminal import Terminal, opened_terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal, whose services end with the test."""
    with opened_terminal(tmp_path) as terminal:
        yield terminal


def test_the_steps_lead_to_a_site_and_an_enquiry_in_a_mailbox(
    terminal: Terminal, tmp_path: Path
) -> None:
    """Each block runs without an error, and shows what the guide says."""
    port = free_port()
    steps = [step.replace(":1025", f":{port}") for step in blocks("docs/start.md", "sh")]
    install, init, serve, curl, brand, page, mailbox, mailed, send, listed, check = steps
    assert "majlis" in terminal.run(install)
    assert "Next: majlis serve my-site" in terminal.run(init)
    assert terminal.run(serve) == ""
    assert all(text in terminal.run(curl) for text in ("# About us", "من نحن"))
    assert "care@noor.example" in terminal.run(brand)
    assert "#8a2846" in (tmp_path / "my-site" / "site" / "theme.md").read_text("utf-8")
    assert "الأسعار" in terminal.run(page)
    box = tmp_path / "mailbox"
    server = terminal.start(mailbox, box)
    try:
        eventually(lambda: is_open(port))
        terminal.run(mailed)
        assert '"ok":true' in terminal.run(send)
        eventually(lambda: "Subject: New enquiry from Sara" in box.read_text("utf-8"))
        assert "To: care@noor.example" in box.read_text("utf-8")
        assert "sara@example.com" in terminal.run(listed)
    finally:
        server.terminate()
        server.wait(DEADLINE)
    assert "0 errors, 0 warnings" in terminal.run(check)

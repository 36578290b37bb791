"""docs/your-own-site.md: each command works, in the order in which the guide has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.documents import blocks
from live.terminal import Terminal, opened_terminal

pytestmark = pytest.mark.slow


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A terminal, whose services end with the test."""
    with opened_terminal(tmp_path) as terminal:
        yield terminal


def test_the_ten_steps_lead_to_a_site(terminal: Terminal, tmp_path: Path) -> None:
    """Each block runs without an error, and shows what the guide says."""
    steps = blocks("docs/your-own-site.md", "sh")
    assert len(steps) == 12
    page = {"hugo.toml": "title = 'Old'\n", "content/old.md": "---\ntitle: Old\n---\nText.\n"}
    write_tree(tmp_path / "path" / "to" / "checkout", page)
    outputs = [terminal.run(step) for step in steps]
    version, init, serve, pages, settings, prices, post, preview, old, check, _, imported = outputs
    assert "majlis" in version
    assert "Next: majlis serve my-site" in init
    assert serve == ""
    assert "About us" in pages
    assert "من نحن" in pages
    assert "care@noor-dental.example" in settings
    assert "الأسعار" in prices
    assert post.strip() == "my-site/posts/opening-hours-in-ramadan.md"
    assert re.search(r"https?://\S+", preview)
    assert "/prices" in old
    assert "0 errors, 0 warnings" in check
    assert "1 texts in pages/" in imported

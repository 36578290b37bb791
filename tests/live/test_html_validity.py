"""The HTML of every type of page, in both languages, checked with the W3C's checker."""

from __future__ import annotations

from pathlib import Path

import pytest
from live.checkers import html_faults
from live.server import Server
from live.site_pages import paths

pytestmark = pytest.mark.slow


def test_the_w3c_checker_finds_no_problem(site: Server, tmp_path: Path) -> None:
    """Neither errors nor warnings on any page."""
    with site.client() as client:
        for name, path in paths():
            response = client.get(path, headers={"Accept": "text/html"})
            assert response.headers["Content-Type"].startswith("text/html")
            (tmp_path / f"{name}.html").write_bytes(response.content)
    assert html_faults(tmp_path) == []


def test_the_w3c_checker_works(tmp_path: Path) -> None:
    """It finds an intentional error."""
    (tmp_path / "wrong.html").write_text("<!doctype html><title>x</title><p id=a id=b>")
    assert any("wrong.html:1" in diagnostic for diagnostic in html_faults(tmp_path))

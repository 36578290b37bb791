"""The HTML of every type of page, in both languages, before the W3C's own checker."""

from __future__ import annotations

from pathlib import Path

from live.checkers import html_faults
from live.server import Server
from live.site_pages import paths


def test_the_checker_of_the_w3c_has_nothing_to_say(site: Server, tmp_path: Path) -> None:
    """Not one error or warning on any page."""
    with site.client() as client:
        for name, path in paths():
            answer = client.get(path, headers={"Accept": "text/html"})
            assert answer.headers["Content-Type"].startswith("text/html")
            (tmp_path / f"{name}.html").write_bytes(answer.content)
    assert html_faults(tmp_path) == []


def test_the_checker_is_at_work(tmp_path: Path) -> None:
    """It does find what is wrong."""
    (tmp_path / "wrong.html").write_text("<!doctype html><title>x</title><p id=a id=b>")
    assert any("wrong.html:1" in diagnostic for diagnostic in html_faults(tmp_path))

"""Guessed, changed and revoked preview links: nobody sees a draft without a valid one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run_majlis
from live.server import Server, client_of, eventually

pytestmark = pytest.mark.slow

DRAFT = "---\ntitle: Secret plan\ndraft: true\n---\nText.\n"
GUESSES = ("x", "A" * 80, f"{'A' * 40}.{'A' * 43}", f"MAoKL2FlL2VuL2RyYWZ0.{'_' * 43}")


def test_only_a_valid_link_shows_a_draft(start: Callable[..., Server], tmp_path: Path) -> None:
    """The log has neither link nor key, and deleting the key ends all links without a restart."""
    server = start()
    server.write("pages/draft.md", DRAFT)
    variables = {"CONTENT_DIR": str(server.content), "BASE_URL": server.url}
    made = run_majlis("preview", "pages/draft.md", folder=tmp_path, variables=variables)
    link = made.stdout.strip()
    key = tmp_path / "var/preview.key"
    with client_of(server.url) as client:
        eventually(lambda: client.get(link).status_code == 200)
        shown = client.get(link)
        assert "Secret plan" in shown.text
        assert shown.headers["Cache-Control"] == "no-store"
        for guess in (*GUESSES, link.rpartition("/")[2].swapcase()):
            assert client.get(f"/preview/{guess}").status_code == 404
        secret = key.read_text().strip()
        key.unlink()
        assert client.get(link).status_code == 404
        assert "Secret plan" not in client.get("/ae/en/draft").text
    log = server.log.read_text()
    assert secret not in log
    assert not re.search(re.escape(link.rpartition(".")[2]), log)

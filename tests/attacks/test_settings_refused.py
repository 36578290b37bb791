"""Settings that would break the service later: they stop the start and are named."""

from __future__ import annotations

from pathlib import Path

from live.server import majlis

WRONG = {
    "LEAD_RETENTION_DAYS": "1000000",
    "CONTENT_SIGNAL": "ai-train=no\r\nX-Injected: 1",
    "BASE_URL": "https://x.example\r\nX-Injected: 1",
    "ERP_WEBHOOK_URL": "https://erp.example.com:99999/",
    "ERP_PULL_API_TOKEN": "a,b",
}
"""A date before the calendar begins, headers of their own, no such port, tokens to guess."""


def test_each_of_them_is_named(tmp_path: Path) -> None:
    """In one line, before anything is listened on."""
    ended = majlis("serve", "--port", "0", folder=tmp_path, variables=WRONG)
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert ended.stderr.startswith("Error: Invalid configuration: ")
    assert [name for name in WRONG if f"{name}: " not in ended.stderr] == []
    assert "99999" not in ended.stderr

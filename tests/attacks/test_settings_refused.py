"""Settings that would break the service later: each stops the start and is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from live.server import majlis


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("LEAD_RETENTION_DAYS", "1000000", id="before the calendar begins"),
        pytest.param("CONTENT_SIGNAL", "ai-train=no\r\nX-Injected: 1", id="a header of its own"),
        pytest.param("BASE_URL", "https://x.example\r\nX-Injected: 1", id="the same in links"),
        pytest.param("ERP_WEBHOOK_URL", "https://erp.example.com:99999/", id="no such port"),
        pytest.param("ERP_PULL_API_TOKEN", "a,b", id="tokens that are guessed at once"),
    ],
)
def test_the_start_is_refused(tmp_path: Path, name: str, value: str) -> None:
    """In one line, before anything is listened on."""
    ended = majlis("serve", "--port", "0", folder=tmp_path, variables={name: value})
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Error: The settings are wrong. {name}: ")

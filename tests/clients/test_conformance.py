"""The conformance suite of the Model Context Protocol, its stable and its newest version."""

from __future__ import annotations

from pathlib import Path

import pytest
from clients.installed import FOLDER, node, npm, run

STABLE = "conformance-stable/dist/index.js"
NEWEST = "@modelcontextprotocol/conformance/dist/index.js"


@pytest.mark.parametrize(
    ("suite", "expected", "revision"),
    [
        pytest.param(STABLE, "conformance-stable.yaml", "2025-11-25", id="stable"),
        pytest.param(NEWEST, "conformance.yaml", "2025-06-18", id="2025-06-18"),
        pytest.param(NEWEST, "conformance.yaml", "2025-11-25", id="2025-11-25"),
        pytest.param(NEWEST, "conformance.yaml", "2026-07-28", id="2026-07-28"),
    ],
)
def test_the_server_conforms(
    public_url: str, tmp_path: Path, suite: str, expected: str, revision: str
) -> None:
    """All scenarios pass but those listed with a reason, which fail."""
    options = ("--url", f"{public_url}/mcp", "--suite", "all", "--spec-version", revision)
    baseline = ("--expected-failures", FOLDER / expected)
    done = run(node(), npm(suite), "server", *options, *baseline, folder=tmp_path)
    assert done.returncode == 0, done.stdout[done.stdout.rfind("=== SUMMARY") :] + done.stderr

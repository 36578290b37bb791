"""Suites of others: the conformance suite of MCP, and afdocs, which checks sites for agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clients.installed import FOLDER, node, npm, run

pytestmark = pytest.mark.slow

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


def test_agents_can_read_the_site(public_url: str, tmp_path: Path) -> None:
    """All checks of the Agent-Friendly Documentation Spec pass, on a sample of the pages."""
    options = ("--format", "json", "--sampling", "deterministic", "--max-links", "20")
    program = npm("afdocs/bin/afdocs.mjs")
    done = run(node(), program, "check", public_url, *options, "--request-delay=0", folder=tmp_path)
    results = json.loads(done.stdout)["results"]
    passed = {each["id"] for each in results if each["status"] == "pass"}
    assert len(results) == 28
    # This one is for sites that need a sign-in.
    assert [
        each for each in results if each["id"] not in {*passed, "auth-alternative-access"}
    ] == []

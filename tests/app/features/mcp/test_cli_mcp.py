"""`majlis mcp server-json`: what a registry of MCP servers is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from contract.visitor import write_tree

from app.operations.cli import main
from app.platform import VERSION

SITE = {
    "site/settings.md": "---\nseo:\n  pageTitle: {en: Qahwa | Coffee}\n---\n",
    "pages/a.md": "---\ntitle: A\n---\nText.\n",
}


@pytest.fixture(autouse=True)
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the folder of the content; MCP is on, at a public address."""
    write_tree(tmp_path, SITE)
    monkeypatch.setenv("CONTENT_DIR", str(tmp_path))
    monkeypatch.setenv("MCP", "on")
    monkeypatch.setenv("BASE_URL", "https://www.qahwa.example/")


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["mcp", "server-json", *arguments])


def test_a_registry_learns_where_the_server_is() -> None:
    """Names and lengths are those that its schema of 2025-12-11 allows."""
    document = json.loads(run().stdout)
    description = document.pop("description")
    assert document == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "example.qahwa.www/majlis",
        "version": VERSION,
        "title": "Qahwa",
        "websiteUrl": "https://www.qahwa.example",
        "remotes": [{"type": "streamable-http", "url": "https://www.qahwa.example/mcp"}],
    }
    assert "Qahwa" in description
    assert len(description) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", document["name"])


def test_the_name_can_be_another_one() -> None:
    """The namespace of a registry need not be the host of the site."""
    assert json.loads(run("--name", "example.qahwa/menu").stdout)["name"] == "example.qahwa/menu"


@pytest.mark.parametrize(
    ("variables", "options", "message"),
    [
        pytest.param({"MCP": "off"}, [], "Set MCP=on", id="off"),
        pytest.param({"BASE_URL": ""}, [], "BASE_URL is not set", id="no address"),
        pytest.param({"BASE_URL": "http://127.0.0.1:80"}, [], "with --name", id="no domain"),
        pytest.param({}, ["--name", "menu"], "such as com.example/site", id="name"),
        pytest.param({}, ["--name", f"a/{'b' * 200}"], "such as com.example/site", id="long name"),
        pytest.param({"CONTENT_DIR": "/nowhere"}, [], "CONTENT_DIR", id="no content"),
    ],
)
def test_what_cannot_be_published_is_refused(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], options: list[str], message: str
) -> None:
    """The error says what to set."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = run(*options)
    assert done.exit_code != 0
    assert message in done.output

"""Clients that others wrote find, call and read all that MCP serves, in both eras."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from clients.installed import FOLDER, node, python, run
from live.server import client_of

from app.features.mcp.server import LEGACY_VERSIONS, MODERN_VERSIONS, SERVER_NAME
from app.features.mcp.tools import TOOLS

pytestmark = pytest.mark.slow

PROGRAMS: dict[str, Callable[[], Path]] = {
    "sdk_1.py": lambda: python(1),
    "sdk_2.py": lambda: python(2),
    "typescript.mjs": node,
    "inspector.mjs": node,
}
"""The programs, and what runs each; a program has one or more clients."""

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "ضريبة القيمة المضافة"}),
    ("fetch", {"id": "/sa/ar/erp"}),
    ("find_passages", {"query": "offline tills", "country": "OM", "lang": "en", "limit": 2}),
    ("list_pages", {"country": "SA", "lang": "ar", "limit": 3}),
    ("list_entries", {"kind": "products", "country": "SA", "lang": "ar", "limit": 2}),
]
MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("fetch", {"id": "/sa/ar/erb"}),
    ("find_passages", {"query": "VAT", "limit": 99}),
]
RESOURCES = ("/ae/en/llms.txt", "/sa/ar/llms.txt", "/sa/ar/erp.md", "/ae/en/index.md")

Visits = dict[str, dict[str, Any]]
"""What each client of a program got, by its name."""


@pytest.fixture(scope="module", params=PROGRAMS)
def visits(
    request: pytest.FixtureRequest, public_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Visits:
    """Run a program: each of its clients does the same."""
    plan = {
        "url": f"{public_url}/mcp",
        "calls": [{"tool": tool, "arguments": values} for tool, values in CALLS + MISTAKES],
        "resources": [public_url + path for path in RESOURCES],
        "unknown": f"{public_url}/ae/en/unknown.md",
    }
    program = FOLDER / "programs" / request.param
    folder = tmp_path_factory.mktemp("client")
    done = run(PROGRAMS[request.param](), program, json.dumps(plan), folder=folder)
    assert done.returncode == 0, done.stderr
    return {visit["client"]: visit for visit in json.loads(done.stdout)}


def test_the_newest_revision_that_a_client_speaks_is_chosen(visits: Visits) -> None:
    """That of the new era by clients which know it, that of the older era by the others."""
    for client, visit in visits.items():
        assert visit["server"] == SERVER_NAME, client
        assert visit["revision"] == (MODERN_VERSIONS if is_modern(client) else LEGACY_VERSIONS)[0]


def is_modern(client: str) -> bool:
    """Return whether a client is to use the new era."""
    return client.endswith((", auto", ", modern"))


def test_all_tools_are_listed(visits: Visits) -> None:
    """In their order, and with schemas that the client accepts."""
    for client, visit in visits.items():
        assert visit["tools"] == [tool.name for tool in TOOLS], client


def test_every_tool_is_called(visits: Visits) -> None:
    """The client checks the result against the schema; its text has the same facts."""
    results = {tool.name: tool.result for tool in TOOLS}
    assert results.keys() == {tool for tool, _ in CALLS}
    for client, visit in visits.items():
        for (tool, _), result in zip(CALLS, visit["results"], strict=False):
            (text,) = result["texts"]
            assert not result["is_error"], f"{client}, {tool}: {text}"
            assert json.loads(text) == result["structured"], f"{client}, {tool}"
            results[tool].model_validate(result["structured"])


def test_a_mistake_is_told_to_the_model(visits: Visits) -> None:
    """It is a result, not an error of the protocol, which models do not see."""
    for client, visit in visits.items():
        address, limit = visit["results"][len(CALLS) :]
        assert address["is_error"], client
        assert limit["is_error"], client
        assert "/sa/ar/erp" in address["texts"][0], client
        assert "limit" in limit["texts"][0], client


def test_all_resources_are_listed_and_read(visits: Visits, public_url: str) -> None:
    """A resource has the text of its address on the site."""
    with client_of(public_url) as http:
        texts = [http.get(path).text for path in RESOURCES]
    for client, visit in visits.items():
        assert {public_url + path for path in RESOURCES[:2]} <= {*visit["resources"]}, client
        assert visit["templates"] == [f"{public_url}/{{country}}/{{lang}}/{{+path}}.md"], client
        assert visit["texts"] == texts, client


def test_what_does_not_exist_has_the_code_of_its_revision(visits: Visits) -> None:
    """The older revisions have a code of their own for resources."""
    for client, visit in visits.items():
        tool, resource = visit["codes"]
        assert tool == -32602, client
        # Version 2 of the TypeScript SDK turns the older code into the newer one.
        assert resource in ({-32602} if is_modern(client) else {-32602, -32002}), client

"""Features: each is removed by deleting its folder, and the rest is whole without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name

import pytest
from cases import cases
from openapi_spec_validator import validate
from recipes.copied_tree import CopiedTree

from app.feature import Feature, features

_PROBE = """
import json, sys
from click.testing import CliRunner
from contract.visitor import Visitor
given = json.load(sys.stdin)
with Visitor(**given["settings"]) as visitor:
    replies = [visitor.ask(method, path, headers) for method, path, headers in given["requests"]]
shown = [[reply.status, reply.body.decode(errors="replace")] for reply in replies]
from app.operations.cli import main
ran = [CliRunner().invoke(main, command, prog_name="majlis") for command in given["commands"]]
said = [[each.exit_code, each.stdout, repr(each.exception) + each.stderr] for each in ran]
sys.stdout.write(json.dumps([shown, said]))
"""
"""One process, as each would import the whole service."""

_COMMANDS = (["--help"], ["settings"], ["doctor", "--offline", "--json"])
_HTML = {"Accept": "text/html"}
_SETTINGS = {
    "mcp": True,
    "audience": True,
    "metrics_port": 9_000,
    "erp_pull_api_token": "a-token-of-the-test",
    "changes_webhook_url": "http://127.0.0.1:1/changes",
    "leads_webhook_url": "http://127.0.0.1:1/leads",
    "smtp_url": "smtp://127.0.0.1:1",
}
"""They switch on all features."""

_PAGES = [
    "/ae/en",
    "/sa/ar/erp",
    "/kw/ar/contact",
    "/ae/en/blog",
    "/ae/en/products",
    "/ae/en/nothing",
    "/llms.txt",
    "/sitemap.xml",
    "/robots.txt",
    "/developers",
    "/openapi.json",
    "/api/public/v1/health",
    "/api/public/v1/homepage",
    "/api/public/v1/blog/posts",
    "/api/homepage",
]
_OF_FEATURES = {
    "changes": ["GET", "/api/public/v1/changes"],
    "feedback": ["POST", "/api/public/v1/feedback"],
    "images": ["GET", "/favicon.ico"],
    "leads": ["POST", "/api/public/v1/leads"],
    "mcp": ["POST", "/mcp"],
    "newsletter": ["POST", "/ae/en/subscriptions/newsletter"],
    "orders": ["GET", "/api/erp/status"],
}
"""A request that only the feature answers; the others of the table still work without it."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CopiedTree:
    """A copy of the packages, which each test leaves as it was."""
    return CopiedTree(tmp_path_factory.mktemp("tree"))


@contextmanager
def removed_from(tree: CopiedTree, feature: str) -> Iterator[None]:
    """Leave the folder of a feature out, of none if there is no such feature."""
    folder, aside = tree.folder / "app" / "features" / feature, tree.folder / "aside"
    if not folder.exists():
        yield
        return
    folder.rename(aside)
    try:
        yield
    finally:
        aside.rename(folder)


@pytest.mark.slow
@pytest.mark.parametrize("removed", ["none", *(feature.name for feature in features())])
def test_the_rest_works_without_a_feature(removed: str, tree: CopiedTree) -> None:
    """It starts, answers all other requests, and neither documents nor offers the feature."""
    requests = [["GET", path, _HTML if path.count("/") > 1 else {}] for path in _PAGES]
    own = {name: [*request, {}] for name, request in _OF_FEATURES.items()}
    asked = requests + list(own.values())
    with removed_from(tree, removed):
        text = json.dumps({"settings": _SETTINGS, "requests": asked, "commands": _COMMANDS})
        done = tree.run(_PROBE, text=text)
    assert done.returncode == 0, done.stderr
    replies, (listed, guide, doctor) = json.loads(done.stdout)
    assert "Traceback" not in done.stderr
    statuses = dict(zip(_PAGES, (status for status, _ in replies), strict=False))
    assert {path: status for path, status in statuses.items() if status != 200} == {
        "/ae/en/nothing": 404
    }
    contract = json.loads(replies[_PAGES.index("/openapi.json")][1])
    validate(contract)
    of_features = dict(zip(own, (status for status, _ in replies[len(_PAGES) :]), strict=True))
    missing = {name for name, status in of_features.items() if status in (404, 405)}
    assert missing == {removed} & of_features.keys()
    if removed in own:
        assert own[removed][1] not in contract["paths"]
    assert listed[0] == 0, listed
    commands = {line.split()[0] for line in listed[1].splitlines() if line.startswith("  ")}
    for feature in features():
        assert feature.commands.keys() <= commands or feature.name == removed
        assert not feature.commands.keys() & commands or feature.name != removed
    assert guide[0] == 0, guide
    assert json.loads(doctor[1])["findings"], doctor


@cases("feature", features())
def test_what_a_feature_names_is_there(feature: Feature) -> None:
    """All objects of its declaration can be imported."""
    named = [
        *(feature.facts, feature.parts, feature.install, feature.receivers, feature.advice),
        feature.settings,
        *feature.tables,
        *feature.api,
        *feature.routes,
        *feature.commands.values(),
        *feature.start_checks.values(),
    ]
    assert [name for name in named if name and resolve_name(name) is None] == []

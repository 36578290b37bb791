"""Features: each is removed by deleting its folder, and the rest is whole without it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from pkgutil import resolve_name

import pytest
from cases import cases
from openapi_spec_validator import validate
from recipes.copied_tree import CopiedTree

from app.feature import Feature, features

_PROBE = """
import json, sys
from contract.visitor import Visitor
given = json.load(sys.stdin)
with Visitor(**given["settings"]) as visitor:
    replies = [visitor.ask(method, path, headers) for method, path, headers in given["requests"]]
shown = [[reply.status, reply.body.decode(errors="replace")] for reply in replies]
sys.stdout.write(json.dumps(shown))
"""
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


@pytest.mark.slow
@pytest.mark.parametrize("removed", ["none", *(feature.name for feature in features())])
def test_the_rest_works_without_a_feature(removed: str, tmp_path: Path) -> None:
    """It starts, answers all other requests, and neither documents nor offers the feature."""
    copy = CopiedTree(tmp_path)
    if removed != "none":
        shutil.rmtree(tmp_path / "app" / "features" / removed)
    requests = [["GET", path, _HTML if path.count("/") > 1 else {}] for path in _PAGES]
    own = {name: [*request, {}] for name, request in _OF_FEATURES.items()}
    text = json.dumps({"settings": _SETTINGS, "requests": requests + list(own.values())})
    done = copy.run(_PROBE, text=text)
    assert done.returncode == 0, done.stderr
    replies = json.loads(done.stdout)
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
    listed = copy.run("from app.operations.cli import main; main(['--help'])")
    assert listed.returncode == 0, listed.stderr
    commands = {line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ")}
    for feature in features():
        assert feature.commands.keys() <= commands or feature.name == removed
        assert not feature.commands.keys() & commands or feature.name != removed
    guide = copy.run("from app.operations.cli import main; main(['settings'])")
    assert guide.returncode == 0, guide.stderr
    doctor = copy.run(
        "from app.operations.cli import main; main(['doctor', '--offline', '--json'])"
    )
    assert json.loads(doctor.stdout)["findings"], doctor.stderr


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

"""Clients that others generate from the OpenAPI document, and programs that use them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from clients.installed import FOLDER, environment, node, npm, openapi_python_client, run
from live.server import client_of

pytestmark = pytest.mark.slow

LOCALE = {"country": "SA", "lang": "ar"}
PACKAGE = "wahat_api"
Prepared = Callable[[Path, Path], tuple[str | Path, ...]]
"""Generates a client from a document in a folder, checks the program, and returns what runs it."""


def typescript(contract: Path, folder: Path) -> tuple[str | Path, ...]:
    """Generate types for openapi-fetch, and check a program with them."""
    (folder / "node_modules").symlink_to(FOLDER / "node_modules")
    program = copy(FOLDER / "programs" / "openapi_fetch.mts", folder)
    succeed(node(), npm("openapi-typescript/bin/cli.js"), contract, "-o", "schema.mts", at=folder)
    options = ("--noEmit", "--strict", "--allowImportingTsExtensions", "--module", "nodenext")
    libraries = ("--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom")
    succeed(node(), npm("typescript/bin/tsc"), *options, *libraries, program, at=folder)
    return node(), program


def python(contract: Path, folder: Path) -> tuple[str | Path, ...]:
    """Generate a package, without a warning, and check a program that imports it."""
    program = copy(FOLDER / "programs" / "openapi_python.py", folder)
    (folder / "settings.yaml").write_text("post_hooks: []\n")
    options = ("--config", "settings.yaml", "--meta", "none", "--output-path", PACKAGE)
    command = ("generate", "--path", contract, *options, "--fail-on-warning")
    succeed(openapi_python_client(), *command, at=folder)
    interpreter = environment("openapi") / "bin" / "python"
    checks = ("--strict", "--follow-imports=silent", "--cache-dir", folder / "cache")
    mypy = (sys.executable, "-P", "-m", "mypy", "--config-file=", *checks)
    succeed(*mypy, "--python-executable", interpreter, program, at=folder)
    return interpreter, program


def succeed(*command: str | Path, at: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder; it must not fail."""
    done = run(*command, folder=at)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.mark.parametrize("prepare", [typescript, python])
def test_a_generated_client_calls_the_api(
    public_url: str, tmp_path: Path, prepare: Prepared
) -> None:
    """Settings, a page, a search, an enquiry and an error are what the service returns."""
    contract = tmp_path / "openapi.json"
    with client_of(public_url) as http:
        contract.write_bytes(http.get("/openapi.json").content)
        expected = visit(lambda path, query: http.get(f"/api/public/v1{path}", params=query).json())
    done = succeed(*prepare(contract, tmp_path), public_url, at=tmp_path)
    assert json.loads(done.stdout) == expected


def visit(ask: Callable[[str, dict[str, str]], Any]) -> dict[str, Any]:
    """Return what a program must print, from the responses without a generated client."""
    posts = ask("/blog/posts", LOCALE | {"search": "مخزون"})
    assert posts["items"]
    return {
        "email": ask("/site-settings", {})["siteSettings"]["primaryEmail"],
        "title": ask("/pages/pricing", LOCALE)["page"]["title"],
        "posts": [post["slug"] for post in posts["items"]],
        "total": posts["pagination"]["total"],
        "stored": True,
        "status": 404,
        "code": "RESOURCE_NOT_FOUND",
    }

"""Decap CMS: people without git edit a site in a browser, with the printed configuration."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copy, copytree
from threading import Thread

import pytest
import yaml
from click.testing import CliRunner
from clients import installed
from contract.visitor import Visitor
from live.chromium import DESKTOP, chromium
from live.server import eventually, free_port, is_open, majlis
from playwright.sync_api import Page

from app.operations.cli import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CLINIC = ROOT / "docs" / "examples" / "clinic"
EDITOR = "decap-cms/dist/decap-cms.js"
PAGE = '<!doctype html><meta charset="utf-8"><body><script src="decap-cms.js"></script>'
HTML = {"Accept": "text/html"}
SECONDS = 60_000
FILES = ("sleep-well-in-summer.en.md", "sleep-well-in-summer.ar.md")


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """Serve the files of a folder, and return the port."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


@contextmanager
def backend(repository: Path) -> Iterator[int]:
    """Run the local backend of the editor, which writes to a folder, and return the port."""
    port = free_port()
    variables = {"PORT": str(port), "MODE": "fs", "BIND_HOST": "127.0.0.1"}
    command = (installed.node(), installed.npm("decap-server/dist/index.js"))
    environment = os.environ | variables | {"GIT_REPO_DIRECTORY": str(repository)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            eventually(lambda: is_open(port))
            yield port
        finally:
            process.terminate()


def write_post(page: Page, address: str) -> None:
    """Write and publish a post in both languages, as an author does."""
    page.goto(address)
    page.get_by_role("button", name="Login").click(timeout=SECONDS)
    page.goto(f"{address}#/collections/posts/new")
    titles = page.locator("input[id^=title-field]")
    titles.nth(1).wait_for(timeout=SECONDS)
    titles.nth(0).fill("Sleep well in summer")
    titles.nth(1).fill("نوم هانئ في الصيف")
    page.locator("input[id^=publishedAt-field]").first.fill("2026-05-01T08:00")
    texts = page.locator("[contenteditable=true]")
    for number, text in enumerate(("Keep the room dark and cool.", "أبقِ الغرفة مظلمة وباردة.")):
        texts.nth(number).click()
        page.keyboard.type(text)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("menuitem", name="Publish now").click()


def test_the_guide_has_the_versions_that_are_tested() -> None:
    """Of the editor, whose scripts see the tokens of authors, and of its local backend."""
    guide = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
    lock = json.loads((ROOT / "tests/clients/package-lock.json").read_text(encoding="utf-8"))
    for name in ("decap-cms", "decap-server"):
        version = lock["packages"][f"node_modules/{name}"]["version"]
        assert set(re.findall(rf"{name}[@-](\^?\d[\d.]*\d)", guide)) == {version}


def test_a_post_that_the_editor_saves_is_on_the_site(tmp_path: Path) -> None:
    """In both languages, and the check has nothing to say."""
    editor, content = tmp_path / "admin", copytree(CLINIC, tmp_path / "content")
    editor.mkdir()
    script = installed.npm(EDITOR)
    for each in script.parent.glob("*decap-cms.js"):
        copy(each, editor)
    (editor / "index.html").write_text(PAGE)
    variables = {"CONTENT_DIR": str(content)}
    printed = majlis("schema", "--decap", folder=tmp_path, variables=variables)
    configuration = yaml.safe_load(printed.stdout)
    with served(editor) as port, backend(tmp_path) as proxy, chromium() as browser:
        configuration["local_backend"] = {"url": f"http://localhost:{proxy}/api/v1"}
        (editor / "config.yml").write_text(yaml.safe_dump(configuration))
        write_post(browser.new_page(**DESKTOP), f"http://localhost:{port}/index.html")
        eventually(lambda: all((content / "posts" / name).is_file() for name in FILES))
    checked = CliRunner().invoke(main, ["check", "--all", str(content)])
    assert checked.exit_code == 0, checked.output
    with Visitor(content_dir=content) as visitor:
        english = visitor.get("/sa/en/blog/sleep-well-in-summer", HTML).text
        arabic = visitor.get("/sa/ar/blog/sleep-well-in-summer", HTML).text
    assert "Sleep well in summer" in english
    assert "Keep the room dark and cool." in english
    assert "نوم هانئ في الصيف" in arabic
    assert "أبقِ الغرفة مظلمة وباردة." in arabic
    assert 'datetime="2026-05-01' in english
    assert 'datetime="2026-05-01' in arabic

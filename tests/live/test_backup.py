"""A backup of a service under load, which is then killed, and the service that is restored."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run_majlis
from contract.visitor import Visitor, write_tree
from live.fixtures import small_tree
from live.senders import Senders
from live.server import Server
from live.test_durability import holds_exactly
from stores.postgresql import PostgreSQL

from app.platform.clock import utc_now

pytestmark = pytest.mark.slow

Start = Callable[..., Server]

CHANGES = "/api/public/v1/changes"
DRAFT = "---\ntitle: Secret plan\ndraft: true\n---\nSoon.\n"


@pytest.fixture
def new_url(
    request: pytest.FixtureRequest, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> str | None:
    """The URL to restore into, if it is not in the folder with the rest."""
    if database_url.startswith("sqlite:"):
        return None
    server: PostgreSQL = request.getfixturevalue("postgresql")
    monkeypatch.setenv("PATH", f"{server.programs}{os.pathsep}{os.environ['PATH']}")
    return server.new_database()


def test_what_was_acknowledged_before_a_backup_is_restored(
    start: Start, tmp_path: Path, database_url: str, new_url: str | None
) -> None:
    """Each lead is there and whole; preview links and cursors of the old service are valid."""

    def run(*arguments: str, **variables: str) -> str:
        done = run_majlis(*arguments, folder=tmp_path, variables=settings | variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    settings = {"DATABASE_URL": database_url, "CONTENT_DIR": str(tmp_path / "content")}
    write_tree(small_tree(tmp_path / "content"), {"pages/plan.md": DRAFT})
    if new_url:
        run("db", "upgrade")
    server = start(DATABASE_URL=database_url)
    preview = run("preview", "pages/plan.md", BASE_URL=server.url).strip()
    cursor = server.json(CHANGES)["cursor"]
    senders = Senders(server.url)
    with senders.sending(2):
        senders.wait_for(20)
        before = dict(senders.acknowledged)
        assert "keys, 9 files of content" in run("backup", "service.tar", "--with-content")
        senders.wait_for(1)
        server.kill()
    into = ("--into", "new", *(("--into", new_url) if new_url else ()))
    run("restore", "service.tar", *into)
    restored = {
        "database_url": new_url or f"sqlite:///{tmp_path}/new/majlis.db",
        "leads_key_file": tmp_path / "new" / "leads.key",
        "preview_key_file": tmp_path / "new" / "preview.key",
        "content_dir": tmp_path / "new" / "content",
    }
    export = ("leads", "export", "--format", "jsonl")
    url = str(restored["database_url"])
    leads = run(*export, DATABASE_URL=url) + run(*export, "--quarantined", DATABASE_URL=url)
    holds_exactly([json.loads(line) for line in leads.splitlines()], before)
    with Visitor(utc_now, **restored) as service:
        assert "Secret plan" in service.get(preview.removeprefix(server.url)).text
        assert service.get(f"{CHANGES}?since={cursor}").status == 200
        assert service.get("/ae/en/page").status == 200

"""A service imports what it needs: no library of a duty that its settings and content lack.

The import of each takes CPU time of every process, which a process never has back.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

SERVE = """
import asyncio, sys
from app.factory import create_app

async def serve():
    async with create_app().test_app() as app:
        response = await app.test_client().get("/en/about")
        assert response.status_code == 200, response.status_code

asyncio.run(serve())
print(*sys.modules)
"""

IDLE_LIBRARIES = {
    **dict.fromkeys(("asyncpg", "sqlalchemy.dialects.postgresql"), "the database is SQLite"),
    "alembic": "the database is new",
    **dict.fromkeys(("httpx", "rich"), "nothing is sent or fetched"),
    "aiosmtplib": "nobody is told of anything by mail",
    "redis": "limits are counted in memory",
    "phonenumbers": "no document has a telephone number",
    "latex2mathml": "no text has a formula",
}
"""The libraries that a small service needs for nothing, and why."""


def imported_with(folder: Path, body: str, variables: Mapping[str, str]) -> Collection[str]:
    """Return the modules of a process that has started a service and shown a page."""
    page = folder / "content" / "pages" / "about.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# About\n\n{body}\n", encoding="utf-8")
    environment = {**os.environ, "CONTENT_DIR": str(folder / "content"), **variables}
    done = subprocess.run(
        [sys.executable, "-P", "-c", SERVE],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(done.stdout.splitlines()[-1].split())


def test_a_small_service_imports_none_of_the_libraries_of_others(tmp_path: Path) -> None:
    """It has one page, an SQLite database, and no receiver of anything."""
    assert not IDLE_LIBRARIES.keys() & imported_with(tmp_path, "We sell.", {})


def test_what_a_duty_needs_is_imported_at_the_start_or_with_the_first_page(
    tmp_path: Path,
) -> None:
    """A sender has its library before there is something to send; so has a formula."""
    variables = {
        "LEADS_WEBHOOK_URL": "https://crm.example",
        "SMTP_URL": "smtp://localhost",
        "LEADS_EMAIL_TO": "a@a.example",
        "LEADS_EMAIL_FROM": "b@a.example",
    }
    needed = {"aiosmtplib", "httpx", "latex2mathml"}
    assert needed <= {*imported_with(tmp_path, "$$x^2$$", variables)}

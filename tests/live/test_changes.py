"""Changes: followers of a real service with two workers miss nothing, also over its death."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from live.processes import living, opened
from live.server import START, Server, eventually

pytestmark = pytest.mark.slow

URL = "/api/public/v1/changes"
GUIDE = Path(__file__).parents[2] / "docs" / "changes.md"
Start = Callable[..., Server]


def post(text: str) -> str:
    """Return the file of a post."""
    return f"---\ntitle: A post\npublishedAt: 2026-01-01\n---\n{text}\n"


def told(server: Server, since: str) -> tuple[Counter[tuple[str, str]], str]:
    """Return what changed after a cursor, each with its number, and the cursor at the end."""
    body: Any = server.json(f"{URL}?since={since}&limit=500&country=sa")
    return Counter((item["change"], item["path"]) for item in body["items"]), body["cursor"]


def follow(server: Server, folder: Path) -> str:
    """Run the program of the guide, and return what it prints."""
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    program = program.replace("https://www.example.com", server.url)
    command = [sys.executable, "-P", "-c", program]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def is_recorded(folder: Path) -> bool:
    """Return whether the first start has recorded the pages."""
    with closing(sqlite3.connect(folder / "majlis.db")) as connection:
        return bool(connection.execute("SELECT count(*) FROM published_pages").fetchone()[0])


def test_a_follower_of_two_workers_misses_nothing(start: Start, tmp_path: Path) -> None:
    """Each edit is told once, also what changes while the service is dead; cursors stay valid."""
    variables = {"DATABASE_URL": f"sqlite:///{tmp_path}/majlis.db"}
    server = start("--workers", "2", **variables)
    assert follow(server, tmp_path) == ""
    cursor = (tmp_path / "cursor.txt").read_text()

    def has(*expected: tuple[str, str]) -> Callable[[], bool]:
        return lambda: told(server, cursor)[0] == Counter(expected)

    eventually(lambda: is_recorded(tmp_path))
    for number in range(3):
        server.write(f"posts/post-{number}.en.md", post("Text."))
        slugs = ["", *(f"/post-{each}" for each in range(number + 1))]
        eventually(has(*(("published", f"/sa/en/blog{slug}") for slug in slugs)))
    assert follow(server, tmp_path).count("published") == 4 * 6
    _, cursor = told(server, cursor)
    server.write("posts/post-0.en.md", post("Other."))
    eventually(lambda: "Other." in server.client_get("/sa/en/blog/post-0.md").text)
    server.kill()
    server.delete("posts/post-1.en.md")
    server = start("--workers", "2", **variables)
    eventually(has(("changed", "/sa/en/blog/post-0"), ("gone", "/sa/en/blog/post-1")))
    assert follow(server, tmp_path).count("gone /sa/en/blog/post-1") == 1
    assert follow(server, tmp_path) == ""


def test_changes_are_recorded_whichever_worker_dies(start: Start, tmp_path: Path) -> None:
    """One worker records them; when it is gone, another one does."""
    server = start("--workers", "2", DATABASE_URL=f"sqlite:///{tmp_path}/majlis.db")
    eventually(lambda: len(opened(server)) == 2, START)
    cursor = server.json(URL)["cursor"]
    eventually(lambda: is_recorded(tmp_path))
    expected: Counter[tuple[str, str]] = Counter()
    for number, victim in enumerate(living(server)):
        os.kill(victim, signal.SIGKILL)
        eventually(lambda: len(living(server)) == 2, START)
        server.write(f"pages/page-{number}.en.md", "---\ntitle: A page\n---\nText.\n")
        expected["published", f"/sa/en/page-{number}"] += 1
        eventually(lambda: told(server, cursor)[0] == expected)

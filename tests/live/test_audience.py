"""Readers are counted by real processes, which add up, and survive being killed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from live.server import Server, eventually, majlis

pytestmark = pytest.mark.slow

GPT = {"User-Agent": "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"}
NAME = "counted.db"
PAGE = "/ae/en/page"


def written(folder: Path) -> int:
    """Return how many responses of the page are in the database."""
    with closing(sqlite3.connect(folder / NAME)) as connection:
        query = "SELECT coalesce(sum(number), 0) FROM audience_pages WHERE page = ?"
        return int(connection.execute(query, (PAGE,)).fetchone()[0])


def test_counts_survive_a_kill_but_for_the_last_interval(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """Responses from the cache are counted too, and reports are printed while the service runs."""
    url = f"sqlite:///{tmp_path}/{NAME}"
    server = start(DATABASE_URL=url, AUDIENCE="on", AUDIENCE_WRITE_SECONDS="0.2")
    with server.client() as client:
        pages = [client.get(PAGE, headers=GPT) for _ in range(3)]
        client.get("/ae/en/no-such-page", headers={"Referer": f"{server.url}{PAGE}?x=1"})
    assert {page.status_code for page in pages} == {200}
    eventually(lambda: written(tmp_path) == 3)
    printed = majlis(
        "audience", "--format", "json", folder=tmp_path, variables={"DATABASE_URL": url}
    )
    told = json.loads(printed.stdout)
    assert {"class": "ai-training", "page": PAGE, "responses": 3} in told["pages"]
    assert [(row["path"], row["from"]) for row in told["missed"]] == [("/ae/en/no-such-page", PAGE)]
    server.process.kill()
    server.process.wait()
    assert written(tmp_path) == 3

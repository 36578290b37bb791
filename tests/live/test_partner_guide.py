"""The partner guide: its examples run unchanged against a real service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from live.server import Server
from live.tools import missing
from storefront.receiver import Received, answers
from storefront.shop import SECRET, TOKEN, Shop

from app.features.orders.intake import ParsedOrder, read_lines
from app.features.orders.store import OrderStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.settings import SAMPLE_CONTENT
from app.tables import all_tables

pytestmark = pytest.mark.slow

GUIDE = (Path(__file__).parents[2] / "docs" / "partner.md").read_text()
SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"


def example(heading: str, language: str) -> str:
    """Return the first code block of a language below a heading."""
    part = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = re.search(rf"```{language}\n(.*?)```", part, re.DOTALL)
    assert found
    return found[1]


def run(
    arguments: list[str], folder: Path, variables: dict[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run an example, and wait for its end."""
    return subprocess.run(
        arguments,
        cwd=folder,
        env={"PATH": os.environ["PATH"], **variables},
        input=stdin,
        capture_output=True,
        timeout=30,
        check=False,
    )


async def test_the_cursor_leads_to_every_order(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    """The Python code of “Pull orders” prints all sample orders by ascending ID."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    async with Database(url, tables=all_tables) as database:
        store = OrderStore(database, utc_now)
        for line in read_lines(SAMPLE.read_bytes().splitlines()):
            assert isinstance(line, ParsedOrder)
            await store.save(line.draft)
    server = await asyncio.to_thread(start, DATABASE_URL=url, ERP_PULL_API_TOKEN=TOKEN)
    code = example("Pull orders", "python").replace("limit=100", "limit=7")
    done = await asyncio.to_thread(
        run, [sys.executable, "-c", code], tmp_path, {"SHOP": server.url, "TOKEN": TOKEN}
    )
    assert done.stderr == b""
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    assert [int(line[0]) for line in lines] == list(range(1, 17))
    assert lines[4] == ["5", "WH-10236", "678.826", "OMR"]


@pytest.fixture(scope="module")
def delivered() -> Received:
    """A delivery as its receiver gets it."""
    with Shop(answers(200), clock=utc_now) as shop:
        shop.take(notes="طابعة")
        shop.push(1)
        return shop.received[0]


def sent_headers(request: Received) -> dict[str, str]:
    """Return the three webhook headers as the examples' environment variables."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    return {name.replace("-", "_").upper(): request.headers[name] for name in names}


def test_the_python_example_verifies_signatures(delivered: Received, tmp_path: Path) -> None:
    """With the public library."""
    command = [sys.executable, "-c", example("Verify a signature", "python")]
    headers = {"SECRET": SECRET, **sent_headers(delivered)}
    assert run(command, tmp_path, headers, delivered.body).stdout == b"WH-1\n"
    forged = run(command, tmp_path, headers, delivered.body.replace(b"WH-1", b"WH-2"))
    assert b"WebhookVerificationError" in forged.stderr


def test_the_shell_example_verifies_signatures(delivered: Received, tmp_path: Path) -> None:
    """With openssl."""
    if shutil.which("openssl") is None:
        missing("The command openssl is not installed.")
    command = ["sh", "-c", example("Verify a signature", "sh")]
    headers = {"SECRET": SECRET, **sent_headers(delivered)}
    (tmp_path / "body.json").write_bytes(delivered.body)
    genuine = run(command, tmp_path, headers)
    assert (genuine.stdout, genuine.stderr, genuine.returncode) == (b"genuine\n", b"", 0)
    (tmp_path / "body.json").write_bytes(delivered.body + b" ")
    assert run(command, tmp_path, headers).returncode == 1


def test_the_example_ignores_duplicates_and_old_revisions(
    delivered: Received, tmp_path: Path
) -> None:
    """The Python code of “Handle duplicates” receives a delivery twice, then an older one."""
    event = json.loads(delivered.body)
    event["data"]["order"]["revision"] = 0
    calls = [
        ("a", delivered.body.decode()),
        ("a", delivered.body.decode()),
        ("b", json.dumps(event)),
    ]
    code = example("Handle duplicates", "python") + (
        "import sys\nfor call in json.load(sys.stdin):\n    print(receive(*call))\n"
    )
    done = run([sys.executable, "-c", code], tmp_path, {}, json.dumps(calls).encode())
    assert done.stdout.decode().splitlines() == ["taken", "seen before", "taken"]
    with closing(sqlite3.connect(tmp_path / "erp.db")) as database:
        assert list(database.execute("SELECT number, revision FROM orders")) == [("WH-1", 1)]

"""Byte ranges as nginx serves them: the same file, the same requests, the same answers."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import httpx
import pytest
from live.nginx import Nginx
from live.server import Server, client_of, eventually

pytestmark = pytest.mark.slow

SIZES = {"files/ranges-small.pdf": 1_000, "files/ranges-large.pdf": 700_000}
RANGES = (
    *("bytes=0-0", "bytes=0-499", "bytes=500-", "bytes=-1", "bytes=-500", "bytes=0-", "bytes=999-"),
    *("bytes=-99999999", "bytes=10-99999999", "bytes=700000-", "bytes=99999999-", "bytes=-0"),
    *("bytes=", "bytes", "bytes=a-b", "lines=0-1"),
)
ASKED: tuple[dict[str, str], ...] = (
    {},
    {"If-Range": "Wed, 04 Mar 2026 05:06:07 GMT"},
    {"If-Range": '"other"'},
)
DATES = ("Wed, 04 Mar 2026 05:06:07 GMT", "Tue, 03 Mar 2026 05:06:07 GMT", "nonsense")
COMPARED = ("content-range", "content-length", "last-modified")
STATIC = "  server {{ listen 127.0.0.1:{{port}}; root {root}; }}"


@pytest.fixture
def clients(server: Server, tmp_path: Path) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """The service, and nginx on the same files."""
    for path, size in SIZES.items():
        file = server.content / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(random.Random(size).randbytes(size))
        os.utime(file, (1_772_600_767, 1_772_600_767))
    with (
        Nginx(STATIC.format(root=server.content), tmp_path / "nginx") as nginx,
        server.client() as ours,
        client_of(nginx.url) as theirs,
    ):
        eventually(lambda: all(ours.head(f"/{path}").status_code == 200 for path in SIZES))
        yield ours, theirs


def test_parts_are_those_of_nginx(clients: tuple[httpx.Client, httpx.Client]) -> None:
    """Except where nginx differs from RFC 9110: it answers 416 to a malformed range."""
    for path, asked, condition in product(SIZES, RANGES, ASKED):
        headers = {"Range": asked, **condition}
        ours, theirs = (client.get(f"/{path}", headers=headers) for client in clients)
        if theirs.status_code == 416 and asked in ("bytes=", "bytes=a-b"):
            assert (ours.status_code, len(ours.content)) == (200, SIZES[path])
            continue
        assert ours.status_code == theirs.status_code, (path, headers)
        if ours.status_code == 416:
            assert ours.headers["content-range"] == theirs.headers["content-range"]
            continue
        assert ours.content == theirs.content
        for name in COMPARED:
            assert ours.headers.get(name) == theirs.headers.get(name), (path, headers)


def test_dates_decide_as_in_nginx(clients: tuple[httpx.Client, httpx.Client]) -> None:
    """Before the range."""
    for path, date in product(SIZES, DATES):
        headers = {"If-Modified-Since": date, "Range": "bytes=0-9"}
        ours, theirs = (client.get(f"/{path}", headers=headers) for client in clients)
        assert (ours.status_code, ours.content) == (theirs.status_code, theirs.content), date

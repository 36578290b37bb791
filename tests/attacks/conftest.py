"""Fixtures for the attack tests: short, bounded attacks on a service of this machine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from contract.visitor import write_tree
from live.fixtures import server, shared_start, site, small_tree, start
from live.server import Server

__all__ = ["http2_server", "large_image", "server", "shared_start", "site", "start"]

LARGE = random.Random(1).randbytes(8 * 1024 * 1024)


@pytest.fixture(scope="session")
def large_image() -> bytes:
    """The image of 8 MB that `http2_server` has at `/images/large.png`."""
    return LARGE


@pytest.fixture(scope="session")
def http2_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with HTTP/2 without TLS enabled, and with a large image."""
    work = tmp_path_factory.mktemp("http2")
    content = write_tree(small_tree(work / "content"), {"images/large.png": LARGE})
    with Server(content, work, HTTP2="on") as running:
        yield running

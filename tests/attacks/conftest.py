"""Fixtures for the attack tests: short, bounded attacks on a service of this machine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from contract.visitor import write_tree
from live.fixtures import server, shared_start, site, small_tree, start
from live.server import Server

__all__ = ["image_server", "large_image", "server", "shared_start", "site", "start"]

LARGE = random.Random(1).randbytes(8 * 1024 * 1024)


@pytest.fixture(scope="session")
def large_image() -> bytes:
    """The image of 8 MB that `image_server` has at `/images/large.png`."""
    return LARGE


@pytest.fixture(scope="session")
def image_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a large image."""
    work = tmp_path_factory.mktemp("image")
    content = write_tree(small_tree(work / "content"), {"images/large.png": LARGE})
    with Server(content, work) as running:
        yield running

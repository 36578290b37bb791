"""Fixtures of real servers, for the tests that ask them over the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from contract.visitor import write_tree
from live.server import Server

SAMPLE = Path(__file__).parents[2] / "knowledge" / "content"
PAGE = "---\ntitle: A page\n---\nText.\n"


def small_tree(folder: Path) -> Path:
    """A content folder with a page in both languages, for a server of its own."""
    return write_tree(
        folder, {"pages/page.md": PAGE, "pages/page.ar.md": "---\ntitle: ص\n---\nن.\n"}
    )


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running; each uses files of its own names."""
    work = tmp_path_factory.mktemp("live")
    with Server(small_tree(work / "content"), work) as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the content that ships with the service, which no test changes."""
    with Server(SAMPLE, tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers of the test's own, over `tmp_path/content`."""
    with ExitStack() as running:

        def started(*options: str, **variables: str) -> Server:
            content = small_tree(tmp_path / "content")
            return running.enter_context(Server(content, tmp_path, *options, **variables))

        yield started

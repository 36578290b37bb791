"""Fixtures of real servers, for tests over the network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from contract.visitor import SAMPLE_FOLDER
from gulf import write_site
from live.server import Server, Way

SAMPLE = Path(__file__).parents[2] / "knowledge" / "content"
PAGE = "---\ntitle: A page\n---\nText.\n"


def small_tree(folder: Path) -> Path:
    """Create a content folder with one page in both languages."""
    return write_site(
        folder, {"pages/page.md": PAGE, "pages/page.ar.md": "---\ntitle: ص\n---\nن.\n"}
    )


def made_of_sample() -> dict[str, str]:
    """Return the settings by which all servers of a run share what is made of the sample.

    Of its pages, the search index; of its files, what was parsed; of its pictures, smaller ones.
    """
    made = Path(os.environ[SAMPLE_FOLDER], "served")
    return {f"{name.upper()}_DIR": str(made / name) for name in ("index", "cache", "image")}


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server shared by all tests that do not stop it; each test uses its own file names.

    Tests with the mark `any_server` get one of each way to serve.
    """

    class Served(Server):
        way = getattr(request, "param", Way.FRONT)

    work = tmp_path_factory.mktemp("live")
    with Served(small_tree(work / "content"), work) as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the sample content, which no test changes."""
    with Server(SAMPLE, tmp_path_factory.mktemp("site"), **made_of_sample()) as running:
        yield running


@pytest.fixture(scope="module")
def shared_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Starts servers like `start`: those with equal options are one for all tests of a file.

    Each test leaves it as others expect it. One that a test has stopped is started again, in a
    folder of its own.
    """
    running: dict[str, Server] = {}
    with ExitStack() as stack:

        def start_server(*options: str, **variables: str) -> Server:
            key = repr((options, sorted(variables.items())))
            if key not in running or running[key].process.poll() is not None:
                work = tmp_path_factory.mktemp("shared")
                starting = Server(small_tree(work / "content"), work, *options, **variables)
                running[key] = stack.enter_context(starting)
            return running[key]

        yield start_server


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A function that starts a server with the content folder `tmp_path/content`."""
    with ExitStack() as stack:

        def start_server(*options: str, **variables: str) -> Server:
            content = small_tree(tmp_path / "content")
            return stack.enter_context(Server(content, tmp_path, *options, **variables))

        yield start_server

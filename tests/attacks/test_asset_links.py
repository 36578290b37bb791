"""Names that turn into links while they are read: nothing from outside the folder goes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

import pytest
from live.server import Server, eventually

from knowledge.assets import open_asset, read_asset
from knowledge.diagnostics import ContentFileError
from knowledge.files import read_document

OURS = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
SECRET = b"<svg xmlns='http://www.w3.org/2000/svg'><title>Secret</title></svg>"
READS = 300


def file(name: Path) -> None:
    """Put the file that is meant under a name."""
    name.write_bytes(OURS)


def link_to(target: Path) -> Callable[[Path], None]:
    """Put a link under a name."""
    return lambda name: name.symlink_to(target)


@contextmanager
def turning(name: Path, *forms: Callable[[Path], None]) -> Iterator[None]:
    """Meanwhile a thread gives a name one form after another."""
    over = Event()

    def turn() -> None:
        beside = name.with_name(f".{name.name}")
        for form in cycle(forms):
            if over.is_set():
                return
            form(beside)
            beside.replace(name)

    thread = Thread(target=turn)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def answers(read: Callable[[], bytes]) -> Iterator[bytes]:
    """What many reads give; one that is refused gives nothing."""
    for _ in range(READS):
        try:
            yield read()
        except ContentFileError:
            continue


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A content folder with a picture and a page, and a secret of the same names beside it."""
    root = tmp_path / "content"
    for place, text in ((root, OURS), (tmp_path / "outside", SECRET)):
        (place / "images").mkdir(parents=True)
        (place / "images/a.svg").write_bytes(text)
    return root


def opened(root: Path, path: str) -> bytes:
    """The first piece of a file that is held open."""
    with open_asset(root, path) as asset:
        return asset.piece(0)


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda root: read_asset(root, "images/a.svg"), id="asset"),
        pytest.param(lambda root: opened(root, "images/a.svg"), id="held open"),
        pytest.param(lambda root: read_document(root, "images/a.svg").text.encode(), id="document"),
    ],
)
def test_a_name_that_turns_into_a_link_leads_nowhere(
    folder: Path, read: Callable[[Path], bytes]
) -> None:
    """It is the file or nothing, however often the name turns."""
    secret = folder.parent / "outside/images/a.svg"
    with turning(folder / "images/a.svg", file, link_to(secret)):
        found = set(answers(lambda: read(folder)))
    assert found <= {OURS}


def test_a_folder_that_turns_into_a_link_leads_nowhere(folder: Path) -> None:
    """No part of a path is followed out."""
    elsewhere = folder.parent / "elsewhere"

    def turned_away(_: Path) -> None:
        (folder / "images").rename(elsewhere)
        (folder / "images").symlink_to(folder.parent / "outside/images")
        (folder / ".a.svg").write_bytes(OURS)

    def turned_back(_: Path) -> None:
        (folder / "images").unlink()
        elsewhere.rename(folder / "images")
        (folder / ".a.svg").write_bytes(OURS)

    with turning(folder / "a.svg", turned_away, turned_back):
        found = set(answers(lambda: read_asset(folder, "images/a.svg")))
    assert found <= {OURS}


def test_a_served_name_that_turns_into_a_link_leaks_nothing(server: Server) -> None:
    """Asked over the network while it turns, in both sizes."""
    secret = server.content.parent / "secret.svg"
    secret.write_bytes(SECRET)
    server.write("images/turning.svg", OURS.decode())
    with server.client() as client:
        eventually(lambda: client.get("/images/turning.svg").status_code == 200)
        with turning(server.content / "images/turning.svg", file, link_to(secret)):
            replies = [client.get(f"/images/turning.svg?{each}") for each in range(READS // 2)]
    assert {reply.status_code for reply in replies} <= {200, 404}
    assert not any(b"Secret" in reply.content for reply in replies)


def test_a_link_to_another_file_of_the_folder_is_that_file(folder: Path) -> None:
    """By a relative path and by an absolute one, and where the folder is a link to a release."""
    (folder / "pages").mkdir()
    (folder / "pages/b.svg").symlink_to("../images/a.svg")
    (folder / "pages/c.svg").symlink_to(folder / "images/a.svg")
    current = folder.parent / "current"
    current.symlink_to(folder)
    for root in (folder, current):
        for path in ("images/a.svg", "pages/b.svg", "pages/c.svg"):
            assert read_asset(root, path) == OURS


@pytest.mark.parametrize(
    "path", ["../outside/images/a.svg", "images/../images/a.svg", "/images", ""]
)
def test_a_path_is_of_names_alone(folder: Path, path: str) -> None:
    """Steps up and empty steps lead to no file."""
    with pytest.raises(ContentFileError, match="no such file"):
        read_asset(folder, path)

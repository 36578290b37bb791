"""Files replaced by symbolic links while they are read: no file outside the folder is served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

import pytest
from live.server import Server, eventually

from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.assets import open_asset, read_asset
from knowledge.documents.files import read_document

pytestmark = pytest.mark.slow

OURS = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
SECRET = b"<svg xmlns='http://www.w3.org/2000/svg'><title>Secret</title></svg>"
READS = 300


def create_file(path: Path) -> None:
    """Write the regular file to a path."""
    path.write_bytes(OURS)


def create_link(target: Path) -> Callable[[Path], None]:
    """Return a function that creates a link to a target."""
    return lambda path: path.symlink_to(target)


@contextmanager
def replaced_repeatedly(path: Path, *creators: Callable[[Path], None]) -> Iterator[None]:
    """Replace a path in a thread during the block, by the result of each creator in turn."""
    stop = Event()

    def replace() -> None:
        temporary = path.with_name(f".{path.name}")
        for create in cycle(creators):
            if stop.is_set():
                return
            create(temporary)
            temporary.replace(path)

    thread = Thread(target=replace)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def read_many(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the results of many reads, except refused ones."""
    for _ in range(READS):
        try:
            yield read()
        except ContentFileError:
            continue


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A content folder with an image, and a secret file of the same name outside the folder."""
    root = tmp_path / "content"
    for parent, text in ((root, OURS), (tmp_path / "outside", SECRET)):
        (parent / "images").mkdir(parents=True)
        (parent / "images/a.svg").write_bytes(text)
    return root


def read_open_asset(root: Path, path: str) -> bytes:
    """Open an asset and return its first part."""
    with open_asset(root, path) as asset:
        return asset.piece(0)


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda root: read_asset(root, "images/a.svg"), id="asset"),
        pytest.param(lambda root: read_open_asset(root, "images/a.svg"), id="open asset"),
        pytest.param(lambda root: read_document(root, "images/a.svg").text.encode(), id="document"),
    ],
)
def test_a_file_replaced_by_a_link_leaks_nothing(
    folder: Path, read: Callable[[Path], bytes]
) -> None:
    """A read returns the file or fails, even if the path is replaced repeatedly."""
    secret = folder.parent / "outside/images/a.svg"
    with replaced_repeatedly(folder / "images/a.svg", create_file, create_link(secret)):
        contents = set(read_many(lambda: read(folder)))
    assert contents <= {OURS}


def test_a_folder_replaced_by_a_link_leaks_nothing(folder: Path) -> None:
    """No part of a path is followed out of the content folder."""
    moved = folder.parent / "moved"

    def replace_by_link(_: Path) -> None:
        (folder / "images").rename(moved)
        (folder / "images").symlink_to(folder.parent / "outside/images")
        (folder / ".a.svg").write_bytes(OURS)

    def move_back(_: Path) -> None:
        (folder / "images").unlink()
        moved.rename(folder / "images")
        (folder / ".a.svg").write_bytes(OURS)

    with replaced_repeatedly(folder / "a.svg", replace_by_link, move_back):
        contents = set(read_many(lambda: read_asset(folder, "images/a.svg")))
    assert contents <= {OURS}


def test_a_served_file_replaced_by_a_link_leaks_nothing(server: Server) -> None:
    """It is requested over the network during the replacements."""
    secret = server.content.parent / "secret.svg"
    secret.write_bytes(SECRET)
    server.write("images/replaced.svg", OURS.decode())
    with server.client() as client:
        eventually(lambda: client.get("/images/replaced.svg").status_code == 200)
        path = server.content / "images/replaced.svg"
        with replaced_repeatedly(path, create_file, create_link(secret)):
            replies = [client.get(f"/images/replaced.svg?{number}") for number in range(READS // 2)]
    assert {reply.status_code for reply in replies} <= {200, 404}
    assert not any(b"Secret" in reply.content for reply in replies)


def test_a_link_within_the_folder_is_followed(folder: Path) -> None:
    """Relative and absolute links, also if the folder itself is a link to a release."""
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
def test_a_path_with_special_segments_is_refused(folder: Path, path: str) -> None:
    """As a file that does not exist, even if `..` leads back into the folder."""
    with pytest.raises(ContentFileError, match="no such file"):
        read_asset(folder, path)

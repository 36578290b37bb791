"""Sources of artefacts: folders, web servers and buckets, by the servers of rclone."""

from __future__ import annotations

import logging
import tarfile
import traceback
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread

import pytest
from backports import zstd
from cases import cases
from stores.rclone import KEY, SECRET, Rclone

from app.platform.artefacts import Artefacts, NotAdded, seal_of
from app.platform.settings import checked_source

ADDRESSES = ("folder", *(pytest.param(each, marks=pytest.mark.slow) for each in ("webdav", "s3")))


@pytest.fixture(params=ADDRESSES)
def place(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Path]]:
    """The address of a source, and the folder in which its artefacts are."""
    folder = tmp_path / "served" / "bucket" / "site"
    folder.mkdir(parents=True)
    with ExitStack() as running:
        address = str(folder)
        if request.param != "folder":
            server = running.enter_context(Rclone(request.param, tmp_path / "served"))
            address = f"{server.url}/bucket/site"
        if request.param == "s3":
            address = "s3://bucket/site"
            monkeypatch.setenv("AWS_ENDPOINT_URL_S3", server.url)
            monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
            monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
            monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield checked_source(address), folder


def test_what_one_machine_adds_another_fetches(
    place: tuple[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """All files of a folder; not what is missing, damaged or another artefact."""
    address, kept = place
    made, got = tmp_path / "made", tmp_path / "got"
    (made / "inner").mkdir(parents=True)  # no index has one
    (made / "a").write_bytes(bytes(range(256)) * 20_000)
    (made / "empty").touch()
    (made / ".lock").touch()
    got.mkdir()
    Artefacts(address).put_folder("index-1", made)
    source = Artefacts(address)
    assert source.fetch_folder("index-1", got)
    assert (got / "a").read_bytes() == (made / "a").read_bytes()
    assert sorted(path.name for path in got.iterdir()) == ["a", "empty"]
    assert not source.fetch_folder("index-2", got)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    added = (kept / "index-1.tar.zst").read_bytes()
    for number, content in {1: added[:-1], 2: added, 3: b""}.items():
        (made / "packed").write_bytes(content)
        source.put(f"index-{number}.tar.zst", made / "packed")
    assert not any(source.fetch_folder(f"index-{number}", got) for number in (1, 2, 3))
    told = [each.levelno for each in caplog.records if each.name == "app.platform.artefacts"]
    assert told.count(logging.WARNING) == 3


def member(
    name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"", target: str = "", more: int = 0
) -> bytes:
    """Return a member of an archive, which says that it has `more` bytes than it has."""
    head = tarfile.TarInfo(name)
    head.type, head.size, head.linkname = kind, len(content) + more, target
    padding = bytes(-len(content) % tarfile.BLOCKSIZE)
    return head.tobuf(tarfile.GNU_FORMAT) + content + padding


TEXT = b"content"
LARGE = 4 * 1024**3
HOSTILE = {
    "link": member("a", tarfile.SYMTYPE, target="../outside"),
    "hard link": member("a", tarfile.LNKTYPE, target="../outside"),
    "file behind a link": member("a", tarfile.SYMTYPE, target="..") + member("a/outside"),
    "folder": member("inner", tarfile.DIRTYPE),
    "file in a folder": member("inner/a", content=TEXT),
    "parent": member("../outside", content=TEXT),
    "dots": member("..", content=TEXT),
    "parent in other letters": member("..%2Foutside", content=TEXT),
    "root in other letters": member("%2Foutside", content=TEXT),
    "dots in a folder": member("inner%2F..", content=TEXT),
    "folders in a folder": member("inner%2Fmore%2Fa", content=TEXT),
    "root": member("/outside", content=TEXT),
    "hidden": member(".lock", content=TEXT),
    "device": member("a", tarfile.CHRTYPE),
    "pipe": member("a", tarfile.FIFOTYPE),
    "long name": member("././@LongLink", tarfile.GNUTYPE_LONGNAME, more=LARGE),
    "extended head": member("a", tarfile.XHDTYPE, more=LARGE),
    "twice": member("a", content=TEXT) * 2,
    "cut off": member("a", more=1),
    "large": member("a", more=LARGE + 1),
    "large together": member("a", content=TEXT) + member("b", more=LARGE),
    "no archive": bytes(range(256)) * 2,
}


@cases("archive", HOSTILE.values())
def test_only_plain_files_are_unpacked(
    archive: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the version of Python does with links; what is refused counts as missing."""
    kept, got = tmp_path / "kept", Path(mkdtemp(dir=tmp_path))
    source = Artefacts(str(kept))
    packed = zstd.compress(archive)
    sealed = packed + seal_of("index-1.tar.zst", [packed])
    (tmp_path / "file").write_bytes(sealed)
    source.put("index-1.tar.zst", tmp_path / "file")
    caplog.clear()
    assert not source.fetch_folder("index-1", got)
    assert [each.levelname for each in caplog.records] == ["WARNING"]
    assert not (tmp_path / "outside").exists()
    assert all(each.is_file() and not each.is_symlink() for each in got.iterdir())


def test_no_more_is_fetched_than_an_artefact_may_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A source that never ends does not fill the disk."""
    monkeypatch.setattr("app.platform.artefacts._MAX_BYTES", 1024 * 1024)
    endless = tmp_path / "kept" / "icon"
    endless.parent.mkdir()
    endless.symlink_to("/dev/zero")
    assert not Artefacts(str(endless.parent)).fetch("icon", tmp_path / "got")
    assert "icon cannot be fetched: ValueError" in caplog.text
    assert (tmp_path / "got").stat().st_size <= 1024 * 1024


def test_a_password_is_not_told_if_a_server_refuses(tmp_path: Path) -> None:
    """Nor by a command whose output a pipeline keeps."""
    (tmp_path / "icon").touch()
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        target = Artefacts(f"http://me:top-secret@127.0.0.1:{server.server_port}/site")
        with pytest.raises(NotAdded, match="icon cannot be added: 501") as refused:
            target.put("icon", tmp_path / "icon")
        server.shutdown()
    assert "top-secret" not in "".join(traceback.format_exception(refused.value))


def test_a_source_that_fails_is_not_asked_again_for_a_while(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its address, which may have a password, is not logged."""
    source = Artefacts("http://me:top-secret@127.0.0.1:1/site")
    assert not any(source.fetch("icon", tmp_path / "icon") for _ in range(3))
    assert [each.levelname for each in caplog.records] == ["WARNING"]
    assert "top-secret" not in caplog.text
    with pytest.raises(NotAdded, match="icon cannot be added"):
        source.put("icon", tmp_path)

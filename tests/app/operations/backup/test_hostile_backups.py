"""Files that claim to be backups: what is refused before anything is written."""

from __future__ import annotations

import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.operations.backup.archive import DATABASE
from app.operations.backup.backup import RestorePlaces, restore_backup
from app.platform.database import BackupError
from app.platform.database.metadata import NEWEST

Change = Callable[[dict[str, Any]], object]


def head(name: str, **values: Any) -> tarfile.TarInfo:
    """Return the head of a member."""
    made = tarfile.TarInfo(name)
    for field, value in values.items():
        setattr(made, field, value)
    return made


def write(file: Path, *heads: tarfile.TarInfo, **manifest: Any) -> Path:
    """Write an archive with these members of zeros, and a manifest that lists them."""
    digest = {each.name: sha256(bytes(each.size)).hexdigest() for each in heads}
    listed = {
        "format": 1,
        "majlis": "0.1.0",
        "created_at": "2026-06-01T12:00:00Z",
        "database": "sqlite",
        "schema_revision": NEWEST,
        "members": {each.name: {"size": each.size, "sha256": digest[each.name]} for each in heads},
    }
    text = json.dumps(listed | manifest).encode()
    with tarfile.open(file, "w") as archive:
        for each in heads:
            archive.addfile(each, io.BytesIO(bytes(each.size)))
        archive.addfile(head("manifest.json", size=len(text)), io.BytesIO(text))
    return file


def refused(file: Path, folder: Path) -> str:
    """Restore a file into an empty folder, check that nothing is written, and return the reason."""
    target = folder / "target"
    places = RestorePlaces(
        f"sqlite:///{target}/majlis.db", {"a": target / "a"}, folder / "target" / "content"
    )
    with pytest.raises(BackupError) as error:
        restore_backup(file, places, overwrite=True)
    left = {each.name for each in target.rglob("*")} if target.exists() else set()
    assert left <= {"majlis.db.lock", "majlis.db.in-use"}
    assert {each.name for each in folder.iterdir()} <= {file.name, "target"}
    return str(error.value)


@pytest.mark.parametrize(
    "member",
    [
        pytest.param(head("../outside"), id="above"),
        pytest.param(head("content/../../outside"), id="above a folder"),
        pytest.param(head("/tmp/outside"), id="absolute"),  # noqa: S108  # never written
        pytest.param(head("content/a\nb"), id="control character"),
        pytest.param(head("keys/inner/a"), id="folder of keys"),
        pytest.param(head("other"), id="unknown"),
        pytest.param(head("keys/a", type=tarfile.SYMTYPE, linkname="/etc/passwd"), id="link"),
        pytest.param(head("keys/a", type=tarfile.LNKTYPE, linkname="database"), id="hard link"),
        pytest.param(head("keys/a", type=tarfile.CHRTYPE), id="device"),
        pytest.param(head("content/a", type=tarfile.DIRTYPE), id="folder"),
    ],
)
def test_a_member_that_no_backup_has_is_refused(tmp_path: Path, member: tarfile.TarInfo) -> None:
    """Paths that lead out, links and devices; the message names it."""
    file = write(tmp_path / "backup.tar", head(DATABASE, size=9), member)
    assert "has a member that no backup has" in refused(file, tmp_path)


def test_a_member_is_there_once(tmp_path: Path) -> None:
    """Another one of the same name would replace the one whose digest was checked."""
    file = write(tmp_path / "backup.tar", *[head(DATABASE, size=9)] * 2)
    assert "has a member that no backup has" in refused(file, tmp_path)


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        pytest.param({"format": 2}, "a newer version of majlis wrote", id="newer format"),
        pytest.param({"schema_revision": "9999"}, "schema 9999", id="newer schema"),
        pytest.param({"members": {}}, "names no database", id="no member"),
        pytest.param({"created_at": "yesterday"}, "manifest is invalid", id="no instant"),
        pytest.param(
            {"members": {"database": {"size": 8, "sha256": "0" * 64}}}, "not those", id="other size"
        ),
        pytest.param(
            {"members": {"database": {"size": 9, "sha256": "0" * 64}}}, "digest", id="other digest"
        ),
        pytest.param({}, "not a valid SQLite database", id="no database"),
        pytest.param({"database": "postgresql"}, "PostgreSQL, which cannot", id="other database"),
    ],
)
def test_a_manifest_says_what_is_restored(
    tmp_path: Path, manifest: dict[str, Any], reason: str
) -> None:
    """A backup that differs from it, or that this version does not understand, is refused."""
    file = write(tmp_path / "backup.tar", head(DATABASE, size=9), **manifest)
    assert reason in refused(file, tmp_path)


def _claims_much(file: Path) -> bytes:
    return head(DATABASE, size=10**12).tobuf() + file.read_bytes()


def _nests(_: Path) -> bytes:
    long_name = head("x", size=1, type=tarfile.GNUTYPE_LONGNAME)
    return (long_name.tobuf() + bytes(512)) * 5_000


def _claims_a_long_name(_: Path) -> bytes:
    return head("x", size=10**12, type=tarfile.GNUTYPE_LONGNAME).tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"text" * 500, id="text"),
        pytest.param(lambda file: file.read_bytes()[:1_500], id="cut off"),
        pytest.param(_claims_much, id="member larger than the file"),
        pytest.param(_claims_a_long_name, id="name larger than the file"),
        pytest.param(_nests, id="nested names"),
    ],
)
def test_a_file_that_is_no_archive_is_refused(
    tmp_path: Path, spoil: Callable[[Path], bytes]
) -> None:
    """With little memory, whatever it says of its size."""
    file = write(tmp_path / "backup.tar", head(DATABASE, size=2_000))
    file.write_bytes(spoil(file))
    tracemalloc.start()
    try:
        assert "not a backup of `majlis backup`, or it is damaged" in refused(file, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    finally:
        tracemalloc.stop()


def test_a_sparse_member_is_refused(tmp_path: Path) -> None:
    """It would be larger than the file that holds it."""
    sparse = head("content/zeros", size=0)
    sparse.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(10**15)}
    file = write(tmp_path / "backup.tar", head(DATABASE, size=9), sparse)
    assert "has a member that no backup has" in refused(file, tmp_path)

"""The SQLite file is removed or replaced while the service runs: nothing acknowledged is lost."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from live.senders import Senders
from live.server import Server, eventually, free_port, majlis
from live.test_durability import exported, holds_exactly

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
LATER = 40


@contextmanager
def sending(server: Server) -> Iterator[Callable[[str], int]]:
    """Sends leads by their visitor's address, and gives the status of each."""
    with server.client() as client:

        def send(email: str) -> int:
            return client.post(LEADS, json={"email": email}).status_code

        yield send


def database(folder: Path) -> Path:
    """The file that the service makes by default."""
    return folder / "var" / "majlis.db"


def stored(file: Path) -> set[str]:
    """The addresses of the leads in a file that nobody has open."""
    with closing(sqlite3.connect(file)) as connection:
        return {row[0] for row in connection.execute("SELECT email FROM leads")}


def copy_of(file: Path, target: Path) -> Path:
    """A consistent copy, as SQLite itself makes it."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    return target


def test_a_removed_file_is_a_503_until_there_is_one_again(start: Start, tmp_path: Path) -> None:
    """No lead is acknowledged, no empty file takes its place; a restored one is used by itself."""
    metrics = free_port()
    server, file = start(METRICS_PORT=str(metrics)), database(tmp_path)

    def away() -> str:
        told = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
        return next(line[-3:] for line in told.splitlines() if 'away{store="database"}' in line)

    with sending(server) as send:
        assert send("before@b.test") == 200
        backup = copy_of(file, tmp_path / "backup.db")
        file.unlink()
        assert {send(f"later{n}@b.test") for n in range(LATER)} == {503}
        listed = majlis("leads", "list", folder=tmp_path)
        assert listed.returncode == 1
        assert not file.exists()
        assert away() == "1.0"
        backup.replace(file)
        eventually(lambda: send("after@b.test") == 200)
        eventually(lambda: away() == "0.0")
    log = server.log.read_text()
    assert log.count("The database cannot answer") == 1
    assert "majlis.db" in log
    assert str(tmp_path) not in log.partition("cannot answer")[2].partition("\n")[0]
    found = {each["email"] for each in exported(tmp_path)}
    assert found == {"before@b.test", "after@b.test"}


def test_a_file_moved_away_and_back_has_lost_nothing(start: Start, tmp_path: Path) -> None:
    """It is the same file again."""
    server, file = start(), database(tmp_path)
    with sending(server) as send:
        assert send("before@b.test") == 200
        file.rename(tmp_path / "away.db")
        assert send("later@b.test") == 503
        (tmp_path / "away.db").rename(file)
        eventually(lambda: send("after@b.test") == 200)
    assert {each["email"] for each in exported(tmp_path)} == {"before@b.test", "after@b.test"}


def test_a_replaced_file_is_the_one_that_is_written_to(start: Start, tmp_path: Path) -> None:
    """Every later lead that is acknowledged is in it, and it is whole."""
    server, file = start("--workers", "2"), database(tmp_path)
    with sending(server) as send:
        assert send("before@b.test") == 200
        backup = copy_of(file, tmp_path / "backup.db")
        assert send("lost-with-the-old-file@b.test") == 200
        backup.replace(file)
        acknowledged = {"before@b.test"}

        def send_all() -> bool:
            emails = [f"later{len(acknowledged)}-{n}@b.test" for n in range(LATER)]
            taken = {email for email in emails if send(email) == 200}
            acknowledged.update(taken)
            return len(taken) == LATER

        eventually(send_all)
    server.stop()
    assert server.process.wait(30) == 0
    assert stored(file) == acknowledged
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_nothing_acknowledged_is_lost_when_the_file_goes_in_the_middle_of_writing(
    start: Start, tmp_path: Path
) -> None:
    """The file is moved away under load: all that was acknowledged is in it, with its -wal."""
    server, file = start(), database(tmp_path)
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        file.rename(tmp_path / "away.db")
        eventually(lambda: 503 in senders.statuses)
        (tmp_path / "away.db").rename(file)
        senders.wait_for(20)
    assert senders.statuses == {200, 503}
    holds_exactly(exported(tmp_path), senders.acknowledged)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_removed_wal_loses_nothing_acknowledged(
    start: Start, tmp_path: Path, suffix: str
) -> None:
    """It is noticed before the next lead; the connections are closed, which saves what it held."""
    server, file = start(), database(tmp_path)
    with sending(server) as send:
        emails = {f"before{n}@b.test" for n in range(5)}
        assert {send(email) for email in emails} == {200}
        Path(f"{file}{suffix}").unlink()
        eventually(lambda: send("after@b.test") == 200)
        server.kill()
    assert {each["email"] for each in exported(tmp_path)} == emails | {"after@b.test"}


def test_a_removed_folder_is_not_made_again(start: Start, tmp_path: Path) -> None:
    """503 while it is away, as for a file; what is put in its place is used."""
    server, file = start(), database(tmp_path)
    with sending(server) as send:
        assert send("before@b.test") == 200
        backup = copy_of(file, tmp_path / "backup.db")
        shutil.rmtree(file.parent)
        assert {send(f"later{n}@b.test") for n in range(3)} == {503}
        assert not file.parent.exists()
        file.parent.mkdir()
        backup.replace(file)
        eventually(lambda: send("after@b.test") == 200)
    assert {each["email"] for each in exported(tmp_path)} == {"before@b.test", "after@b.test"}

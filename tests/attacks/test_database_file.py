"""The SQLite file is removed or replaced at runtime: no acknowledged lead is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from command_line import run_majlis
from live.senders import Senders
from live.server import Server, eventually, free_port
from live.test_durability import holds_exactly
from stores.sqlite import copy_database, stored_leads

pytestmark = pytest.mark.slow

Start = Callable[..., Server]
LEADS = "/api/public/v1/leads"
LATER = 40


@contextmanager
def sending(server: Server) -> Iterator[Callable[[str], int]]:
    """Yield a function that sends a lead with an e-mail address and returns the status."""
    with server.client() as client:

        def send(email: str) -> int:
            return client.post(LEADS, json={"email": email}).status_code

        yield send


def database(folder: Path) -> Path:
    """Return the path of the default database."""
    return folder / "var" / "majlis.db"


def test_leads_are_refused_until_a_removed_file_is_restored(start: Start, tmp_path: Path) -> None:
    """No lead is acknowledged and no empty file is created; a restored file is used at once."""
    metrics = free_port()
    server, file = start(METRICS_PORT=str(metrics)), database(tmp_path)

    def away() -> str:
        lines = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text.splitlines()
        return next(line[-3:] for line in lines if 'away{store="database"}' in line)

    with sending(server) as send:
        assert send("before@b.test") == 200
        backup = copy_database(file, tmp_path / "backup.db")
        file.unlink()
        assert {send(f"later{n}@b.test") for n in range(LATER)} == {503}
        listed = run_majlis("leads", "list", folder=tmp_path)
        assert listed.returncode == 1
        assert not file.exists()
        assert away() == "1.0"
        backup.replace(file)
        eventually(lambda: send("after@b.test") == 200)
        eventually(lambda: away() == "0.0")
    log = server.log.read_text()
    assert log.count("Database unavailable") == 1
    assert "majlis.db" in log
    assert str(tmp_path) not in log.partition("Database unavailable")[2].partition("\n")[0]
    server.kill()
    assert [lead["email"] for lead in stored_leads(file)] == ["before@b.test", "after@b.test"]


def test_a_replacement_file_receives_all_later_leads(start: Start, tmp_path: Path) -> None:
    """It contains every lead acknowledged later, and its integrity is intact.

    A lead of the old file is in it too if SQLite still finds the old log beside it.
    """
    server, file = start("--workers", "2"), database(tmp_path)
    with sending(server) as send:
        assert send("before@b.test") == 200
        backup = copy_database(file, tmp_path / "backup.db")
        assert send("of-the-old-file@b.test") == 200
        backup.replace(file)
        acknowledged = {"before@b.test"}

        def send_all() -> bool:
            emails = [f"later{len(acknowledged)}-{n}@b.test" for n in range(LATER)]
            submitted = {email for email in emails if send(email) == 200}
            acknowledged.update(submitted)
            return len(submitted) == LATER

        eventually(send_all)
    server.stop()
    assert server.process.wait(30) == 0
    stored = {lead["email"] for lead in stored_leads(file)}
    assert stored - {"of-the-old-file@b.test"} == acknowledged


def test_no_acknowledged_lead_is_lost_if_the_file_is_moved_under_load(
    start: Start, tmp_path: Path
) -> None:
    """While it is away leads get 503; once it is back, also its -wal is read."""
    server, file = start(), database(tmp_path)
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        file.rename(tmp_path / "away.db")
        eventually(lambda: 503 in senders.statuses)
        (tmp_path / "away.db").rename(file)
        senders.wait_for(20)
    assert senders.statuses == {200, 503}
    server.kill()
    holds_exactly(stored_leads(file), senders.acknowledged)


def test_a_removed_wal_or_shm_loses_nothing_acknowledged(start: Start, tmp_path: Path) -> None:
    """It is detected before the next lead; closing the connections saves the pending data."""
    server, file = start(), database(tmp_path)
    emails = []
    with sending(server) as send:
        for suffix in ("-wal", "-shm"):
            emails.append(f"before{suffix}@b.test")
            assert send(emails[-1]) == 200
            Path(f"{file}{suffix}").unlink()
            emails.append(f"after{suffix}@b.test")
            eventually(lambda: send(emails[-1]) == 200)
        server.kill()
    assert [lead["email"] for lead in stored_leads(file)] == emails

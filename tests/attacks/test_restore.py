"""Backup and restore beside a running service, and beside what a killed one leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from live.senders import Senders
from live.server import Server, majlis
from live.test_durability import holds_exactly
from stores.sqlite import stored_leads

Start = Callable[..., Server]


def test_nothing_in_use_is_replaced_and_nothing_that_is_left_behind(
    start: Start, tmp_path: Path
) -> None:
    """A backup under load is whole. SQLite would write a left -wal into a restored file."""

    def db(*arguments: str) -> CompletedProcess[str]:
        return majlis("db", *arguments, folder=tmp_path)

    server, file = start(), tmp_path / "var" / "majlis.db"
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        before = dict(senders.acknowledged)
        made = db("backup", "backup.db")
        assert (made.returncode, made.stderr) == (0, "")
        under_load = db("restore", "backup.db", "--force")
        senders.wait_for(20)
        server.kill()
    content = file.read_bytes()
    beside_left = db("restore", "backup.db", "--force")
    assert "in use" in under_load.stderr
    assert "majlis.db-wal" in beside_left.stderr
    assert under_load.returncode == beside_left.returncode == 1
    assert file.read_bytes() == content
    # Who opens and closes the database takes the -wal in.
    holds_exactly(stored_leads(file), senders.acknowledged)
    restored = db("restore", "backup.db", "--force")
    assert (restored.returncode, restored.stderr) == (0, "")
    found = stored_leads(file)
    holds_exactly(found, before)
    assert len(found) < len(senders.acknowledged)

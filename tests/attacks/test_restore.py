"""Backup and restore while the service runs, and after it was killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_majlis
from live.senders import Senders
from live.server import Server
from live.test_durability import holds_exactly
from stores.sqlite import stored_leads

pytestmark = pytest.mark.slow

Start = Callable[..., Server]


def test_a_restore_refuses_a_database_in_use_or_with_a_leftover_wal(
    start: Start, tmp_path: Path
) -> None:
    """A backup under load is complete. SQLite would apply a leftover -wal to a restored file."""

    def db(*arguments: str) -> CompletedProcess[str]:
        return run_majlis("db", *arguments, folder=tmp_path)

    server, file = start(), tmp_path / "var" / "majlis.db"
    senders = Senders(server.url)
    with senders.sending():
        senders.wait_for(20)
        before = dict(senders.acknowledged)
        backup = db("backup", "backup.db")
        assert (backup.returncode, backup.stderr) == (0, "")
        under_load = db("restore", "backup.db", "--force")
        senders.wait_for(20)
        server.kill()
    content = file.read_bytes()
    with_wal = db("restore", "backup.db", "--force")
    assert "in use" in under_load.stderr
    assert "majlis.db-wal" in with_wal.stderr
    assert under_load.returncode == with_wal.returncode == 1
    assert file.read_bytes() == content
    # Opening and closing the database applies the -wal.
    holds_exactly(stored_leads(file), senders.acknowledged)
    restored = db("restore", "backup.db", "--force")
    assert (restored.returncode, restored.stderr) == (0, "")
    leads = stored_leads(file)
    holds_exactly(leads, before)
    assert len(leads) < len(senders.acknowledged)

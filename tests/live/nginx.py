"""A real nginx in front of a real server, with a configuration from the test."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from getpass import getuser
from grp import getgrgid
from os import getgid
from pathlib import Path
from typing import Protocol, Self

import httpx
from live.server import DEADLINE, client_of, eventually, free_port
from live.tools import program

from app.operations.edge import NginxOptions, nginx_configuration

_TEMPLATE = """
daemon off;
user {user};
pid {work}/nginx.pid;
error_log {work}/nginx.log;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {work}/body;
  proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi;
  scgi_temp_path {work}/scgi;
{http}
}}
"""


class Instance(Protocol):
    """A server on a port of this machine."""

    @property
    def port(self) -> int:
        """The port that it listens on."""


def cached(*servers: Instance, country_from: Sequence[str] = ("127.0.0.0/8",)) -> str:
    """Return the configuration that `majlis nginx` prints for servers.

    The test process is a proxy that sets the header of the country, unless the test says otherwise.
    """
    options = NginxOptions(
        upstreams=[f"127.0.0.1:{server.port}" for server in servers],
        listen="127.0.0.1:{port}",
        cache_path="{work}/cache",
        renewal_port=free_port(),
        country_from=country_from,
    )
    return nginx_configuration(options)


class Nginx:
    """An nginx with this content of `http { }`, in which `{port}` and `{work}` are filled in."""

    def __init__(self, http: str, work: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        work.mkdir(parents=True, exist_ok=True)
        inner = http.replace("{port}", str(self.port)).replace("{work}", str(work))
        whole = _TEMPLATE.format(user=_account(), work=work, http=inner)
        configuration = work / "nginx.conf"
        configuration.write_text(whole, encoding="utf-8")
        self.log = work / "nginx.log"
        self.process = subprocess.Popen(
            [program("nginx", "/usr/sbin/nginx"), "-c", str(configuration), "-p", str(work)],
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> Self:
        try:
            eventually(self._is_listening)
        except AssertionError:
            self.__exit__()
            raise AssertionError(self.log.read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(DEADLINE)

    def _is_listening(self) -> bool:
        try:
            with client_of(self.url) as client:
                client.get("/")
        except httpx.TransportError:
            return False
        return True


def _account() -> str:
    """Return user and group of this process, so that nginx workers have its permissions."""
    return f"{getuser()} {getgrgid(getgid()).gr_name}"

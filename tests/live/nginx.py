"""nginx with the configuration of the deployment guide, in front of servers of the test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Self

from live.documents import blocks
from live.server import DEADLINE, Server, eventually, free_port
from stores.required import missing

_FRAME = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {configuration}
}}
"""


class Nginx:
    """A proxy before two servers."""

    def __init__(self, folder: Path, first: Server, second: Server) -> None:
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            missing("nginx", "it is not installed; `apt-get install nginx`")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._arguments = [program, "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
        (configuration,) = blocks("docs/deploying.md", "nginx")
        for documented, own in (
            ("listen 80;", f"listen 127.0.0.1:{self.port};"),
            ("127.0.0.1:8000", f"127.0.0.1:{first.port}"),
            ("127.0.0.1:8001", f"127.0.0.1:{second.port}"),
        ):
            assert documented in configuration
            configuration = configuration.replace(documented, own)
        user = "user root;" if os.geteuid() == 0 else ""
        folder.mkdir()
        text = _FRAME.format(user=user, configuration=configuration)
        (folder / "nginx.conf").write_text(text)

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._arguments, stderr=subprocess.DEVNULL)
        try:
            eventually(self._listens)
        except AssertionError:
            self._end()
            raise AssertionError((self._folder / "error.log").read_text()) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _listens(self) -> bool:
        assert self._process.poll() is None
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _end(self) -> None:
        self._process.terminate()
        self._process.wait(DEADLINE)

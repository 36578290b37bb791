"""What the nginx of `majlis nginx` does when an instance is late, silent, or refuses everything.

The instances are small servers that count what reaches them, so that nothing is hidden by the
service, which stores a lead once however often it is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Self

import httpx
import pytest
from live.nginx import Nginx, cached
from live.server import client_of

pytestmark = pytest.mark.slow

PAGE, LIST, LEADS = "/ae/en/erp", "/api/public/v1/pages", "/api/public/v1/leads"
ORDERS = "/api/orders"


class Instance:
    """A server that answers everything, unless it is told otherwise."""

    def __init__(self, name: str) -> None:
        self.received: Counter[tuple[str, str]] = Counter()
        self.refused: set[str] = set()
        """The paths that it answers with 503."""
        self.silent_seconds = 0.0
        self._over = Event()
        instance = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                instance.received[self.command, self.path] += 1
                instance._over.wait(instance.silent_seconds)
                body = name.encode()
                self.send_response(503 if self.path in instance.refused else 200)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "public, max-age=60, stale-while-revalidate=300")
                self.end_headers()
                self.wfile.write(body if self.command != "HEAD" else b"")

            do_GET = do_HEAD = do_POST = _answer  # noqa: N815  # the names of the library

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()


Site = tuple[httpx.Client, tuple[Instance, Instance]]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A client of nginx, and the two instances behind it."""
    with ExitStack() as running:
        instances = running.enter_context(Instance("a")), running.enter_context(Instance("b"))
        nginx = running.enter_context(Nginx(cached(*instances), tmp_path / "nginx"))
        client = running.enter_context(client_of(nginx.url))
        for each in instances:
            each.received.clear()
        yield client, instances


def bodies(client: httpx.Client, path: str, number: int = 6) -> set[tuple[int, str]]:
    """Return status and text of reads that each miss the cache."""
    replies = [client.get(path, params={"n": str(each)}) for each in range(number)]
    return {(each.status_code, each.text) for each in replies}


@pytest.mark.parametrize("path", [PAGE, LIST])
def test_a_read_that_an_instance_refuses_goes_to_another(site: Site, path: str) -> None:
    """A late instance answers pages and lists with 503."""
    client, (late, other) = site
    late.refused = {f"{path}?n={each}" for each in range(6)}
    assert bodies(client, path) == {(200, "b")}
    assert client.head(path).status_code == 200
    assert late.received.total() > 0
    assert other.received.total() >= 6


def test_a_lead_is_never_sent_twice(site: Site) -> None:
    """Whether an instance refuses it, or takes it and is silent; its answer is passed on."""
    client, (a, b) = site
    a.refused = b.refused = {LEADS}
    refused = client.post(LEADS, json={})
    assert (refused.status_code, refused.text in "ab") == (503, True)
    assert (a.received + b.received)["POST", LEADS] == 1
    a.silent_seconds = b.silent_seconds = 60
    assert client.post(LEADS, json={}).status_code == 504
    assert (a.received + b.received)["POST", LEADS] == 2


def test_what_all_refuse_takes_no_instance_away(site: Site) -> None:
    """A partner who asks while the database is away leaves the pages as they are."""
    client, (a, b) = site
    a.refused = b.refused = {ORDERS}
    for number in range(20):
        assert client.get(ORDERS).status_code == 503
        assert client.get(PAGE, params={"n": f"x{number}"}).status_code == 200


def test_a_silent_instance_delays_a_read_by_seconds(site: Site) -> None:
    """Once; it is passed over then. A later answer of it, perhaps an older one, is not kept."""
    client, (silent, other) = site
    silent.silent_seconds = 60
    assert bodies(client, PAGE) == {(200, "b")}
    assert silent.received.total() == 1
    other.silent_seconds = 2.2
    assert client.get("/ae/en/slow").text == "b"
    other.silent_seconds = 0
    assert client.get("/ae/en/slow").text == "b"
    assert other.received["GET", "/ae/en/slow"] == 2

"""The caller: what it records as a violation, and what it does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from soak.caller import POSTGRESQL, WORKER, Caller
from soak.ledger import Ledger
from soak.stamps import stamp

from app.server.lifecycle import DRAIN_SECONDS


class Scripted(BaseHTTPRequestHandler):
    """Responds as the path says: `/status/body`; `/cut` closes the connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send the response, or close the connection."""
        if self.path == "/cut":
            self.close_connection = True
            return
        _, status, body = self.path.split("/", 2)
        self.send_response(int(status))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def ledger() -> Ledger:
    """Return an empty ledger."""
    return Ledger()


@contextmanager
def serving() -> Iterator[int]:
    """Run a server that responds as its paths say; yield its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Scripted) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def caller(ledger: Ledger) -> Iterator[Caller]:
    """Yield a caller of that server."""
    with serving() as port, closing(Caller(port, ledger)) as asking:
        yield asking


def broken(ledger: Ledger) -> list[str]:
    """Return the guarantees that were violated."""
    return [line.partition(":")[0] for line in ledger.violations if line.endswith("1 times")]


@pytest.mark.parametrize(
    ("paths", "guarantee"),
    [
        pytest.param(["/500/"], "statuses are the expected ones", id="an error"),
        pytest.param(["/503/"], "503 only while its store is down", id="no outage"),
        pytest.param(["/cut"], "no request is dropped", id="a new connection"),
        pytest.param(["/200/", "/cut"], "no request is dropped", id="a busy connection"),
        pytest.param(
            [f"/200/{stamp('a', 1)}{stamp('a', 2)}"], "a response is of one edition", id="a mixture"
        ),
        pytest.param(
            [f"/200/{stamp('a', 2)}", f"/200/{stamp('a', 1)}"],
            "no connection goes back",
            id="an older edition",
        ),
    ],
)
def test_a_violation_is_recorded(
    caller: Caller, ledger: Ledger, paths: list[str], guarantee: str
) -> None:
    """Possibly with others."""
    for path in paths:
        caller.ask("lead", path)
    assert guarantee in broken(ledger)


def test_a_response_of_one_edition_is_valid(caller: Caller, ledger: Ledger) -> None:
    """A newer one may follow; a new connection may reach a worker that reloads later."""
    for version in (1, 1, 2):
        caller.ask("api", f"/200/{stamp('a', version)}{stamp('a', version)}{stamp('b', 7)}")
    caller.close()
    caller.ask("api", f"/200/{stamp('a', 1)}")
    assert ledger.violations == []


def test_a_503_is_valid_while_postgresql_is_down(caller: Caller, ledger: Ledger) -> None:
    """Only for requests that need it, and only with Retry-After."""
    with ledger.away(POSTGRESQL):
        caller.ask("lead", "/503/")
        assert broken(ledger) == ["each 503 has Retry-After"]
        caller.ask("html", "/503/")
    assert "503 only while its store is down" in broken(ledger)


def test_a_killed_worker_explains_a_missing_response(caller: Caller, ledger: Ledger) -> None:
    """For requests in progress at that time."""
    with ledger.away(WORKER):
        assert caller.ask("lead", "/cut") is None
    assert ledger.violations == []


def test_an_idle_connection_may_be_closed(
    caller: Caller, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may close an idle connection at any time, as HTTP allows."""
    caller.ask("html", "/200/")
    later = time.monotonic() + 2 * DRAIN_SECONDS
    monkeypatch.setattr("soak.caller.monotonic", lambda: later)
    caller.ask("html", "/cut")
    assert ledger.violations == []
    assert sum(ledger.drops.values()) == 1

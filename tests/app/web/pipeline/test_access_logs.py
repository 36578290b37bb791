"""Access logs: one line for each request, with nothing personal beyond what was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from contract.visitor import Visitor
from live.server import until
from storefront.shop import BEARER, TOKEN

from app.platform.observability.access_log import AccessLog
from app.platform.observability.logs import LineWriter
from app.web.http import bodies

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CLIENT = "203.0.113.77"
PROXY = "10.0.0.1"
SETTINGS: dict[str, Any] = {"erp_pull_api_token": TOKEN, "trusted_proxies": "10.0.0.0/8"}

Lines = list[dict[str, Any]]


class Logged:
    """An application of the sample content, and what its access log says."""

    def __init__(self, visitor: Visitor, file: Path) -> None:
        self.visitor = visitor
        self._file = file
        self._read = 0

    def lines(self) -> Lines:
        """Return the lines that were not returned before."""
        log = self.visitor.quart.extensions["majlis"].part(AccessLog)
        self.visitor.run(_written(log._writer))
        lines = [json.loads(line) for line in self._file.read_text().splitlines()]
        new, self._read = lines[self._read :], len(lines)
        return new

    def get(self, target: str, **headers: str) -> dict[str, Any]:
        """Send a request from a client behind a proxy, and return its line."""
        sent = {"X-Forwarded-For": CLIENT, **headers}
        self.visitor.ask("GET", target, sent, PROXY)
        (line,) = self.lines()
        return line


async def _written(writer: LineWriter) -> None:
    await until(lambda: not writer.waiting_bytes)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logged]:
    """An application with an access log in JSON; addresses are cut to their network."""
    file = tmp_path_factory.mktemp("logged") / "access.log"
    with Visitor(access_log="json", access_log_file=file, **SETTINGS) as visitor:
        yield Logged(visitor, file)


def test_a_line_tells_a_request_and_its_response(logged: Logged) -> None:
    """With the ids of its other lines, and whether the response was in the cache."""
    headers = {
        "User-Agent": "Mozilla/5.0",
        "Referer": "https://www.google.com/search?q=private+words",
        "traceparent": f"00-{TRACE}-00f067aa0ba902b7-01",
        "Accept": "text/html",
    }
    first, second = (logged.get("/ae/en", **headers) for _ in range(2))
    assert (first["cache"], second["cache"]) == ("miss", "hit")
    assert 0 < second.pop("seconds") < 10
    assert second.pop("time").endswith("+00:00")
    size = second.pop("bytes")
    assert size == len(logged.visitor.get("/ae/en", headers).body)
    assert second == {
        "address": "203.0.113.0/24",
        "method": "GET",
        "path": "/ae/en",
        "protocol": "HTTP/1.1",
        "status": 200,
        "form": "html",
        "cache": "hit",
        "request": "the-same-id",
        "trace": TRACE,
        "referer": "https://www.google.com",
        "agent": "Mozilla/5.0",
    }
    assert logged.lines()[0]["status"] == 200


@cases(
    ("target", "path", "status"),
    [
        pytest.param("/ae/en/search?q=private", "/ae/en/search", 200, id="a search"),
        pytest.param("/ae/en?email=private", "/ae/en", 200, id="any query"),
        pytest.param("/u/private@wahat.example", "/<site_path:path>", 404, id="an address"),
        pytest.param("/u/private%40wahat.example", "/<site_path:path>", 404, id="encoded"),
        pytest.param("/api/orders/private-17", "/api/orders/<id>", 401, id="an order"),
        pytest.param(
            f"/preview/private.{'a1' * 21}X", "/preview/<preview_token:token>", 404, id="a preview"
        ),
        pytest.param("/ae/en/%zz", "/ae/en/%zz", 400, id="a malformed path"),
        pytest.param("/api/u/private@wahat.example", "(not kept)", 404, id="of no route"),
    ],
)
def test_a_line_has_no_query_and_no_personal_path(
    logged: Logged, target: str, path: str, status: int
) -> None:
    """Of a path that may hold something personal, it has the route."""
    line = logged.get(target)
    assert "private" not in json.dumps(line)
    assert line["status"] == status
    assert line["path"] == path


def test_requests_that_are_refused_are_logged(logged: Logged) -> None:
    """Whichever layer or handler refuses them."""
    visitor = logged.visitor
    visitor.post("/api/leads", "x" * bodies.MAX_BYTES)
    visitor.ask("DELETE", "/ae/en")
    for _ in range(13):
        visitor.post("/api/leads", {"email": "x"}, peer=CLIENT)
    visitor.get("/api/orders", BEARER | {"Upgrade": "websocket", "Connection": "upgrade"})
    lines = logged.lines()
    assert [line["status"] for line in lines] == [413, 405, *12 * [400], 429, 400]
    assert [line["method"] for line in lines] == ["POST", "DELETE", *13 * ["POST"], "GET"]
    assert not any("cache" in line for line in lines)


def test_a_response_without_a_body_has_no_bytes(logged: Logged) -> None:
    """HEAD and 304."""
    visitor = logged.visitor
    tag = visitor.get("/ae/en").headers["ETag"]
    visitor.ask("HEAD", "/ae/en")
    visitor.get("/ae/en", {"If-None-Match": tag})
    (*_, head, unchanged) = logged.lines()
    assert (head["status"], head["bytes"]) == (200, 0)
    assert (unchanged["status"], unchanged["bytes"]) == (304, 0)


@pytest.mark.parametrize(
    ("addresses", "expected"),
    [("full", "2001:db8:1:2::7"), ("network", "2001:db8:1::/48"), ("none", None)],
)
def test_addresses_are_cut_as_the_setting_says(
    tmp_path: Path, addresses: str, expected: str | None
) -> None:
    """The client's, also behind a proxy."""
    file = tmp_path / "access.log"
    settings = {**SETTINGS, "access_log_addresses": addresses}
    with Visitor(access_log="json", access_log_file=file, **settings) as visitor:
        line = Logged(visitor, file).get("/ae/en", **{"X-Forwarded-For": "2001:db8:1:2::7"})
    assert line.get("address") == expected

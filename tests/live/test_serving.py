"""What `majlis serve` guarantees of connections, requests, monitoring and stops."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from live.fixtures import small_tree
from live.raw import HANDSHAKE, ask, raw_request, read_answer
from live.server import DEADLINE, Server, eventually, free_port, next_client

pytestmark = pytest.mark.slow

API = "/api/public/v1"
ASKED = f"{API}/pages/page"
TOKEN = "token-of-the-erp"

HEAD = "GET /ae/en/page HTTP/1.1\r\n"
CHUNKED = "Transfer-Encoding: chunked"
CHUNKS = "0\r\n\r\n"


class Served(Server):
    """A service with a monitoring port."""

    def __init__(self, content: Path) -> None:
        self.metrics_port = free_port()
        super().__init__(
            content,
            content.parent,
            BASE_URL="https://www.wahat.example",
            METRICS_PORT=str(self.metrics_port),
            DATABASE_URL=f"sqlite:///{content.parent}/service.db",
            ERP_PULL_API_TOKEN=TOKEN,
        )

    def monitored(self, path: str) -> httpx.Response:
        """Ask the monitoring port."""
        return httpx.get(f"http://127.0.0.1:{self.metrics_port}{path}", timeout=DEADLINE)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content folder."""
    return small_tree(tmp_path_factory.mktemp("serving") / "content")


@pytest.fixture(scope="module")
def served(content: Path) -> Iterator[Served]:
    """The service; the last test of this file stops it."""
    with Served(content) as server:
        yield server


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    """A client that sends from one address."""
    with httpx.Client(base_url=served.url, timeout=DEADLINE) as client:
        yield client


def test_no_response_names_the_server(served: Served) -> None:
    """Each has an id of its own and a date."""
    first, second, missing = (ask(served.port, f"GET {path}") for path in (ASKED, ASKED, "/no"))
    refused = ask(served.port, f"GET {ASKED}", "Host: second")
    for answer in (first, second, missing, refused):
        assert "server" not in answer.headers
        assert answer.headers["date"]
    assert len({answer.headers["x-request-id"] for answer in (first, second, missing)}) == 3


def test_headers_of_trusted_proxies_are_used(client: httpx.Client) -> None:
    """For the country, and for the client address that rate limits use."""
    hint = client.get(f"{API}/locale-hint", headers={"CF-IPCountry": "SA"})
    assert hint.json() == {"countryCode": "SA", "source": "header"}

    def left(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return int(client.get(f"{API}/pages", headers=headers).headers["ratelimit-remaining"])

    assert [left("198.51.100.1"), left("198.51.100.1"), left("198.51.100.2")] == [119, 118, 119]


def test_a_large_download_is_complete(client: httpx.Client, content: Path) -> None:
    """With length and ETag; earlier aborted downloads have no effect."""
    data = bytes(range(256)) * 8_192
    (content / "files").mkdir(exist_ok=True)
    (content / "files/terms.pdf").write_bytes(data)
    eventually(lambda: client.head("/files/terms.pdf").status_code == 200)
    for _ in range(3):
        with client.stream("GET", "/files/terms.pdf") as left:
            assert left.status_code == 200
    got = client.get("/files/terms.pdf", headers={"Accept-Encoding": "gzip"})
    assert (got.content, got.headers["content-length"]) == (data, str(len(data)))
    known = {"If-None-Match": got.headers["etag"]}
    assert client.get("/files/terms.pdf", headers=known).status_code == 304


def test_every_form_of_the_target_is_counted_and_guarded(client: httpx.Client) -> None:
    """In all forms together twelve leads are taken, and in none is a product given away."""
    port = client.base_url.port or 0
    forwarded = f"X-Forwarded-For: {next_client()}"
    body = b'{"email": "a@example.com"}'
    typed = "Content-Type: application/json"
    answers = [
        ask(port, f"{method} {target}", typed, forwarded, body=body)
        for target in ("http://x/api/leads", "/api%2Fleads", "api/leads", "x:/api/leads", "*")
        for method in ("POST", "post")
        for _ in range(15)
    ]
    taken = [answer for answer in answers if answer.status == 200]
    assert len(taken) == 12
    assert {answer.headers["ratelimit-limit"] for answer in taken} == {"12"}
    assert {answer.status for answer in answers} <= {200, 400, 404, 405, 429}
    for target in ("http://x/api/products", "/api/%70roducts", "/api/products"):
        assert ask(port, f"GET {target}", f"Authorization: Bearer {TOKEN}").status == 200
        assert ask(port, f"GET {target}").status == 401


@pytest.mark.parametrize(
    "where", ["/ae/en/{}", f"{API}/pages/{{}}", f"{API}/blog/posts?search={{}}"]
)
def test_letters_that_are_not_encoded_are_utf_8(served: Served, where: str) -> None:
    """In path and query, as curl sends them; also in a further request of a connection."""
    encoded = ask(served.port, f"GET {where.format(quote('فاتورة'))}")
    target = f"GET {where.format('فاتورة')}".encode().decode("latin-1")
    with served.connect() as connection:
        for _ in range(2):
            connection.sendall(raw_request(target))
            sent = read_answer(connection)
            assert (sent.status, sent.body) == (encoded.status, encoded.body)


@pytest.mark.parametrize("where", [f"{API}/pages/{{}}", f"{API}/blog/posts?search={{}}"])
def test_letters_that_are_not_utf_8_are_refused(served: Served, where: str) -> None:
    """With 400 in the error envelope, as their percent-encoding would be."""
    refused = ask(served.port, f"GET {where.format('é')}")
    assert refused.status == 400
    assert "percent-encoding is malformed" in refused.json["error"]["message"]


def test_a_handshake_is_refused(client: httpx.Client) -> None:
    """With the service's own response."""
    answers = [
        ask(client.base_url.port or 0, "GET /ae/en/page", *HANDSHAKE, closing=False)
        for _ in range(3)
    ]
    assert {answer.status for answer in answers} == {400}
    assert "WebSocket" in answers[0].json["error"]["message"]


@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param(f"GET /ae/en/page HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n{CHUNKS}",
                     id="chunks in HTTP/1.0"),
        pytest.param(f"{HEAD}Host: x\r\nX-Long: one\r\n two\r\n\r\n", id="a continued line"),
        pytest.param(f"{HEAD}Host: x\r\nContent-Length: 5\r\n{CHUNKED}\r\n\r\n{CHUNKS}",
                     id="a length and chunks"),
        pytest.param(f"{HEAD} continued: x\r\nHost: x\r\n\r\n", id="the first header line"),
        pytest.param(f"{HEAD}Host: x\r\nContent-Length : 0\r\n\r\n", id="a space before the colon"),
        pytest.param(f"{HEAD}Host: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n",
                     id="two lengths"),
        pytest.param(f"{HEAD}Host: x\r\nContent-Length: +0\r\n\r\n", id="a signed length"),
        pytest.param(f"{HEAD}Host: x\r\nHost: y\r\n\r\n", id="two hosts"),
        pytest.param(f"{HEAD}\r\n", id="no host"),
        pytest.param("no request\r\n\r\n", id="no request"),
    ],
)  # fmt: skip
def test_a_malformed_request_is_refused(served: Served, request_text: str) -> None:
    """With 400; the bytes after it are not parsed."""
    text = f"{request_text}{HEAD}Host: x\r\n\r\n"
    head, body = served.exchange(text.encode("latin-1"))
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"HTTP/1.1 " not in body


@pytest.mark.parametrize("size", [20_000, 300_000])
def test_a_large_head_is_refused(served: Served, size: int) -> None:
    """With 431, whether it is complete or not; 15,000 bytes are fine."""
    assert ask(served.port, f"GET {ASKED}", f"X-Long: {'a' * 15_000}").status == 200
    with served.connect() as connection:
        connection.sendall(f"{HEAD}Host: x\r\nX-Long: {'a' * size}".encode()[:size])
        assert connection.recv(1_024).startswith(b"HTTP/1.1 431 ")


def test_a_large_body_is_refused(served: Served) -> None:
    """With 413, by its length and by its chunks; the connection closes."""
    client, typed = f"X-Forwarded-For: {next_client()}", "Content-Type: application/json"
    long = ask(served.port, f"POST {API}/leads", client, typed, "Content-Length: 100000000")
    assert long.status == 413
    assert long.headers["connection"] == "close"
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    with served.connect() as connection:
        chunked = "Transfer-Encoding: chunked"
        connection.sendall(raw_request(f"POST {API}/leads", client, typed, chunked) + chunk * 2)
        assert read_answer(connection).status == 413


def test_connections_are_kept_and_pipelined(served: Served) -> None:
    """Also after errors; the responses come in order."""
    paths = (ASKED, f"{API}/pages/no-such", ASKED, "/ae/en/page")
    sent = b"".join(raw_request(f"GET {path}") for path in paths[:-1])
    last = raw_request(f"GET {paths[-1]}", "Connection: close")
    head, body = served.exchange(sent + last)
    whole = head + b"\r\n\r\n" + body
    assert [part[:3] for part in whole.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200", b"200"]


def test_a_half_closed_client_gets_its_response(served: Served) -> None:
    """It has sent its request, and shut its side down."""
    with served.connect() as connection:
        connection.sendall(raw_request(f"GET {ASKED}"))
        connection.shutdown(socket.SHUT_WR)
        assert read_answer(connection).status == 200


def test_it_is_monitored(served: Served) -> None:
    """Readiness, and the metrics of requests."""
    ask(served.port, f"GET {ASKED}")
    assert served.monitored("/ready").status_code == 200
    metrics = served.monitored("/metrics").text
    assert "majlis_requests_total" in metrics
    assert "\nmajlis_connections " in metrics


def test_a_stop_answers_what_was_sent(served: Served) -> None:
    """On connections in use, on new ones, and on those that waited; then the process ends well."""
    with ExitStack() as opened:
        used = [opened.enter_context(served.connect()) for _ in range(20)]
        for connection in used:
            connection.sendall(raw_request(f"GET {ASKED}"))
            assert read_answer(connection).status == 200
        idle = opened.enter_context(served.connect())
        for connection in used:
            connection.sendall(raw_request(f"GET {ASKED}"))
        served.stop()
        assert {read_answer(connection).status for connection in used} == {200}
        assert served.process.wait(DEADLINE) == 0
        assert idle.recv(1) == b""
    assert "Traceback" not in served.log.read_text()

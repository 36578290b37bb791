"""Other ASGI servers: Granian and uvicorn give the same responses as `majlis serve`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from live.fixtures import small_tree
from live.raw import HANDSHAKE, ask
from live.server import Server, client_of, environment, eventually, free_port, next_client

API = "/api/public/v1"
APPLICATION = "app.factory:create_app"
BASE_URL = "https://www.wahat.example"
COMMANDS = [
    pytest.param(
        ("-m", "uvicorn", APPLICATION, "--factory", "--http", "httptools", "--no-proxy-headers"),
        id="uvicorn",
    ),
    pytest.param(
        ("-m", "granian", APPLICATION, "--factory", "--interface", "asgi"),
        id="granian",
    ),
]
TOKEN = "token-of-the-erp"
TARGETS = ("/ae/en/page", "/ae/ar/page.md", f"{API}/pages/page", f"{API}/nothing", "/sitemap.xml")
ACCEPTS = ("text/html", "text/markdown", "application/json")
HOP = {"date", "server", "connection"}
OWN = {"x-request-id", "ratelimit-remaining", "ratelimit-reset", "ratelimit"}
"""Headers that differ for each response."""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content folder of the other servers."""
    return small_tree(tmp_path_factory.mktemp("other") / "content")


@pytest.fixture(params=COMMANDS, scope="module")
def other(request: pytest.FixtureRequest, content: Path) -> Iterator[httpx.Client]:
    """A client of another server with the same content."""
    port = free_port()
    work = content.parent
    with (work / "other.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *request.param, "--port", str(port)],
            cwd=work,
            env=environment(
                CONTENT_DIR=str(content),
                BASE_URL=BASE_URL,
                TRUSTED_PROXIES="127.0.0.1",
                ERP_PULL_API_TOKEN=TOKEN,
            ),
            stdout=log,
            stderr=log,
        )
    with client_of(f"http://127.0.0.1:{port}") as client:

        def answers() -> bool:
            with suppress(httpx.TransportError):
                return client.get(f"{API}/pages").status_code == 200
            return False

        try:
            eventually(answers, within=60)
            yield client
        finally:
            process.terminate()
            process.wait(60)


def whole(response: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return status, headers and body, without the headers that each server adds."""
    headers = [pair for pair in response.headers.multi_items() if pair[0] not in HOP | OWN]
    return response.status_code, sorted(headers), response.content


def test_the_responses_are_the_same(other: httpx.Client, start: Callable[..., Server]) -> None:
    """In every media type, by GET, HEAD and conditional GET, cached and not."""
    server = start(BASE_URL=BASE_URL)
    with server.client() as ours:
        for target in TARGETS:
            for accept in ACCEPTS:
                headers = {"Accept": accept}
                first, second = (other.get(target, headers=headers) for _ in range(2))
                expected = whole(ours.get(target, headers=headers))
                assert whole(first) == whole(second) == expected
                assert other.head(target, headers=headers).status_code == expected[0]
                if "etag" in first.headers:
                    known = {**headers, "If-None-Match": first.headers["etag"]}
                    assert other.get(target, headers=known).status_code == 304


def test_headers_of_trusted_proxies_are_used(other: httpx.Client) -> None:
    """For the country, and for the client address that rate limits use."""
    hint = other.get(f"{API}/locale-hint", headers={"CF-IPCountry": "SA"})
    assert hint.json() == {"countryCode": "SA", "source": "header"}

    def left(client: str) -> int:
        headers = {"X-Forwarded-For": client}
        return int(other.get(f"{API}/pages", headers=headers).headers["ratelimit-remaining"])

    assert [left("198.51.100.1"), left("198.51.100.1"), left("198.51.100.2")] == [119, 118, 119]


def test_a_large_download_is_complete(other: httpx.Client, content: Path) -> None:
    """With length and ETag; earlier aborted downloads have no effect."""
    data = bytes(range(256)) * 8_192
    (content / "files").mkdir(exist_ok=True)
    (content / "files/terms.pdf").write_bytes(data)
    eventually(lambda: other.head("/files/terms.pdf").status_code == 200)
    for _ in range(3):
        with other.stream("GET", "/files/terms.pdf") as left:
            assert left.status_code == 200
    got = other.get("/files/terms.pdf", headers={"Accept-Encoding": "gzip"})
    assert (got.content, got.headers["content-length"]) == (data, str(len(data)))
    known = {"If-None-Match": got.headers["etag"]}
    assert other.get("/files/terms.pdf", headers=known).status_code == 304


def test_every_form_of_the_target_is_counted_and_guarded(other: httpx.Client) -> None:
    """The server itself may normalise or refuse some forms; the rest is as on Hypercorn."""
    port = other.base_url.port or 0
    client = f"X-Forwarded-For: {next_client()}"
    body = b'{"email": "a@example.com"}'
    typed = "Content-Type: application/json"
    answers = [
        ask(port, f"{method} {target}", typed, client, body=body)
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


def test_a_handshake_is_refused(other: httpx.Client) -> None:
    """With the service's own response or with 403, depending on the server."""
    answers = [
        ask(other.base_url.port or 0, "GET /ae/en/page", *HANDSHAKE, closing=False)
        for _ in range(3)
    ]
    assert {answer.status for answer in answers} <= {400, 403}
    assert "WebSocket" in answers[0].json["error"]["message"]

"""Behaviour visible only in raw bytes: bodies after a head, malformed requests, absolute URLs."""

from __future__ import annotations

import json

import pytest
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from live.server import Server

API = "/api/public/v1"


def request(method: str, target: str, *headers: str) -> bytes:
    """Build a raw request that closes its connection."""
    lines = (f"{method} {target} HTTP/1.1", "Host: evil.example", "Connection: close", *headers)
    return "\r\n".join((*lines, "", "")).encode("latin-1")


def headers_of(head: bytes) -> dict[str, str]:
    """Return the headers by lower-case name, without those that differ for each response."""
    lines = head.decode("latin-1").split("\r\n")[1:]
    headers = dict(line.lower().split(": ", 1) for line in lines)
    variable = ("date", "x-request-id", "ratelimit-remaining", "ratelimit-reset", "ratelimit")
    return {name: value for name, value in headers.items() if name not in variable}


@pytest.mark.any_server
@pytest.mark.parametrize(
    "target",
    [f"{API}/pages/page", f"{API}/pages/no-such", f"{API}/pages?lang=fr", "/api/page/page"],
)
def test_head_sends_no_body(server: Server, target: str) -> None:
    """No byte of it, but the headers of GET, including Content-Length."""
    head, nothing = server.exchange(request("HEAD", target))
    whole, body = server.exchange(request("GET", target))
    assert nothing == b""
    assert head.split(b"\r\n")[0] == whole.split(b"\r\n")[0]
    assert headers_of(head) == headers_of(whole)
    assert int(headers_of(head)["content-length"]) == len(body) > 0


@pytest.mark.any_server
def test_a_304_sends_no_body(server: Server) -> None:
    """Nor Content-Type or Content-Encoding."""
    head, _ = server.exchange(request("GET", f"{API}/pages/page"))
    condition = f"If-None-Match: {headers_of(head)['etag']}"
    again, nothing = server.exchange(request("GET", f"{API}/pages/page", condition))
    assert again.startswith(b"HTTP/1.1 304")
    assert nothing == b""
    assert not {"content-type", "content-encoding"} & headers_of(again).keys()


@pytest.mark.any_server
@pytest.mark.parametrize(
    "target",
    [
        f"{API}/pages/%zz",
        f"{API}/pages/%ff",
        f"{API}/pages/%",
        f"{API}/pages/%C3",
        f"{API}/pages/%00",
        f"{API}/blog/posts?search=%zz",
        f"{API}/blog/posts?search=%ff",
        f"{API}/blog/posts?%zz",
        "/api/page/%zz",
    ],
)
def test_malformed_percent_encoding_is_refused(server: Server, target: str) -> None:
    """With 400 in the error envelope, in the path and in the query."""
    head, body = server.exchange(request("GET", target))
    assert head.startswith(b"HTTP/1.1 400")
    assert violations(ERROR_ENVELOPE, json.loads(body)) == []
    assert json.loads(body)["error"]["code"] == "VALIDATION_ERROR"


@pytest.mark.any_server
@pytest.mark.parametrize(
    "target", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/.env"]
)
def test_no_path_leads_out_of_the_content_folder(server: Server, target: str) -> None:
    """Sent as raw bytes, because HTTP clients would normalise it."""
    head, body = server.exchange(request("GET", target))
    assert head.split(b" ")[1] == b"404"
    assert b"root:" not in body


@pytest.mark.any_server
def test_the_host_header_is_in_no_answer(server: Server) -> None:
    """Absolute URLs use the configured address."""
    head, body = server.exchange(request("GET", f"{API}/seo-page?path=/ae/en/page"))
    assert b"evil.example" not in head + body
    assert f"{server.url}/ae/en/page" in body.decode()


def test_there_is_no_server_header(server: Server) -> None:
    """It would help scanners."""
    head, _ = server.exchange(request("GET", f"{API}/pages"))
    assert "server" not in headers_of(head)
    assert b"hypercorn" not in head.lower()


@pytest.mark.any_server
def test_a_connection_is_kept_for_the_next_request(server: Server) -> None:
    """Also after errors."""
    with server.client() as client:
        statuses = [
            client.get(f"{API}/{path}").status_code
            for path in ("pages/page", "pages/no-such", "pages?lang=fr", "pages/page")
        ]
        stream = client.get(f"{API}/pages/page").extensions["network_stream"]
        again = client.get(f"{API}/pages/page").extensions["network_stream"]
        assert stream.get_extra_info("client_addr") == again.get_extra_info("client_addr")
    assert statuses == [200, 404, 400, 200]

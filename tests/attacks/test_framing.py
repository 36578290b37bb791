"""Framing: requests that two servers may parse differently are refused."""

from __future__ import annotations

import pytest
from live.server import Server

LINE = "GET /ae/en/page HTTP/1.1\r\n"
CHUNKS = "0\r\n\r\n"


def status(server: Server, request: str) -> int:
    """Send a request; return the status of the only response before the connection closes."""
    head, body = server.exchange(request.encode("latin-1"))
    assert b"HTTP/1.1 " not in body
    return int(head.split(b" ")[1])


@pytest.mark.any_server
@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param(
            f"{LINE}Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{CHUNKS}",
            id="length and chunks",
        ),
        pytest.param(
            f"{LINE}Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n{CHUNKS}",
            id="chunks and length",
        ),
        pytest.param(
            f"GET /ae/en/page HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n{CHUNKS}",
            id="chunks in HTTP/1.0",
        ),
        pytest.param(f"{LINE} continued: x\r\nHost: x\r\n\r\n", id="the first header line"),
        pytest.param(f"{LINE}Host: x\r\nContent-Length : 0\r\n\r\n", id="a space before the colon"),
        pytest.param(
            f"{LINE}Host: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n", id="two lengths"
        ),
        pytest.param(f"{LINE}Host: x\r\nContent-Length: +0\r\n\r\n", id="a signed length"),
        pytest.param(f"{LINE}Host: x\r\nHost: y\r\n\r\n", id="two hosts"),
    ],
)
def test_an_ambiguous_request_is_refused(server: Server, request_text: str) -> None:
    """With 400; the bytes after it are not parsed."""
    assert status(server, f"{request_text}{LINE}Host: x\r\n\r\n") == 400


@pytest.mark.any_server
@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param(
            f"{LINE}Host: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", id="plain"
        ),
        pytest.param(
            f"{LINE}Host: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{CHUNKS}",
            id="chunks",
        ),
        pytest.param(
            f"{LINE}Host: x\r\nContent-Length: 0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            id="the same length twice",
        ),
        pytest.param(
            f"{LINE}Host: x\r\nConnection: close\r\n\r\n".replace("\r", ""), id="bare line feeds"
        ),
    ],
)
def test_an_unambiguous_request_is_answered(server: Server, request_text: str) -> None:
    """RFC 9112 allows a server to accept these."""
    assert status(server, request_text) == 200


@pytest.mark.parametrize(
    "request_text",
    [
        pytest.param(f"{LINE}Host: x\r\nX-Long: one\r\n two\r\n\r\n", id="continued by a space"),
        pytest.param(f"{LINE}Host: x\r\nX-Long: one\r\n\ttwo\r\n\r\n", id="continued by a tab"),
        pytest.param(f"{LINE}Host: x\r\nX-Long: one\n two\r\n\r\n", id="after a bare line feed"),
    ],
)
def test_a_continued_line_is_refused(server: Server, request_text: str) -> None:
    """By the fast front: Hypercorn joins the lines, which RFC 9112 allows as well."""
    assert status(server, f"{request_text}{LINE}Host: x\r\n\r\n") == 400


def test_an_answer_before_a_long_body_announces_the_close(server: Server) -> None:
    """A client would otherwise send its next request on a connection that the server closes."""
    request = "POST /ae/en/page HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n"
    head, _ = server.exchange(request.encode())
    assert b"connection: close" in head.lower().split(b"\r\n")

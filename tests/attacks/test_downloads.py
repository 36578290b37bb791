"""Large downloads: their cost, and the behaviour when the file changes during a download."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from live.processes import bytes_read, paths_held_open, resident_bytes
from live.server import Server, eventually

pytestmark = pytest.mark.slow

MIB = 1024 * 1024
LARGE = 31 * MIB
ENCODED = {"Accept-Encoding": "br, gzip"}


def publish(server: Server, path: str, content: bytes) -> Path:
    """Write a file atomically, and wait until the service serves it."""
    target = server.content / path
    target.parent.mkdir(exist_ok=True)
    target.with_name(".new").write_bytes(content)
    target.with_name(".new").replace(target)
    with server.client() as client:
        eventually(lambda: client.head(f"/{path}").status_code == 200)
    return target


def begin(server: Server, path: str) -> tuple[socket.socket, httpx.Headers, bytes]:
    """Request a file; return the connection, the headers and the first bytes of the body."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    received = b""
    while not received.partition(b"\r\n\r\n")[2]:
        part = connection.recv(4_096)
        assert part, received
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    lines = [line.partition(b": ") for line in head.split(b"\r\n")[1:]]
    return connection, httpx.Headers([(name, value) for name, _, value in lines]), body


def finish(connection: socket.socket, body: bytes) -> bytes:
    """Read to the end of the connection."""
    parts = [body]
    with connection:
        try:
            while part := connection.recv(MIB):
                parts.append(part)
        except ConnectionResetError:
            pass
    return b"".join(parts)


@pytest.mark.any_server
def test_a_compressed_file_type_is_not_compressed_again(server: Server) -> None:
    """A PDF is sent unchanged, with length, ETag, HEAD and 304."""
    content = os.urandom(2 * MIB)
    publish(server, "files/terms.pdf", content)
    with server.client() as client:
        got = client.get("/files/terms.pdf", headers=ENCODED)
        assert "content-encoding" not in got.headers
        assert got.content == content
        assert "vary" not in got.headers
        assert got.headers["content-length"] == str(2 * MIB)
        assert got.headers["etag"].startswith('"')
        head = client.head("/files/terms.pdf", headers=ENCODED)
        conditional = {**ENCODED, "If-None-Match": got.headers["etag"]}
        unchanged = client.get("/files/terms.pdf", headers=conditional)
    compared = ("etag", "content-length", "content-type", "cache-control")
    assert [head.headers[name] for name in compared] == [got.headers[name] for name in compared]
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == got.headers["etag"]


def test_a_download_is_not_loaded_into_memory(start: Callable[..., Server]) -> None:
    """Eight readers of 31 MB stop reading and leave; four others get all, each read once."""
    server = start()
    publish(server, "files/large.pdf", os.urandom(LARGE))
    with server.client() as client:
        client.get("/files/large.pdf", headers=ENCODED)
        read, memory = bytes_read(server.process.pid), resident_bytes(server.process.pid)
        with ExitStack() as readers:
            for _ in range(8):
                readers.enter_context(begin(server, "files/large.pdf")[0])
            assert resident_bytes(server.process.pid) - memory < LARGE
        for _ in range(4):
            assert len(client.get("/files/large.pdf", headers=ENCODED).content) == LARGE
        assert resident_bytes(server.process.pid) - memory < LARGE
    assert bytes_read(server.process.pid) - read < 6 * LARGE


@pytest.mark.any_server
def test_a_download_continues_when_the_file_is_replaced(server: Server) -> None:
    """The new file is sent for later requests."""
    first, second = (bytes([letter]) * (8 * MIB) for letter in b"ab")
    target = publish(server, "files/replaced.pdf", first)
    connection, headers, body = begin(server, "files/replaced.pdf")
    target.with_name(".next").write_bytes(second)
    target.with_name(".next").replace(target)
    assert finish(connection, body) == first
    with server.client() as client:
        eventually(lambda: client.get("/files/replaced.pdf").content == second)
        assert client.head("/files/replaced.pdf").headers["etag"] != headers["etag"]


@pytest.mark.any_server
@pytest.mark.parametrize("size", [0, MIB, 8 * MIB], ids=["emptied", "cut", "written over"])
def test_a_download_never_mixes_two_versions(server: Server, size: int) -> None:
    """If the file is overwritten during the download, the response ends early."""
    target = publish(server, f"files/written-{size}.pdf", b"a" * (8 * MIB))
    connection, headers, body = begin(server, f"files/written-{size}.pdf")
    target.write_bytes(b"b" * size)
    got = finish(connection, body)
    assert set(got) == set(b"a")
    assert len(got) < int(headers["content-length"])


@pytest.mark.any_server
def test_a_file_is_closed_when_its_reader_disconnects(server: Server) -> None:
    """At any position, and after a response without a body."""
    target = publish(server, "files/left.pdf", os.urandom(8 * MIB))
    for _ in range(10):
        begin(server, "files/left.pdf")[0].close()
    with server.client() as client:
        etag = client.head("/files/left.pdf").headers["etag"]
        client.get("/files/left.pdf", headers={"If-None-Match": etag})
    eventually(lambda: str(target) not in paths_held_open(server.process.pid))


@pytest.mark.any_server
def test_the_etag_depends_only_on_the_bytes(server: Server) -> None:
    """Copies of a file have the same ETag, also on other machines."""
    content = os.urandom(MIB)
    publish(server, "files/one.pdf", content)
    publish(server, "files/two.pdf", content)
    with server.client() as client:
        one, two = (client.head(f"/files/{name}.pdf").headers["etag"] for name in ("one", "two"))
    assert one == two == f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'

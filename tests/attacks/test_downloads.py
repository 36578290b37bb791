"""Large downloads: what each costs the service, and what a reader gets of a file that changes."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from live.processes import cpu_seconds, paths_held_open, resident_bytes
from live.server import Server, eventually

MIB = 1024 * 1024
LARGE = 31 * MIB
ENCODED = {"Accept-Encoding": "br, gzip"}


def publish(server: Server, path: str, content: bytes) -> Path:
    """Write a file at once, and wait until the service serves it."""
    target = server.content / path
    target.parent.mkdir(exist_ok=True)
    target.with_name(".new").write_bytes(content)
    target.with_name(".new").replace(target)
    with server.client() as client:
        eventually(lambda: client.head(f"/{path}").status_code == 200)
    return target


def begin(server: Server, path: str) -> tuple[socket.socket, httpx.Headers, bytes]:
    """Ask for a file and read how the answer begins: connection, headers, first bytes."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"GET /{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    came = b""
    while not came.partition(b"\r\n\r\n")[2]:
        part = connection.recv(4_096)
        assert part, came
        came += part
    head, _, body = came.partition(b"\r\n\r\n")
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


def test_what_is_compressed_already_is_sent_as_it_is(server: Server) -> None:
    """A PDF in the bytes of its file, with all that HTTP asks of a file."""
    content = os.urandom(2 * MIB)
    publish(server, "files/terms.pdf", content)
    with server.client() as client:
        got = client.get("/files/terms.pdf", headers=ENCODED)
        assert "content-encoding" not in got.headers
        assert got.content == content
        assert got.headers["content-length"] == str(2 * MIB)
        assert got.headers["etag"].startswith('"')
        head = client.head("/files/terms.pdf", headers=ENCODED)
        known = {**ENCODED, "If-None-Match": got.headers["etag"]}
        unchanged = client.get("/files/terms.pdf", headers=known)
    described = ("etag", "content-length", "content-type", "vary", "cache-control")
    assert [head.headers[name] for name in described] == [got.headers[name] for name in described]
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == got.headers["etag"]


def test_a_download_costs_little_and_never_stands_in_memory(start: Callable[..., Server]) -> None:
    """Of 31 MB for each of eight readers who do not read on; then once for one who does."""
    server = start()
    publish(server, "files/large.pdf", os.urandom(LARGE))
    with server.client() as client:
        client.get("/files/large.pdf", headers=ENCODED)
        cpu, memory = cpu_seconds(server.process.pid), resident_bytes(server.process.pid)
        with ExitStack() as readers:
            for _ in range(8):
                readers.enter_context(begin(server, "files/large.pdf")[0])
            assert resident_bytes(server.process.pid) - memory < LARGE
        for _ in range(4):
            assert len(client.get("/files/large.pdf", headers=ENCODED).content) == LARGE
        assert resident_bytes(server.process.pid) - memory < LARGE
    assert cpu_seconds(server.process.pid) - cpu < 1.0


def test_a_file_that_is_replaced_is_sent_to_its_end(server: Server) -> None:
    """A new file under its name is for those who ask later."""
    first, second = (bytes([letter]) * (8 * MIB) for letter in b"ab")
    target = publish(server, "files/replaced.pdf", first)
    connection, headers, body = begin(server, "files/replaced.pdf")
    target.with_name(".next").write_bytes(second)
    target.with_name(".next").replace(target)
    assert finish(connection, body) == first
    with server.client() as client:
        eventually(lambda: client.get("/files/replaced.pdf").content == second)
        assert client.head("/files/replaced.pdf").headers["etag"] != headers["etag"]


@pytest.mark.parametrize("size", [0, MIB, 8 * MIB], ids=["emptied", "cut", "written over"])
def test_nobody_gets_parts_of_two_versions_for_one(server: Server, size: int) -> None:
    """A file that is written to while it is sent ends the answer before its announced length."""
    target = publish(server, f"files/written-{size}.pdf", b"a" * (8 * MIB))
    connection, headers, body = begin(server, f"files/written-{size}.pdf")
    target.write_bytes(b"b" * size)
    got = finish(connection, body)
    assert set(got) == set(b"a")
    assert len(got) < int(headers["content-length"])


def test_a_file_is_closed_when_its_reader_leaves(server: Server) -> None:
    """However far the reader came, and after an answer without a body."""
    target = publish(server, "files/left.pdf", os.urandom(8 * MIB))
    for _ in range(10):
        begin(server, "files/left.pdf")[0].close()
    with server.client() as client:
        etag = client.head("/files/left.pdf").headers["etag"]
        client.get("/files/left.pdf", headers={"If-None-Match": etag})
    eventually(lambda: str(target) not in paths_held_open(server.process.pid))


def test_a_tag_is_of_the_bytes(server: Server) -> None:
    """The same bytes have one tag, on any machine and after any copying."""
    content = os.urandom(MIB)
    publish(server, "files/one.pdf", content)
    publish(server, "files/two.pdf", content)
    with server.client() as client:
        one, two = (client.head(f"/files/{name}.pdf").headers["etag"] for name in ("one", "two"))
    assert one == two == f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'

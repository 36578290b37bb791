"""HTTP/1 answers as plain Hypercorn does, also to odd requests, whole and in pieces."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, cast

import pytest
import uvloop
from cases import cases
from hypercorn.asyncio.task_group import TaskGroup
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.events import Closed, Event, RawData
from hypercorn.protocol.h11 import (
    H2CProtocolRequiredError,
    H2ProtocolAssumedError,
    H11Protocol,
)
from hypercorn.typing import ConnectionState
from hypercorn.utils import wrap_app

from app.platform.asgi.client_address import TrustedProxies
from app.platform.concurrency.eager_start import in_task
from app.platform.observability.metrics import Metrics
from app.server.fast_front.connection import Connection, Shared
from app.server.fast_front.connections import ConnectionLimits, Connections, UnsentBodies
from app.server.fast_front.plain_reads import HeadParser
from app.server.fast_front.strict import FrontConfig
from app.server.stock import configure

_TURNS = 400
"""Turns of the event loop within which a response is complete."""

_DATE = re.compile(rb"date: [^\r]+\r\n")
_HEAD = rb"(?s)\A(?:(?!\r?\n\r?\n).)*"


@dataclass(frozen=True)
class Difference:
    """A deliberate difference from plain Hypercorn; it concerns requests that match `shape`."""

    what: str
    reason: str
    shape: re.Pattern[bytes]
    example: bytes


def _shape(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_BEFORE_BODY = (
    rb"((GET|HEAD)\b|/(early|fails|stops))[^\n]*\n([^\r\n]+\r?\n)*"
    rb"(content-length|transfer-encoding)"
)

DIFFERENCES = (
    Difference(
        "A folded header line is refused.",
        "Proxies in front read it in different ways.",
        _shape(rb"\n[ \t]"),
        b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    ),
    Difference(
        "Letters in the target that are not percent-encoded count as UTF-8.",
        "People type them into curl, and h11 would refuse them without a word.",
        _shape(rb"(^|\n)[!-~]+ [!-~]*[\x80-\xff]"),
        b"GET /\xd9\x81 HTTP/1.1\r\nHost: x\r\n\r\n",
    ),
    Difference(
        "Transfer-Encoding in HTTP/1.0 is refused.",
        "A proxy that speaks HTTP/1.0 does not see where the body ends.",
        _shape(rb"HTTP/1\.0\r?\n.*\ntransfer-encoding"),
        b"POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
    Difference(
        "The preface of HTTP/2 is refused.",
        "Proxies speak HTTP/2 to visitors.",
        _shape(rb"\bPRI\b"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ),
    Difference(
        "An offer of HTTP/2 is ignored.",
        "Proxies speak HTTP/2 to visitors.",
        _shape(rb"\nupgrade: *h2c"),
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ),
    Difference(
        "The application gets a WebSocket handshake as a request.",
        "It refuses it as any other request, so that its log and metrics include it.",
        _shape(rb"\nupgrade: *websocket"),
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    ),
    Difference(
        "A response before the end of a short request body does not end the connection.",
        "Pipelined requests after it would get no answer.",
        _shape(_BEFORE_BODY + rb"(?!: *[1-9]\d{5})"),
        b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
    ),
    Difference(
        "A response before the end of a long request body has `Connection: close`.",
        "No request can follow on the connection, and the client should know.",
        _shape(_BEFORE_BODY + rb": *[1-9]\d{5}"),
        b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nabc",
    ),
    Difference(
        "What follows the last request of a connection is ignored.",
        "Hypercorn answers 400 for a request that the application carries out.",
        _shape(rb"\nconnection: *close\b|HTTP/1\.0\r?\n(?!.*\ntransfer-encoding)"),
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab\r\n",
    ),
    Difference(
        "Empty lines before a request are ignored.",
        "RFC 9112, section 2.2: some clients send one after a body.",
        _shape(rb"(\A|\n\r?\n|hel(lo)?)\r?\n"),
        b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ),
)
"""All deliberate differences of our HTTP/1 from that of plain Hypercorn."""


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer with what was received, in a way that depends on the path."""
    path, body = scope["path"], b""
    if path.startswith("/task"):
        await in_task()
    if path.startswith("/fails"):
        raise ValueError
    if path.startswith("/early") or scope["method"] in ("GET", "HEAD"):
        more = False
    else:
        more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    read = ("http_version", "method", "path", "raw_path", "query_string", "headers", "scheme")
    text = repr(([scope[name] for name in read], body)).encode("utf-8", "surrogateescape")
    status = {"/204": 204, "/304": 304, "/404": 404}.get(path, 200)
    headers = [(b"x-a", b"b")]
    if not path.startswith(("/chunked", "/204", "/304")):
        headers.append((b"content-length", b"%d" % len(text)))
    if path.startswith("/closes"):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if path.startswith("/parts"):
        await send({"type": "http.response.body", "body": text[:5], "more_body": True})
        text = text[5:]
    if path.startswith("/stops"):
        return
    await send({"type": "http.response.body", "body": b"" if status in (204, 304) else text})


@dataclass(frozen=True)
class Outcome:
    """What a client receives, and whether its connection stays open."""

    received: bytes
    is_open: bool


async def settled(piece: bytes) -> None:
    """Wait until a piece is handled: what follows would else be a race.

    A single byte within a line only has to be received, so that the next one comes by itself.
    """
    for _ in range(8 if len(piece) > 1 or piece == b"\n" else 2):
        await asyncio.sleep(0)


async def plain(pieces: list[bytes]) -> Outcome:
    """Return the outcome on Hypercorn's own protocol."""
    received, is_open = bytearray(), True
    config = Config()
    config.include_server_header = config.include_date_header = False
    config.errorlog = None

    async def send(event: Event) -> None:
        nonlocal is_open
        if isinstance(event, RawData) and is_open:
            received.extend(event.data)
        elif isinstance(event, Closed):
            is_open = False

    async with TaskGroup(asyncio.get_running_loop()) as group:
        protocol = H11Protocol(
            wrap_app(cast(Any, application), 0, "asgi"),
            config,
            cast(Any, WorkerContext(None)),
            cast(Any, group),
            ConnectionState({}),
            False,
            None,
            None,
            send,
        )

        remaining = list(reversed(pieces))

        async def feed() -> None:
            while remaining and is_open:
                piece = remaining.pop()
                await protocol.handle(RawData(piece))
                await settled(piece)

        feeding = asyncio.create_task(feed())
        progress, quiet = (0, 0), 0
        while quiet < 20:  # some requests wait for ever: the rest of what was sent is not handled
            await asyncio.sleep(0)
            now = (len(received), len(remaining))
            progress, quiet = now, quiet + 1 if now == progress else 0
        is_waiting = not feeding.done()
        feeding.cancel()
        failure = None if is_waiting else feeding.exception()
        outcome = Outcome(bytes(received), is_open)
        await protocol.handle(Closed())
    if isinstance(failure, H2CProtocolRequiredError | H2ProtocolAssumedError):
        return Outcome(outcome.received, False)
    if failure is not None:
        raise failure
    return outcome


class NoParser(HeadParser):
    """Leaves all requests to Hypercorn."""

    def parse(self, head: bytes) -> None:
        """Do nothing."""


class Ours:
    """Connections to our server."""

    def __init__(self, *, at_once: bool) -> None:
        config = FrontConfig()
        configure(config, "CRITICAL", 1.0)
        limits = ConnectionLimits(total=5, per_client=5)
        self._shared = Shared(
            cast(Any, application),
            config,
            WorkerContext(None),
            ConnectionState({}),
            Connections(limits, TrustedProxies(()), Metrics()),
            UnsentBodies(),
            HeadParser() if at_once else NoParser(),
        )

    async def outcome(self, pieces: list[bytes], expected: Outcome) -> Outcome:
        """Return the outcome, as soon as it is the expected one."""
        client, accepted = socket.socketpair()
        client.setblocking(False)
        accepted.setblocking(False)
        received, is_open, sent = bytearray(), True, True

        def receive() -> None:
            nonlocal is_open
            try:
                while data := client.recv(65_536):
                    received.extend(data)
                is_open = False
            except BlockingIOError:
                pass
            except ConnectionError:
                is_open = False

        connection = Connection(accepted, self._shared)
        running = asyncio.create_task(connection.run())
        for _ in range(4):
            await asyncio.sleep(0)
        for piece in pieces:
            try:
                sent = sent and bool(client.send(piece))
            except ConnectionError:
                break
            await settled(piece)
        for _ in range(_TURNS):
            await asyncio.sleep(0)
            receive()
            outcome = Outcome(_DATE.sub(b"", bytes(received)), is_open)
            if outcome == expected:
                break
        client.close()
        connection.abort()
        await running
        return outcome


class Generator:
    """Generates requests: most of them valid, some with a fault."""

    _METHODS = ("GET",) * 9 + ("HEAD", "POST", "POST", "OPTIONS", "get", "DELETE", "G(T", "", "PRI")
    _TARGETS = (
        *("/", "/a?b=c&d", "/task", "/chunked", "/204", "/304", "/404", "/parts", "/task/parts"),
        *("/fails", "/stops", "/closes", "/early", "*", "http://y/z?q", "/%C3%A9%zz", "/\xe9", ""),
        *("/a b", "/#f", "//x", "/\x7f", "/\x01", "/" + "l" * 300, "/\t"),
    )
    _VERSIONS = ("HTTP/1.1",) * 16 + (
        "HTTP/1.0",
        "HTTP/2.0",
        "HTTP/1.2",
        "http/1.1",
        "HTTP/1.1 ",
        "",
    )
    _HEADERS = (
        *(
            "Accept: text/html",
            "accept-encoding:gzip, br",
            "A:",
            "B:  \t c \t",
            "X-\xe9: y",
            "D: \xe9",
        ),
        *(
            "E : f",
            ": g",
            "no colon",
            "H: \x01",
            "I: \x7f",
            "J: a\tb",
            "K: \x0b",
            "L: \x00",
            "M: a\rb",
        ),
        *(
            "Connection: keep-alive",
            "Connection: close",
            "Connection: Keep-Alive, x",
            "connection:",
        ),
        *(
            "Connection: upgrade",
            "Upgrade: h2c",
            "Upgrade: websocket",
            "Upgrade: x",
            "TE: trailers",
        ),
        *(
            "Expect: 100-continue",
            "Expect: x",
            "Content-Length: 0",
            "Content-Length: x",
            "Host: two",
        ),
        *("Transfer-Encoding: gzip", "Cookie: a=b", "cookie: c=d", "N!#$%&'*+-.^_`|~: p", 'Q"R: s'),
        *(
            "Keep-Alive: 5",
            "Proxy-Connection: close",
            " folded",
            "Trailer: x",
            "Content-Length: -1",
        ),
    )
    _BODIES = (
        ("Content-Length: 5", "hello"),
        ("Content-Length: 5", "hel"),
        ("Content-Length: 5, 5", "hello"),
        ("Content-Length: 0005", "hello"),
        ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "5;x=y\r\nhello\r\n0\r\nT: u\r\n\r\n"),
        ("Transfer-Encoding: chunked", "5\r\nhelloX\r\n0\r\n\r\n"),
        ("Transfer-Encoding: Chunked", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked", "Z\r\n"),
    )

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def requests(self, count: int) -> Iterator[bytes]:
        """Yield what clients send on as many connections: one request, or a few."""
        for _ in range(count):
            sent = b"".join(self._request() for _ in range(self._random.choice((1, 1, 1, 2, 3))))
            yield self._mutated(sent) if self._random.random() < 0.15 else sent

    def _request(self) -> bytes:
        choice, chance = self._random.choice, self._random.random
        end = "\r\n" if chance() < 0.95 else choice(("\n", "\r", "\n\r", "\r\r\n"))
        is_plain = chance() < 0.4
        method, target = choice(self._METHODS), choice(self._TARGETS)
        version = "HTTP/1.1" if is_plain else choice(self._VERSIONS)
        headers = ["Host: x"] if is_plain or chance() < 0.95 else []
        number = self._random.randrange(3)
        headers += [choice(self._HEADERS[:2] if is_plain else self._HEADERS) for _ in range(number)]
        body = ""
        if method == "POST" or chance() < 0.05:
            header, body = choice(self._BODIES)
            headers.append(header)
        self._random.shuffle(headers)
        space = " " if chance() < 0.98 else "  "
        lines = (f"{method}{space}{target}{space}{version}", *headers, "", "")
        return (end.join(lines) + body).encode("latin-1")

    def _mutated(self, sent: bytes) -> bytes:
        at = self._random.randrange(len(sent))
        inserted = self._random.choice(
            (b"", b"\r", b"\n", b" ", b":", b"\0", b"\xff", b"\r\n", b"x")
        )
        return sent[:at] + inserted + sent[at + self._random.randrange(2) :]


def differences_of(sent: bytes) -> list[Difference]:
    """Return the deliberate differences that concern what is sent."""
    return [difference for difference in DIFFERENCES if difference.shape.search(sent)]


async def check(sent: bytes, pieces: list[bytes], ours: Ours, ordinary: Ours) -> None:
    """Compare with plain Hypercorn, or where that differs, with our own use of h11."""
    expected = await plain(pieces)
    if differences_of(sent):
        expected = await ordinary.outcome(pieces, expected)
    assert await ours.outcome(pieces, expected) == expected, (sent, pieces)


def bytewise(sent: bytes) -> list[bytes]:
    """Return each byte as a piece of its own."""
    return [sent[at : at + 1] for at in range(len(sent))]


async def test_generated_requests_are_answered_as_by_hypercorn() -> None:
    """Status, headers, body, and whether the connection stays open."""
    ours, ordinary = Ours(at_once=True), Ours(at_once=False)
    for number, sent in enumerate(Generator(1).requests(800)):
        await check(sent, [sent], ours, ordinary)
        if number % 20 == 0:
            await check(sent, bytewise(sent), ours, ordinary)


@pytest.mark.slow
def test_5000_requests_in_single_bytes_are_answered_as_by_hypercorn() -> None:
    """And whole: what is parsed at once, and what byte by byte, is the same.

    In the event loop of the service, which takes a third less time than that of Python.
    """

    async def checked() -> None:
        ours, ordinary = Ours(at_once=True), Ours(at_once=False)
        for sent in Generator(19).requests(5_000):
            await check(sent, [sent], ours, ordinary)
            await check(sent, bytewise(sent), ours, ordinary)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(checked())


@cases("difference", DIFFERENCES)
async def test_each_deliberate_difference_exists(difference: Difference) -> None:
    """Else it would hide others."""
    sent = [difference.example]
    assert differences_of(difference.example) == [difference]
    expected = await plain(sent)
    ours = await Ours(at_once=True).outcome(sent, expected)
    assert ours != expected
    assert ours == await Ours(at_once=False).outcome(sent, ours)


async def test_a_request_in_two_pieces_is_answered_as_by_hypercorn() -> None:
    """Wherever it is cut; and two requests, of which the second one has a body."""
    read = b"GET /a?b HTTP/1.1\r\nHost: x\r\nAccept: b\r\n\r\n"
    sent = read + b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab" + read
    ours, ordinary = Ours(at_once=True), Ours(at_once=False)
    for at in range(len(sent)):
        await check(sent, [sent[:at], sent[at:]] if at else [sent], ours, ordinary)

"""Plain reads: parsed by httptools, and started without a task.

A plain read is a GET or HEAD in HTTP/1.1 without a body that changes nothing about the connection.
What is parsed here is what h11 would return; whatever might differ, or be refused, is left to it.
An application that has the response in its cache needs no task. If it has to wait, it continues in
a task where it has stopped, once Hypercorn has the request.
"""

import re
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, NamedTuple, cast
from urllib.parse import unquote

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from hypercorn.typing import (
    ASGIFramework,
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    ConnectionState,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    HTTPScope,
    Scope,
)

from app.platform.asgi.scope import HeaderBlock, blocks_of
from app.platform.concurrency.eager_start import EagerStart, in_task
from app.server.fast_front.connections import CHUNK_BYTES

HeaderLines = list[tuple[bytes, bytes]]

READS = (b"GET ", b"HEAD ")
"""What a head that can be parsed begins with."""

END = b"\r\n\r\n"


class Head(NamedTuple):
    """The head of a plain read."""

    method: str
    target: bytes
    headers: HeaderLines


_REQUEST_LINE = re.compile(rb"(GET|HEAD) ([!-~]+) HTTP/1\.1\r\n")
_OTHERS = frozenset({b"content-length", b"expect", b"transfer-encoding", b"upgrade"})
"""Headers for which there is more to do than to respond."""


class HeadParser:
    """Parses one whole head after the other, of any connection."""

    def __init__(self) -> None:
        self._parser = HttpRequestParser(self)
        self._headers: HeaderLines = []
        self._hosts = 0
        self._is_complete = False
        self._is_plain = True

    def parse(self, head: bytes) -> Head | None:
        """Parse a head up to and including its empty line; None if it is for h11."""
        line = _REQUEST_LINE.match(head)
        if line is None or head.count(b"\n") != head.count(b"\r\n"):
            return None
        self._headers, self._hosts = [], 0
        self._is_complete, self._is_plain = False, True
        try:
            self._parser.feed_data(head)
        except (HttpParserError, HttpParserUpgrade):
            self._is_plain = False
        if self._is_plain and self._is_complete and self._hosts == 1:
            method, target = line.groups()
            return Head(method.decode(), target, self._headers)
        self._parser = HttpRequestParser(self)  # its state is that of a message in progress
        return None

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; called by httptools."""
        name, value = name.lower(), value.strip(b" \t")
        self._headers.append((name, value))
        if name == b"host":
            self._hosts += 1
        elif name in _OTHERS or (name == b"connection" and value.lower() != b"keep-alive"):
            self._is_plain = False

    def on_message_complete(self) -> None:
        """Note the end of the head, which is that of the message; called by httptools."""
        self._is_complete = True


_NO_BODY = frozenset({204, 304})


class EagerRequest:
    """A request whose application has started; itself an ASGI application.

    It continues with the `receive` and `send` of its task.
    """

    def __init__(self, app: ASGIFramework, scope: HTTPScope) -> None:
        self._scope = scope
        self._app = app
        self._messages: list[ASGISendEvent] = []
        self._task_receive: ASGIReceiveCallable | None = None
        self._task_send: ASGISendCallable | None = None
        self._step = EagerStart(self._begin)

    @property
    def context(self) -> Context:
        """The context variables that its task needs."""
        return self._step.context

    def close(self) -> None:
        """Abandon the request: its connection has ended."""
        self._step.close()

    async def __call__(
        self, _: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Send what the eager start has sent, and continue."""
        self._task_receive, self._task_send = receive, send
        for message in self._messages:
            await send(message)
        await self._step.rest()

    def response(self, added: HeaderBlock) -> bytes | None:
        """Return the response with the added headers, as bytes, if it is complete and plain.

        Large bodies are not plain: they are sent in chunks, and count until they are sent.
        """
        if not self._step.is_complete or len(self._messages) != 2:
            return None
        start = cast(HTTPResponseStartEvent, self._messages[0])
        body = cast(HTTPResponseBodyEvent, self._messages[1])
        if start["type"] != "http.response.start" or body["type"] != "http.response.body":
            return None
        return _response_bytes(self._scope["method"], start, body.get("body", b""), added)

    def _begin(self) -> Coroutine[Any, Any, None]:
        return cast(Coroutine[Any, Any, None], self._app(self._scope, self._receive, self._send))

    async def _receive(self) -> ASGIReceiveEvent:
        if self._task_receive is None:
            await in_task()
        return await cast(ASGIReceiveCallable, self._task_receive)()

    async def _send(self, message: ASGISendEvent) -> None:
        if self._task_send is not None:
            await self._task_send(message)
            return
        self._messages.append(message)
        if message.get("more_body", False):  # the client may read slower than this is made
            await in_task()


def scope_of(head: Head, base: HTTPScope) -> HTTPScope:
    """Return the scope of a request, as Hypercorn makes it; `base` has what all share."""
    path, _, query = head.target.partition(b"?")
    scope = base.copy()
    scope["method"] = head.method
    scope["path"] = unquote(path.decode("ascii"))
    scope["raw_path"], scope["query_string"] = path, query
    scope["headers"] = head.headers
    scope["asgi"], scope["extensions"] = {"spec_version": "2.1", "version": "3.0"}, {}
    scope["state"] = ConnectionState(base["state"].copy())
    return scope


def _response_bytes(
    method: str, start: HTTPResponseStartEvent, body: bytes, added: HeaderBlock
) -> bytes | None:
    r"""Return a response as h11 would send it, or None if h11 has to.

    >>> start = {"status": 200, "headers": [(b"content-length", b"2")]}
    >>> added = HeaderBlock([(b"date", b"now")])
    >>> _response_bytes("GET", start, b"hi", added)
    b'HTTP/1.1 200 \r\ncontent-length: 2\r\ndate: now\r\n\r\nhi'
    >>> _response_bytes("GET", start, b"longer", added)
    """
    status = start["status"]
    if status < 200 or len(body) > CHUNK_BYTES:
        return None
    parts, length = [b"HTTP/1.1 %d \r\n" % status], None
    for block in (*blocks_of(start["headers"]), added):
        encoded = block.encoded()
        if encoded is None:
            return None
        parts.append(encoded.lines)
        length = encoded.content_length or length
    parts.append(b"\r\n")
    if status in _NO_BODY:
        return b"".join(parts)
    if length != b"%d" % len(body) and (method != "HEAD" or length is None):
        return None
    if method != "HEAD":
        parts.append(body)
    return b"".join(parts)

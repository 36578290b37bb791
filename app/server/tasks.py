"""Requests in the application: eager starts without a task, and tasks with their queues.

The response to an eager request is sent at once. If the application has to wait, it continues in a
task where it has stopped.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from typing import Any, cast
from urllib.parse import unquote

from hypercorn.config import Config
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
from app.server.output import CHUNK_BYTES
from app.server.parsing import Head

log = logging.getLogger(__name__)

Send = Callable[[ASGISendEvent | None], Awaitable[None]]
Put = Callable[[ASGIReceiveEvent], Awaitable[None]]


class RequestTasks:
    """The tasks of a connection; implements Hypercorn's TaskGroup."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def spawn_app(self, app: ASGIFramework, config: Config, scope: Scope, send: Send) -> Put:
        """Start the application for a request; return the function that sends it messages."""
        inbox = _Inbox(config.max_app_queue_size)
        context = app.context if isinstance(app, EagerRequest) else None
        task = self._start(_run_app(app, scope, inbox, send), context)
        task.add_done_callback(inbox.close)
        return inbox.put

    def spawn(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Start a task for any other function."""
        self._start(function(*arguments))

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    async def ended(self, seconds: float | None = None) -> None:
        """Wait until all tasks are done, with those that they start, or for some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    await asyncio.wait(self._tasks)

    def _start(self, coroutine: Any, context: Context | None = None) -> asyncio.Task[None]:
        loop = asyncio.get_running_loop()
        task: asyncio.Task[None] = loop.create_task(coroutine, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class _Inbox:
    """The queue of messages for one request; `put` never blocks once it is closed."""

    def __init__(self, max_size: int) -> None:
        self._queue: asyncio.Queue[ASGIReceiveEvent] = asyncio.Queue()
        self._max_size = max_size
        self._has_room = asyncio.Event()
        self._is_closed = False

    async def put(self, message: ASGIReceiveEvent) -> None:
        """Add a message; waits while the queue is full if it is a part of a body."""
        while (
            message["type"] == "http.request"
            and not self._is_closed
            and self._queue.qsize() >= self._max_size
        ):
            self._has_room.clear()
            await self._has_room.wait()
        if not self._is_closed:
            self._queue.put_nowait(message)

    async def get(self) -> ASGIReceiveEvent:
        """Wait for the next message and return it."""
        message = await self._queue.get()
        self._has_room.set()
        return message

    def close(self, _: object = None) -> None:
        """Discard later messages, and release callers that wait in `put`."""
        self._is_closed = True
        self._has_room.set()


async def _run_app(app: ASGIFramework, scope: Scope, inbox: _Inbox, send: Send) -> None:
    """Run the application, then send None to signal its end to Hypercorn's stream."""
    try:
        await app(scope, inbox.get, send)
    except Exception:
        log.exception("Unhandled error in the application")
    finally:
        await send(None)


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

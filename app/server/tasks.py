"""The tasks that run the application for requests, and their message queues."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import Any

from hypercorn.config import Config
from hypercorn.typing import ASGIFramework, ASGIReceiveEvent, ASGISendEvent, Scope

from app.server.eager_request import EagerRequest

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

    async def ended(self) -> None:
        """Wait until all tasks are done."""
        if self._tasks:
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
        while self._is_full() and message["type"] == "http.request":
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

    def _is_full(self) -> bool:
        return not self._is_closed and self._queue.qsize() >= self._max_size


async def _run_app(app: ASGIFramework, scope: Scope, inbox: _Inbox, send: Send) -> None:
    """Run the application, then send None to signal its end to Hypercorn's stream."""
    try:
        await app(scope, inbox.get, send)
    except Exception:
        log.exception("Unhandled error in the application")
    finally:
        await send(None)

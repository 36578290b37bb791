"""The application's work on requests: one task each, and the messages that it is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

from hypercorn.config import Config
from hypercorn.typing import ASGIFramework, ASGIReceiveEvent, ASGISendEvent, Scope

log = logging.getLogger(__name__)

Send = Callable[[ASGISendEvent | None], Awaitable[None]]
Put = Callable[[ASGIReceiveEvent], Awaitable[None]]
Taken = Callable[[int], Awaitable[None]]


class Inbox:
    """The messages for one request; nobody waits to put one in when nobody reads any more.

    `taken` hears the size of each part of a body that the application has read.
    """

    def __init__(self, most: float, taken: Taken | None = None) -> None:
        self._queue: asyncio.Queue[ASGIReceiveEvent] = asyncio.Queue()
        self._most = most
        self._room = asyncio.Event()
        self._taken = taken
        self._is_closed = False

    async def put(self, message: ASGIReceiveEvent) -> None:
        """Add a message; a part of a body waits until there is room for it."""
        while self._is_full() and message["type"] == "http.request":
            self._room.clear()
            await self._room.wait()
        if not self._is_closed:
            self._queue.put_nowait(message)

    async def get(self) -> ASGIReceiveEvent:
        """The next message."""
        message = await self._queue.get()
        self._room.set()
        if self._taken is not None and message["type"] == "http.request":
            await self._taken(len(message["body"]))
        return message

    def close(self, _: object = None) -> None:
        """Take no more, and let go on who waits to put something in."""
        self._is_closed = True
        self._room.set()

    def _is_full(self) -> bool:
        return not self._is_closed and self._queue.qsize() >= self._most


class Work:
    """The tasks of a connection, or of one HTTP/2 stream; Hypercorn's streams start them here.

    Those of a stream are tasks of its connection, the `whole`, as well.
    """

    def __init__(self, taken: Taken | None = None, whole: Work | None = None) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken = taken
        self._whole = whole

    async def spawn_app(self, app: ASGIFramework, config: Config, scope: Scope, send: Send) -> Put:
        """Let the application answer a request; gives the way to send it messages."""
        inbox = Inbox(inf if self._taken else config.max_app_queue_size, self._taken)
        task = self._start(_answer(app, scope, inbox, send))
        task.add_done_callback(inbox.close)
        return inbox.put

    def spawn(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Run something else beside it."""
        self._start(function(*arguments))

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    async def ended(self) -> None:
        """Wait until all tasks are done."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._keep(task)
        return task

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._whole is not None:
            self._whole._keep(task)  # noqa: SLF001  # another of this class


async def _answer(app: ASGIFramework, scope: Scope, inbox: Inbox, send: Send) -> None:
    """Run the application; None tells Hypercorn's stream that it has ended."""
    try:
        await app(scope, inbox.get, send)
    except Exception:
        log.exception("The application failed")
    finally:
        await send(None)

"""An HTTP/2 stream: its request, the application's task, and the send window."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.events import StreamClosed
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.typing import (
    AppWrapper,
    ASGIReceiveCallable,
    ASGISendCallable,
    Scope,
    TaskGroup,
)

from app.server.transport import Transport
from app.server.work import Work

OnRead = Callable[["Http2Stream", int], Awaitable[None]]


class Http2Stream:
    """Hypercorn's stream, which calls the application as soon as a slot is free.

    `on_read` is called with the number of body bytes that the application has read.
    """

    def __init__(
        self,
        stream_id: int,
        transport: Transport,
        slots: asyncio.Semaphore,
        on_read: OnRead,
        send: Callable[[StreamEvent], Awaitable[None]],
    ) -> None:
        self.id = stream_id
        self.unread = 0
        """Number of body bytes that the application has not read."""
        self.is_request_complete = False
        self.is_answered = False
        self.window_changed = asyncio.Event()
        self._app = transport.shared.app
        self._slots = slots
        self._on_read = on_read
        self._has_begun = False
        self._sent_at = 0.0
        self._work = Work(self._note_read, transport.work)
        self._stream = HTTPStream(
            cast(AppWrapper, self._serve),
            transport.shared.config,
            transport.shared.context,
            cast(TaskGroup, self._work),
            False,
            transport.client,
            transport.server,
            send,
            stream_id,
        )

    async def handle(self, event: StreamEvent) -> None:
        """Handle an event that was received on the stream."""
        await self._stream.handle(event)

    async def end(self) -> None:
        """Send the application a disconnect message, or cancel it if it has not started."""
        await self._stream.handle(StreamClosed(stream_id=self.id))
        self.window_changed.set()
        if not self._has_begun:
            self._work.cancel()

    def note_sent(self) -> None:
        """Record that data could be sent."""
        self._sent_at = asyncio.get_running_loop().time()

    async def wait_for_window(self, seconds: float) -> bool:
        """Wait for a window update; return False if nothing could be sent for `seconds`."""
        if not self._sent_at:
            self.note_sent()
        self.window_changed.clear()
        try:
            async with asyncio.timeout_at(self._sent_at + seconds):
                await self.window_changed.wait()
        except TimeoutError:
            return False
        return True

    async def _serve(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        async with self._slots:
            self._has_begun = True
            await self._app(scope, receive, send)

    async def _note_read(self, size: int) -> None:
        if size:
            await self._on_read(self, size)

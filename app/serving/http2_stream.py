"""One HTTP/2 stream: the request on it, the application's work, and what it may send."""

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

from app.serving.transport import Transport
from app.serving.work import Work

Read = Callable[["Http2Stream", int], Awaitable[None]]


class Http2Stream:
    """Hypercorn's stream, whose application begins as soon as a slot is free.

    `read` hears how much of the request's body the application has read.
    """

    def __init__(
        self,
        stream_id: int,
        transport: Transport,
        slots: asyncio.Semaphore,
        read: Read,
        send: Callable[[StreamEvent], Awaitable[None]],
    ) -> None:
        self.id = stream_id
        self.unread = 0
        """Bytes of the request's body that the application has not read."""
        self.is_request_whole = False
        self.is_answered = False
        self.window_changed = asyncio.Event()
        self._app = transport.shared.app
        self._slots = slots
        self._read = read
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
        """Take what came in on the stream."""
        await self._stream.handle(event)

    async def end(self) -> None:
        """Tell the application that its client has left; what has not begun never does."""
        await self._stream.handle(StreamClosed(stream_id=self.id))
        self.window_changed.set()
        if not self._has_begun:
            self._work.cancel()

    def note_sent(self) -> None:
        """Something could be sent."""
        self._sent_at = asyncio.get_running_loop().time()

    async def hears_of_window(self, seconds: float) -> bool:
        """Wait for more room; False when nothing could be sent for so many seconds."""
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
            await self._read(self, size)

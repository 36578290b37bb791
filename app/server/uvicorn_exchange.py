"""A request and its response on uvicorn, with what uvicorn leaves to the client."""

from __future__ import annotations

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent, HTTPDisconnectEvent
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

_FRAMING = {b"content-length", b"transfer-encoding"}
_DISCONNECT: HTTPDisconnectEvent = {"type": "http.disconnect"}


class Exchange:
    """Wraps both directions of uvicorn's cycle, whose response can outlive a half-closed client."""

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._is_whole = False
        self._has_left = False
        self._receive, self._send = cycle.receive, cycle.send
        cycle.receive = self.receive  # type: ignore[method-assign]  # there is no other hook
        if not _FRAMING.isdisjoint(name for name, _ in cycle.scope["headers"]):
            cycle.send = self.send  # type: ignore[method-assign]

    def leave(self) -> None:
        """Tell the application that the client sends no more; the response is still sent."""
        self._has_left = True
        self._cycle.keep_alive = False
        self._cycle.message_event.set()

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next part of the body, and after it the client's departure."""
        if self._is_whole and self._has_left:
            return _DISCONNECT
        message = await self._receive()
        if self._is_whole or message["type"] != "http.request":
            return _DISCONNECT
        self._is_whole = not message["more_body"]
        return message

    async def send(self, message: ASGISendEvent) -> None:
        """Send; a response that begins before the body is read says `Connection: close`.

        A client would otherwise send its next request on a connection that is about to close.
        """
        if message["type"] == "http.response.start" and self._cycle.more_body:
            self._cycle.keep_alive = False
        await self._send(message)

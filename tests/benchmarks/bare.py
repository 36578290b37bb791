"""A minimal ASGI application: it sends one recorded response to every request."""

from __future__ import annotations

from benchmarks.answer import recorded
from hypercorn.typing import (
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    LifespanShutdownCompleteEvent,
    LifespanStartupCompleteEvent,
    Scope,
)

ANSWER = recorded()


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Send the response."""
    if scope["type"] == "lifespan":
        await receive()
        await send(LifespanStartupCompleteEvent(type="lifespan.startup.complete"))
        await receive()
        await send(LifespanShutdownCompleteEvent(type="lifespan.shutdown.complete"))
        return
    await send(
        HTTPResponseStartEvent(type="http.response.start", status=200, headers=ANSWER.headers)
    )
    await send(HTTPResponseBodyEvent(type="http.response.body", body=ANSWER.body, more_body=False))

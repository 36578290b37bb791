"""The server's own ceiling: an ASGI application that sends one body, on the same Hypercorn."""

from __future__ import annotations

import os

import uvloop
from hypercorn.asyncio import serve
from hypercorn.config import Config
from hypercorn.typing import (
    ASGIReceiveCallable,
    ASGISendCallable,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    LifespanShutdownCompleteEvent,
    LifespanStartupCompleteEvent,
    Scope,
)

BODY = os.environ.get("BARE_BODY", "").encode()
HEADERS = [
    (b"content-type", os.environ.get("BARE_TYPE", "").encode()),
    (b"content-length", str(len(BODY)).encode()),
]


async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Send the body, whatever is asked."""
    if scope["type"] == "lifespan":
        await receive()
        await send(LifespanStartupCompleteEvent(type="lifespan.startup.complete"))
        await receive()
        await send(LifespanShutdownCompleteEvent(type="lifespan.shutdown.complete"))
        return
    await send(HTTPResponseStartEvent(type="http.response.start", status=200, headers=HEADERS))
    await send(HTTPResponseBodyEvent(type="http.response.body", body=BODY, more_body=False))


if __name__ == "__main__":
    config = Config()
    config.bind = [f"127.0.0.1:{os.environ['PORT']}"]
    config.loglevel = "WARNING"
    uvloop.run(serve(application, config))

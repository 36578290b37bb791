"""The application's lifespan: started before the first request, shut down after the last one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from hypercorn.asyncio.lifespan import Lifespan
from hypercorn.typing import ASGIFramework, LifespanState
from hypercorn.utils import wrap_app

from app.server.config import ServerConfig


@asynccontextmanager
async def started(app: ASGIFramework, config: ServerConfig) -> AsyncIterator[LifespanState]:
    """Start the application, and shut it down after the block; re-raises startup errors."""
    state = LifespanState({})
    wrapped = wrap_app(app, config.wsgi_max_body_size, "asgi")
    lifespan = Lifespan(wrapped, config, asyncio.get_running_loop(), state)
    task = asyncio.create_task(lifespan.handle_lifespan())
    await lifespan.wait_for_startup()
    if task.done():
        task.result()
    try:
        yield state
    finally:
        await lifespan.wait_for_shutdown()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

"""The serving process: an application at a door, and what it tells of itself."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable

from quart import Quart

from app.factory import create_app
from app.services import services_of
from app.serving.server import serve
from app.serving.status import Status
from app.settings import Settings


class Process:
    """One application that is served by this process, until `stop` is set."""

    def __init__(self, settings: Settings, door: socket.socket, stop: asyncio.Event) -> None:
        self._settings = settings
        self._door = door
        self._stop = stop
        self._app: Quart = create_app(settings)
        self._open = False

    def status(self) -> Status:
        """Ready from the first request that is taken until the stop, where there is content."""
        at = services_of(self._app)
        ready = self._open and not self._stop.is_set() and at.editions.loaded
        return Status(ready, at.metrics.samples())

    async def run(self, opened: Callable[[], None]) -> None:
        """Serve; `opened` is called when requests are taken."""

        def is_open() -> None:
            # The content is there to stay: the garbage collector need not look at it again and
            # again, which would hold up answers for as long as there are documents.
            gc.collect()
            gc.freeze()
            self._open = True
            opened()

        await serve(self._app, self._door, self._settings.log_level, is_open, self._stop)

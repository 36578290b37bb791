"""The idle timer of a connection: how long it may wait for its first or next request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class IdleTimer:
    """Calls `on_idle` when the connection has waited for too long; begins idle."""

    def __init__(self, seconds: float, on_idle: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_idle = on_idle
        self._seconds = seconds
        self._since: float | None = self._loop.time()
        self._handle: asyncio.TimerHandle | None = None
        self._check()

    @property
    def is_idle(self) -> bool:
        """Whether the connection waits for a request."""
        return self._since is not None

    def stop(self) -> None:
        """Stop the clock: a request has begun."""
        self._since = None

    def start(self, seconds: float) -> None:
        """Start to wait for the next request."""
        self._seconds = seconds
        self._since = self._loop.time()
        if self._handle is not None and self._handle.when() > self._since + seconds:
            self._handle.cancel()
            self._check()

    def cancel(self) -> None:
        """Call `on_idle` no more."""
        if self._handle is not None:
            self._handle.cancel()

    def _check(self) -> None:
        """Look again when the time may be over: one timer serves all requests."""
        now = self._loop.time()
        due = (now if self._since is None else self._since) + self._seconds
        if now >= due:
            self._on_idle()
        else:
            self._handle = self._loop.call_at(due, self._check)

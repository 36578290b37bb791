"""Unsent bodies: the memory of responses that clients have not read yet.

A body counts once, however many clients it is sent to. If all bodies together exceed the limit,
the client that has read nothing for the longest time is disconnected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

MAX_BYTES = 128 * 1024 * 1024
"""Maximum size of all unsent bodies together; a single one may be larger."""


class Sending:
    """A body that is being sent to one client; `give_up` aborts it."""

    def __init__(self, body: bytes, give_up: Callable[[], None]) -> None:
        self.body = body
        self.give_up = give_up
        self.progressed_at = monotonic()

    def note_progress(self) -> None:
        """Record that the client has read a part of the body."""
        self.progressed_at = monotonic()


class UnsentBodies:
    """The bodies that this process is sending."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._sendings: dict[Sending, None] = {}
        self._holders: Counter[int] = Counter()
        self.size = 0

    @contextmanager
    def sending(self, body: bytes, give_up: Callable[[], None]) -> Iterator[Sending]:
        """Count a body during the block."""
        sending = Sending(body, give_up)
        self._make_room(0 if id(body) in self._holders else len(body))
        self._hold(sending)
        try:
            yield sending
        finally:
            self._release(sending)

    def _hold(self, sending: Sending) -> None:
        self._sendings[sending] = None
        self._holders[id(sending.body)] += 1
        if self._holders[id(sending.body)] == 1:
            self.size += len(sending.body)

    def _release(self, sending: Sending) -> None:
        if sending not in self._sendings:
            return  # it was given up
        del self._sendings[sending]
        self._holders[id(sending.body)] -= 1
        if not self._holders[id(sending.body)]:
            del self._holders[id(sending.body)]
            self.size -= len(sending.body)

    def _make_room(self, size: int) -> None:
        while self._sendings and self.size + size > self._max_bytes:
            slowest = min(self._sendings, key=lambda sending: sending.progressed_at)
            self._release(slowest)
            slowest.give_up()

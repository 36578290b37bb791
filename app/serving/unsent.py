"""Unsent bodies: how much memory the answers take that clients have not read yet.

A body counts once, however many clients it is being sent to. Where all of them together take
too much, the client that has taken nothing for the longest is given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

MOST_BYTES = 128 * 1024 * 1024
"""What all unsent bodies may take together; one alone may be larger."""


class Sending:
    """One body on its way to one client; `give_up` ends the sending."""

    def __init__(self, body: bytes, give_up: Callable[[], None]) -> None:
        self.body = body
        self.give_up = give_up
        self.moved_at = monotonic()

    def moved(self) -> None:
        """The client has taken some of it."""
        self.moved_at = monotonic()


class UnsentBodies:
    """The bodies that are being sent by this process."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._sendings: dict[Sending, None] = {}
        self._holders: Counter[int] = Counter()
        self.size = 0

    @contextmanager
    def sending(self, body: bytes, give_up: Callable[[], None]) -> Iterator[Sending]:
        """Count a body for as long as it is being sent."""
        one = Sending(body, give_up)
        self._make_room(0 if id(body) in self._holders else len(body))
        self._hold(one)
        try:
            yield one
        finally:
            self._release(one)

    def _hold(self, one: Sending) -> None:
        self._sendings[one] = None
        self._holders[id(one.body)] += 1
        if self._holders[id(one.body)] == 1:
            self.size += len(one.body)

    def _release(self, one: Sending) -> None:
        if one not in self._sendings:
            return  # it was given up
        del self._sendings[one]
        self._holders[id(one.body)] -= 1
        if not self._holders[id(one.body)]:
            del self._holders[id(one.body)]
            self.size -= len(one.body)

    def _make_room(self, size: int) -> None:
        while self._sendings and self.size + size > self._most_bytes:
            slowest = min(self._sendings, key=lambda each: each.moved_at)
            self._release(slowest)
            slowest.give_up()

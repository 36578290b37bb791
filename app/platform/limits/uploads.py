"""Uploads under way: how many bytes of large bodies a process has at once, of all and a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.platform.asgi.client_address import network_of
from knowledge.resources.errors import MajlisError

UPLOAD_BYTES, NETWORK_BYTES = 128 * 1024 * 1024, 32 * 1024 * 1024
"""Of all, for which `/tmp` of a container has room, and of a network; a form takes 25 MB."""


class TooManyUploads(MajlisError):
    """So many bytes are under way that no more are taken."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "Too many files are being sent at once.",
            "Try again after the number of seconds in Retry-After.",
        )


class UploadsUnderWay:
    """Counts the bytes of requests until these end."""

    def __init__(self, most: int = UPLOAD_BYTES, most_of_network: int = NETWORK_BYTES) -> None:
        self._most, self._most_of_network = most, most_of_network
        self._networks: Counter[str] = Counter()

    @contextmanager
    def counting(self, client: str) -> Iterator[Callable[[int], None]]:
        """Count the bytes that are passed on; to pass on too many raises TooManyUploads."""
        network, own = network_of(client) or client, 0

        def count(size: int) -> None:
            nonlocal own
            of_network, total = self._networks[network], self._networks.total()
            if of_network + size > self._most_of_network or total + size > self._most:
                raise TooManyUploads
            self._networks[network], own = of_network + size, own + size

        try:
            yield count
        finally:
            self._networks[network] -= own
            self._networks += Counter()  # without networks that have none

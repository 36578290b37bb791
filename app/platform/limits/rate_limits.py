"""Limits: how many requests in which time, the store that instances share, and bytes of uploads."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from app.platform.asgi.client_address import network_of
from knowledge.diagnostics.messages import Text
from knowledge.resources.errors import MajlisError


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """A limit of requests in a fixed window of `seconds`, which begins with the first request.

    Buckets are compared by identity. `requests` describes what is counted, for the manual of the
    API. With `uncached_only`, reads count only if they are not in the response cache. A bucket
    that `is_additional` counts requests beside another one. Requests wait `patience_seconds` for
    a shared count, if that is more than the budget of all others.
    """

    name: str
    limit: int
    seconds: int
    requests: str = ""
    uncached_only: bool = False
    is_additional: bool = False
    patience_seconds: float = 0.0

    @property
    def policy(self) -> str:
        """The value of the RateLimit-Policy header."""
        return f'"{self.name}";q={self.limit};w={self.seconds}'


class Count(NamedTuple):
    """The requests of a client in its current window, this one included."""

    bucket: Bucket
    used: int
    seconds_left: float

    @property
    def is_over(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.used > self.bucket.limit

    @property
    def remaining(self) -> int:
        """The number of requests that are left in the window."""
        return max(0, self.bucket.limit - self.used)

    @property
    def reset(self) -> int:
        """Seconds until the window ends, rounded up; never more than the window has."""
        return min(self.bucket.seconds, max(1, math.ceil(self.seconds_left)))

    @property
    def state(self) -> str:
        """The value of the RateLimit header."""
        return f'"{self.bucket.name}";r={self.remaining};t={self.reset}'


class RateLimited(MajlisError):
    """The client has exceeded a rate limit."""

    status = 429

    def __init__(self, count: Count) -> None:
        self.count = count
        super().__init__(
            f"More than {count.bucket.limit} requests in {count.bucket.seconds} seconds.",
            Text("Wait {} seconds, as given in Retry-After, and try again.", count.reset),
        )


READS = Bucket("reads", 120, 60, "GET and HEAD under `/api/`, including aliases")
HEALTH = Bucket("health", 120, 60, "Health, counted separately")
"""Separate, so that other reads do not use up the limit for health probes."""
UNCACHED = Bucket(
    "uncached",
    600,
    60,
    "Pages, maps and files, if the response is not in the cache, and OPTIONS at any path",
    uncached_only=True,
)
SEARCHES = Bucket(
    "searches",
    120,
    60,
    "Searches, of the API and the pages together, in addition to the limits above",
    is_additional=True,
)
SHARED_BUCKETS = (READS, HEALTH, UNCACHED, SEARCHES)
"""The buckets of routes that belong to no feature, in the order of the manual of the API."""


class NotCounted(Exception):
    """The store did not count a request; the message is the name of the reason."""


class SharedCount(NamedTuple):
    """A count of all processes, and how many of them are alive."""

    total: Count
    processes: int


class SharedStore(Protocol):
    """Fixed windows by client, shared by all instances."""

    async def hit(self, bucket: Bucket, client: str, by: int, seconds: float) -> SharedCount:
        """Count requests, or with `by=0` only return the count; raises NotCounted.

        A window that begins with them ends after so many seconds.
        """

    async def register(self) -> None:
        """Tell that this process is alive; raises NotCounted."""

    async def close(self, *, is_available: bool) -> None:
        """Tell that this process ends, if Redis is available, and close the connections."""


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

"""Buckets: which requests are counted together, and how many of them a client may send."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """A limit of requests in a fixed window of `seconds`, which begins with the first request.

    Buckets are compared by identity.
    """

    name: str
    limit: int
    seconds: int

    @property
    def policy(self) -> str:
        """The value of the RateLimit-Policy header."""
        return f"{self.limit};w={self.seconds}"


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
        """Seconds until the window ends, rounded up."""
        return max(1, math.ceil(self.seconds_left))


READS = Bucket("reads", limit=120, seconds=60)
HEALTH = Bucket("health", limit=120, seconds=60)
"""Separate, so that other reads do not use up the limit for health probes."""
LEADS = Bucket("leads", limit=12, seconds=600)

PARTNERS = Bucket("partners", limit=120, seconds=60)
"""Counted by token instead of by address."""
WRONG_TOKENS = Bucket("wrong-tokens", limit=20, seconds=600)
"""Counted by address, each wrong token once; over the limit each wrong token gets 429."""
REPEATED_TOKEN = Bucket("repeated-token", limit=20, seconds=600)
"""Counted by address and wrong token; over the limit that token gets 429 from that address."""

UNCACHED = Bucket("uncached", limit=600, seconds=60)
"""Reads outside `/api/` that miss the response cache."""

_HEALTH_PATHS = frozenset({"/api/public/v1/health", "/api/health"})
LEADS_PATHS = frozenset({"/api/public/v1/leads", "/api/leads"})
_PARTNER_PATHS = re.compile(r"/api/(orders(/[^/]+)?|products|erp/orders/[^/]+/(preview|push))")
_CONTACT_FORM = re.compile(r"/[a-z]{2}/[a-z]{2}/contact")


def bucket_of(method: str, path: str) -> Bucket | None:
    """Return the bucket in which a request counts by its client's address, or None.

    Pages and CORS preflight requests have none. Partner requests are counted later, by token.

    >>> bucket_of("HEAD", "/api/no-such-path").name, bucket_of("GET", "/ae/en")
    ('reads', None)
    """
    if method == "OPTIONS":
        return None
    if method == "POST" and (path in LEADS_PATHS or _CONTACT_FORM.fullmatch(path)):
        return LEADS
    if not path.startswith("/api/"):
        return None
    if path in _HEALTH_PATHS:
        return HEALTH
    is_public = path.startswith("/api/public/")  # the common case, and a fast check
    return READS if is_public or not _PARTNER_PATHS.fullmatch(path) else None


def uncached_bucket_of(path: str) -> Bucket | None:
    """Return the bucket of a read that misses the response cache, or None.

    Reads that `bucket_of` counts are not counted again.

    >>> uncached_bucket_of("/ae/en").name, uncached_bucket_of("/api/public/v1/pages")
    ('uncached', None)
    """
    return None if path.startswith("/api/") else UNCACHED

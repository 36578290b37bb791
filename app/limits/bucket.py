"""Buckets: which requests count together, and how many of them one client may send."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """So many requests in a window of so many seconds, which the first of them opens.

    A bucket is equal to itself alone.
    """

    name: str
    limit: int
    seconds: int

    @property
    def policy(self) -> str:
        """As RateLimit-Policy tells it."""
        return f"{self.limit};w={self.seconds}"


class Count(NamedTuple):
    """How often a client has asked in its window, this request among them."""

    bucket: Bucket
    used: int
    seconds_left: float

    @property
    def is_over(self) -> bool:
        """Whether this request is one too many."""
        return self.used > self.bucket.limit

    @property
    def remaining(self) -> int:
        """How many requests are left."""
        return max(0, self.bucket.limit - self.used)

    @property
    def reset(self) -> int:
        """Whole seconds after which the window is over."""
        return max(1, math.ceil(self.seconds_left))


READS = Bucket("reads", limit=120, seconds=60)
HEALTH = Bucket("health", limit=120, seconds=60)
"""Apart from the others, so that nobody who reads a lot keeps a probe from its answer."""
LEADS = Bucket("leads", limit=12, seconds=600)

PARTNERS = Bucket("partners", limit=120, seconds=60)
"""Counted by token rather than by address."""
WRONG_TOKENS = Bucket("wrong-tokens", limit=20, seconds=600)
"""Counted by address, each token once; when it is full, every wrong one is refused with 429."""
REPEATED_TOKEN = Bucket("repeated-token", limit=20, seconds=600)
"""Counted by address and wrong token; when it is full, that token is refused with 429 there."""

UNCACHED = Bucket("uncached", limit=600, seconds=60)
"""Reads outside `/api/` that the response cache cannot answer."""

_HEALTH_PATHS = frozenset({"/api/public/v1/health", "/api/health"})
LEADS_PATHS = frozenset({"/api/public/v1/leads", "/api/leads"})
_PARTNER_PATHS = re.compile(r"/api/(orders(/[^/]+)?|products|erp/orders/[^/]+/(preview|push))")
_CONTACT_FORM = re.compile(r"/[a-z]{2}/[a-z]{2}/contact")

BucketOf = Callable[[str, str], Bucket | None]


def bucket_of(method: str, path: str) -> Bucket | None:
    """Where a request counts by its client's address.

    Pages, and the browsers' questions before a request, count nowhere; what needs a partner's
    token counts once the token is known.

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
    is_public = path.startswith("/api/public/")  # most are, and this is told quickly
    return READS if is_public or not _PARTNER_PATHS.fullmatch(path) else None


def uncached_bucket_of(path: str) -> Bucket | None:
    """Where a read counts that the response cache cannot answer.

    What counts by `bucket_of` does not count again.

    >>> uncached_bucket_of("/ae/en").name, uncached_bucket_of("/api/public/v1/pages")
    ('uncached', None)
    """
    return None if path.startswith("/api/") else UNCACHED

"""Lock-out: who sends many wrong tokens is refused with 429; a right token never is.

Counted are the different wrong tokens of an address, and how often each of them comes from it. So
a partner whose program goes on with an old token locks out nobody else behind the same address,
and whoever guesses is told to wait after so many guesses.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from ipaddress import ip_address, ip_network

from app.limits.bucket import REPEATED_TOKEN, WRONG_TOKENS, Count
from app.limits.limiter import Limiter
from app.observability.metrics import LOCK_OUTS, Metrics
from app.partner.errors import LockedOut

log = logging.getLogger(__name__)

_IPV4_KEPT, _IPV6_KEPT = 24, 48
"""Bits of an address that the log may tell: those of a network, and of no one in it."""


class Counted(StrEnum):
    """What there was too much of."""

    DIFFERENT = "different_tokens"
    SAME = "same_token"


_TOLD = {
    Counted.DIFFERENT: "different wrong partner tokens came",
    Counted.SAME: "times the same wrong partner token came",
}


def init_metrics(metrics: Metrics) -> None:
    """Tell every count from the start: in what begins with 1 Prometheus sees no growth."""
    for counted in Counted:
        metrics.count(LOCK_OUTS, counted, by=0)


class LockOut:
    """Counts wrong tokens, and raises LockedOut for those that are too many."""

    def __init__(self, limiter: Limiter, metrics: Metrics) -> None:
        self._limiter = limiter
        self._metrics = metrics

    async def note(self, client: str, wrong: Iterable[str]) -> None:
        """Count the wrong tokens of one request; raises LockedOut.

        An address that is locked out is counted no further: it fills no memory.
        """
        seen = await self._limiter.peek(WRONG_TOKENS, client)
        if seen.used >= WRONG_TOKENS.limit:
            raise LockedOut(seen)
        same = await self._limiter.hit(REPEATED_TOKEN, f"{client} {_digest(wrong)}")
        if same.is_over:
            raise LockedOut(same)
        self._tell(same, Counted.SAME, client)
        if same.used == 1:
            different = await self._limiter.hit(WRONG_TOKENS, client)
            self._tell(different, Counted.DIFFERENT, client)

    def _tell(self, count: Count, counted: Counted, client: str) -> None:
        """Log and count a lock-out when it begins: at one request, whoever shares the counts."""
        bucket = count.bucket
        if count.used != bucket.limit:
            return
        self._metrics.count(LOCK_OUTS, counted)
        log.warning(
            "%d %s from the network %s within %d minutes. Such get 429 for %d seconds; right"
            " tokens are taken as before.",
            bucket.limit,
            _TOLD[counted],
            network_of(client),
            bucket.seconds // 60,
            count.reset,
        )


def network_of(client: str) -> str:
    """The network of a client's address, which does not tell who it is.

    >>> network_of("203.0.113.7"), network_of("2001:db8:1:2::/64"), network_of("unknown")
    ('203.0.113.0/24', '2001:db8:1::/48', 'unknown')
    """
    try:
        address = ip_address(client.partition("/")[0])
    except ValueError:
        return client
    to_order = _IPV4_KEPT if address.version == 4 else _IPV6_KEPT
    return str(ip_network((address, to_order), strict=False))


def _digest(tokens: Iterable[str]) -> str:
    """What tells one set of tokens from another, and no token."""
    return sha256("\n".join(sorted(set(tokens))).encode()).hexdigest()[:32]

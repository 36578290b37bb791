"""Partner tokens: extraction from headers, authentication, and lock-out of those who guess.

Two things are counted per client address: different invalid tokens, and repetitions of the same
one. A client that keeps using an old token therefore does not lock out others behind the same
address, and a client that guesses has to wait after a few guesses.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address, ip_network

from app.features.orders.partner.errors import LockedOut
from app.platform.limits.limiter import Limiter
from app.platform.limits.rate_limits import REPEATED_TOKEN, WRONG_TOKENS, Count
from app.platform.observability.metrics import LOCK_OUTS, Metrics

TOKEN_HEADER = "X-Ecom-Api-Token"  # noqa: S105  # a header name
_BEARER = re.compile(r"bearer +(\S.*)", re.IGNORECASE)


def bearer_token(authorization: str) -> str | None:
    """Return the token of an Authorization header, or None for another scheme.

    >>> bearer_token("bearer  abc"), bearer_token("Basic YWJj"), bearer_token("Bearer ")
    ('abc', None, None)
    """
    match = _BEARER.fullmatch(authorization.strip())
    return match[1] if match else None


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """The valid tokens, stored as digests so that all have the same length."""

    digests: tuple[bytes, ...]

    @classmethod
    def of(cls, tokens: Iterable[str]) -> ApiTokens:
        """Build from plain tokens."""
        return cls(tuple(map(_digest, tokens)))

    def authenticate(self, sent: Iterable[str]) -> str | None:
        """Return an identifier of the partner, or None if there is not exactly one valid token.

        A token may be sent more than once. Comparison with all tokens takes constant time.

        >>> tokens = ApiTokens.of(["old", "new"])
        >>> tokens.authenticate(["new", "new"]) == tokens.authenticate(["new"])
        True
        >>> tokens.authenticate(["new"]) == tokens.authenticate(["old"])
        False
        >>> tokens.authenticate(["old", "new"]), tokens.authenticate([])
        (None, None)
        """
        digests = {_digest(token) for token in sent}
        if len(digests) != 1:
            return None
        digest = digests.pop()
        matches = [compare_digest(digest, valid) for valid in self.digests]
        return digest.hex() if any(matches) else None


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()


log = logging.getLogger(__name__)

_IPV4_PREFIX, _IPV6_PREFIX = 24, 48
"""Prefix lengths in bits of the networks that are logged instead of client addresses."""


_COUNTED = {
    WRONG_TOKENS: ("different_tokens", "different invalid partner tokens"),
    REPEATED_TOKEN: ("same_token", "requests with the same invalid partner token"),
}
"""What each bucket counts: a label of the metric, and words for the log."""


def init_metrics(metrics: Metrics) -> None:
    """Export every counter as 0: Prometheus sees no increase in a counter that starts at 1."""
    for label, _ in _COUNTED.values():
        metrics.count(LOCK_OUTS, label, by=0)


async def count_invalid(
    limiter: Limiter, metrics: Metrics, client: str, tokens: Iterable[str]
) -> None:
    """Count the invalid tokens of one request; raises LockedOut above the limits.

    An address that is locked out is not counted further, so that it cannot fill the memory.
    """
    seen = await limiter.hit(WRONG_TOKENS, client, by=0)
    if seen.used >= WRONG_TOKENS.limit:
        raise LockedOut(seen)
    # The digest identifies the set of tokens without revealing them.
    digest = sha256("\n".join(sorted(set(tokens))).encode()).hexdigest()[:32]
    same = await limiter.hit(REPEATED_TOKEN, f"{client} {digest}")
    if same.is_over:
        raise LockedOut(same)
    _report(same, metrics, client)
    if same.used == 1:
        _report(await limiter.hit(WRONG_TOKENS, client), metrics, client)


def _report(count: Count, metrics: Metrics, client: str) -> None:
    """Log and count a lock-out once, at the request that reaches the limit."""
    bucket = count.bucket
    if count.used != bucket.limit:
        return
    label, description = _COUNTED[bucket]
    metrics.count(LOCK_OUTS, label)
    log.warning(
        "Received %d %s from an address in %s within %d minutes. Further ones get 429 for"
        " %d seconds; valid tokens are still accepted.",
        bucket.limit,
        description,
        network_of(client),
        bucket.seconds // 60,
        count.reset,
    )


def network_of(client: str) -> str:
    """Return the network of a client address, which does not identify the client.

    >>> network_of("203.0.113.7"), network_of("2001:db8:1:2::/64"), network_of("unknown")
    ('203.0.113.0/24', '2001:db8:1::/48', 'unknown')
    """
    try:
        address = ip_address(client.partition("/")[0])
    except ValueError:
        return client
    prefix = _IPV4_PREFIX if address.version == 4 else _IPV6_PREFIX
    return str(ip_network((address, prefix), strict=False))

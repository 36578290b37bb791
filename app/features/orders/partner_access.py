"""Access of partners: their tokens, the lock-out of those who guess, and the errors.

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
from typing import Any

from app.features.orders import LOCK_OUTS
from app.platform.asgi.client_address import network_of
from app.platform.limits.limiter import Limiter
from app.platform.limits.rate_limits import Bucket, Count
from app.platform.observability.metrics import Metrics
from knowledge.resources.errors import MajlisError

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

PARTNERS = Bucket("partners", 120, 60, "The partner interface, per token instead of per address")
WRONG_TOKENS = Bucket("wrong-tokens", limit=20, seconds=600)
"""Counted by address, each wrong token once; over the limit each wrong token gets 429."""
REPEATED_TOKEN = Bucket("repeated-token", limit=20, seconds=600)
"""Counted by address and wrong token; over the limit that token gets 429 from that address."""

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
    """Count the invalid tokens of a request; raises LockedOut, and then counts no further."""
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
        network_of(client) or client,
        bucket.seconds // 60,
        count.reset,
    )


_CHALLENGE = 'Bearer realm="erp"'


class Unauthorized(MajlisError):
    """No valid token was sent; `problem` is None if there was no token at all."""

    status = 401

    def __init__(self, problem: str | None = None) -> None:
        challenge = _CHALLENGE if problem is None else f'{_CHALLENGE}, error="invalid_token"'
        super().__init__(
            problem or "This path requires a partner token.",
            "Send the token that the operator issued as Authorization: Bearer, or as"
            " X-Ecom-Api-Token.",
            {"WWW-Authenticate": challenge},
        )


class LockedOut(MajlisError):
    """Too many invalid tokens came from this address, the current one included."""

    status = 429

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"This address sent {count.bucket.limit} invalid tokens within"
            f" {count.bucket.seconds // 60} minutes.",
            "Send the valid token; it is accepted at any time. Other tokens are refused for another"
            f" {count.reset} seconds (Retry-After).",
            {"Retry-After": str(count.reset)},
        )


class NotConfigured(MajlisError):
    """A setting that this path requires is missing."""

    status = 503

    def __init__(self, what: str, variable: str) -> None:
        super().__init__(f"{what} is not configured.", f"Ask the operator to set {variable}.")


_TOKEN = "The token that the operator issues to an approved partner; there is no sign-up."  # noqa: S105  # a description
SECURITY_SCHEMES: dict[str, dict[str, Any]] = {
    "partnerBearer": {"type": "http", "scheme": "bearer", "description": _TOKEN},
    "partnerKey": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER, "description": _TOKEN},
}
"""The schemes of secured operations, either of which is sufficient."""

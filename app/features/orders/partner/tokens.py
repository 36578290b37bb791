"""Partner tokens: extraction from headers, and authentication."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

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

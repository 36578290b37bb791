"""Partner tokens: which were sent, and whether one of ours is among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

TOKEN_HEADER = "X-Ecom-Api-Token"  # noqa: S105  # the name of a header
_BEARER = re.compile(r"bearer +(\S.*)", re.IGNORECASE)


def bearer_token(authorization: str) -> str | None:
    """The token of an Authorization header, None where it is of another scheme.

    >>> bearer_token("bearer  abc"), bearer_token("Basic YWJj"), bearer_token("Bearer ")
    ('abc', None, None)
    """
    match = _BEARER.fullmatch(authorization.strip())
    return match[1] if match else None


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """The tokens that open the partner interface; kept as digests, which are all of one length."""

    digests: tuple[bytes, ...]

    @classmethod
    def of(cls, tokens: Iterable[str]) -> ApiTokens:
        """These tokens."""
        return cls(tuple(map(_digest, tokens)))

    def authenticate(self, sent: Iterable[str]) -> str | None:
        """A name for whose token was sent, None where none of ours was, or several different.

        Every token is compared, each in a time that does not depend on where it differs.

        >>> tokens = ApiTokens.of(["old", "new"])
        >>> tokens.authenticate(["new", "new"]) == tokens.authenticate(["new"])
        True
        >>> tokens.authenticate(["new"]) == tokens.authenticate(["old"])
        False
        >>> tokens.authenticate(["old", "new"]), tokens.authenticate([])
        (None, None)
        """
        given = {_digest(token) for token in sent}
        if len(given) != 1:
            return None
        digest = given.pop()
        matches = [compare_digest(digest, known) for known in self.digests]
        return digest.hex() if any(matches) else None


def _digest(token: str) -> bytes:
    return sha256(token.encode()).digest()

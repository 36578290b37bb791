"""Preview links: a path, an instant and an expiry, signed with HMAC-SHA256."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

PATH = "/preview/"
TOKEN = r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}"  # noqa: S105  # a pattern, not a secret
"""The pattern of a token: what is signed, and 32 bytes of signature, in base64."""

_PURPOSE = b"majlis preview 1\n"
"""Signed too, so that the key signs nothing else by accident."""


@dataclass(frozen=True, slots=True)
class PreviewLink:
    """The page at a site path, as it is at `at` (None: regardless of its dates).

    Both instants are whole seconds. The link is valid before `valid_until`.
    """

    path: str
    at: datetime | None
    valid_until: datetime

    def token(self, key: bytes) -> str:
        """Return the last part of the link's path."""
        at = f"{self.at.timestamp():.0f}" if self.at else ""
        signed = _encode(f"{self.valid_until.timestamp():.0f}\n{at}\n{self.path}".encode())
        return f"{signed}.{_signature(signed, key)}"

    @classmethod
    def verified(cls, token: str, key: bytes, now: datetime) -> Self | None:
        """Return the link of a token; None if it is forged or no longer valid."""
        signed, _, signature = token.partition(".")
        if not hmac.compare_digest(signature, _signature(signed, key)):
            return None
        until, at, path = _decode(signed).decode().split("\n", 2)
        link = cls(path, _instant(at) if at else None, _instant(until))
        return link if now < link.valid_until else None


def _signature(signed: str, key: bytes) -> str:
    return _encode(hmac.digest(key, _PURPOSE + signed.encode("ascii"), "sha256"))


def _encode(value: bytes) -> str:
    return urlsafe_b64encode(value).decode("ascii").rstrip("=")


def _decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _instant(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)

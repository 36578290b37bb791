"""The links of subscribers: signed, without an address; one confirms, one unsubscribes."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.features.newsletter.store import VALID, Subscriber
from app.platform.keys import signature

_CONFIRM = b"majlis newsletter confirmation 1\n"
_CANCEL = b"majlis newsletter cancellation 1\n"
"""Signed too, so that no link is the other one."""


@dataclass(frozen=True, slots=True)
class SubscriberLinks:
    """Makes and reads the links below a URL with a key."""

    key: Callable[[], bytes]
    base_url: str

    def confirmation(self, subscriber: Subscriber) -> str:
        """Return the URL that asks whether to confirm an address, for a limited time."""
        until = (subscriber.mailed_at or subscriber.requested_at) + VALID
        token = self._token(_CONFIRM, f"{subscriber.id}.{until.timestamp():.0f}")
        return f"{self.base_url}{subscriber.locale.path}/confirm-subscription/{token}"

    def cancellation(self, subscriber: Subscriber) -> str:
        """Return the URL that asks whether to unsubscribe; it stays valid."""
        token = self._token(_CANCEL, subscriber.id)
        return f"{self.base_url}{subscriber.locale.path}/unsubscribe/{token}"

    def confirmed(self, token: str, now: datetime) -> str | None:
        """Return the ID of the subscriber of a confirmation; None if it is not valid."""
        subscriber_id, _, until = self._signed(_CONFIRM, token).partition(".")
        return subscriber_id if until and now.timestamp() < int(until) else None

    def cancelled(self, token: str) -> str | None:
        """Return the ID of the subscriber of a cancellation; None if it is not valid."""
        return self._signed(_CANCEL, token) or None

    def _token(self, purpose: bytes, signed: str) -> str:
        return f"{signed}.{signature(self.key(), purpose, signed)}"

    def _signed(self, purpose: bytes, token: str) -> str:
        """Return what a token signs, `""` if it does not."""
        signed, _, sent = token.rpartition(".")
        expected = signature(self.key(), purpose, signed)
        return signed if hmac.compare_digest(sent.encode(), expected.encode()) else ""

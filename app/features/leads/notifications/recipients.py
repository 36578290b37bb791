"""Recipients of mails about leads, as the outbox names them."""

from __future__ import annotations

from hashlib import sha256


def recipient_id(address: str) -> str:
    """Return the ID of a recipient in the outbox, which keeps no addresses."""
    return sha256(address.casefold().encode()).hexdigest()[:16]

"""Signature of deliveries, according to Standard Webhooks.

`webhook-id` is the same for all attempts of a delivery, `webhook-timestamp` is the time of the
attempt, and the signature covers both and the exact bytes of the body.
"""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from standardwebhooks import Webhook

from app.platform.version import VERSION

SECRET_PREFIX = "whsec_"  # noqa: S105  # a prefix, not a secret


def is_webhook_secret(text: str) -> bool:
    """Return whether a text is a well-formed secret: the prefix, then bytes in base64.

    >>> [is_webhook_secret(text) for text in ("whsec_c2VjcmV0", "c2VjcmV0", "whsec_", "whsec_?")]
    [True, False, False, False]
    """
    encoded = text.removeprefix(SECRET_PREFIX)
    padded = encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4)
    try:
        return text.startswith(SECRET_PREFIX) and bool(base64.b64decode(padded, validate=True))
    except ValueError:
        return False


def signed_headers(webhook_id: str, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers of one attempt; with an empty secret, without a signature."""
    at = at.astimezone(UTC)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"majlis/{VERSION}",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(at.timestamp())),
    }
    if secret:
        headers["webhook-signature"] = Webhook(secret).sign(webhook_id, at, body.decode())
    return headers

"""The signature: how a receiver knows that a delivery is from us, and which it is.

After Standard Webhooks: `webhook-id` is the same at each attempt, `webhook-timestamp` is that of
the attempt, and the signature covers both and the very bytes of the body.
"""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from standardwebhooks import Webhook

from app.version import VERSION

SECRET_PREFIX = "whsec_"  # noqa: S105  # how secrets begin, and none itself


def is_webhook_secret(text: str) -> bool:
    """Whether a text can be a secret: the prefix, then bytes in base64.

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
    """The headers of one attempt; without a secret there is no signature."""
    at = at.astimezone(UTC)
    named = {
        "Content-Type": "application/json",
        "User-Agent": f"majlis/{VERSION}",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(at.timestamp())),
    }
    if secret:
        named["webhook-signature"] = Webhook(secret).sign(webhook_id, at, body.decode())
    return named

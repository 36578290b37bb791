"""Security schemes: the partner token in one of two headers."""

from __future__ import annotations

from typing import Any

from app.features.orders.partner.tokens import TOKEN_HEADER

_TOKEN = "The token that the operator issues to an approved partner; there is no sign-up."  # noqa: S105  # a description
SECURITY_SCHEMES: dict[str, dict[str, Any]] = {
    "partnerBearer": {"type": "http", "scheme": "bearer", "description": _TOKEN},
    "partnerKey": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER, "description": _TOKEN},
}
"""The schemes of secured operations, either of which is sufficient."""

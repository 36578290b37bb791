"""Paths of the partner interface; they get no CORS headers."""

from __future__ import annotations

_PREFIXES = ("/api/erp/", "/api/orders/", "/api/products/")


def is_partner_path(path: str) -> bool:
    """Return whether a path is below the partner interface, even if no route matches it.

    >>> is_partner_path("/api/orders/5"), is_partner_path("/api/ordersheet")
    (True, False)
    """
    return f"{path}/".startswith(_PREFIXES)

"""Which paths are the partner interface's: no other site's scripts may read them."""

from __future__ import annotations

_BEGINNINGS = ("/api/erp/", "/api/orders/", "/api/products/")


def is_partner_path(path: str) -> bool:
    """Whether a path is of the partner interface, also where nothing answers it.

    >>> is_partner_path("/api/orders/5"), is_partner_path("/api/ordersheet")
    (True, False)
    """
    return f"{path}/".startswith(_BEGINNINGS)

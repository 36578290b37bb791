"""Which paths are the partner interface's: no other site's scripts may read them."""

from __future__ import annotations

import re

_PATHS = re.compile(r"/api/(erp|orders|products)(/|$)")


def is_partner_path(path: str) -> bool:
    """Whether a path is of the partner interface, also where nothing answers it.

    >>> is_partner_path("/api/orders/5"), is_partner_path("/api/ordersheet")
    (True, False)
    """
    return _PATHS.match(path) is not None

"""TLS of clients: which certificates of servers they trust."""

from __future__ import annotations

from functools import cache
from ssl import SSLContext

import httpx


@cache
def trusted_certificates() -> SSLContext:
    """Return the context that trusts the authorities of certifi, whatever the environment says.

    All clients share it: to read these certificates takes 20 ms.
    """
    return httpx.create_ssl_context(trust_env=False)

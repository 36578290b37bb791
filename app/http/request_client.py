"""The client of the current request: its address and its country.

`app.asgi.client_address` finds the address behind proxies.
"""

from __future__ import annotations

from typing import cast

from hypercorn.typing import HTTPScope
from quart import request

from app.services import services
from knowledge.locale import Country


def client_of_request() -> str:
    """Return the client's IPv4 address or IPv6 /64 network, used as its rate-limit key."""
    return services().proxies.client_of(cast(HTTPScope, request.scope))


def hinted_country() -> Country | None:
    """Return the country sent by a trusted proxy; None if it is absent or not supported."""
    if not services().proxies.trusts(request.remote_addr):
        return None
    return Country.parse(request.headers.get(services().settings.country_header, ""))

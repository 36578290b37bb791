"""Who asks: what the current request tells of its client."""

from __future__ import annotations

from typing import cast

from hypercorn.typing import HTTPScope
from quart import request

from app.services import services
from knowledge.locale import Country


def client_of_request() -> str:
    """The address that counts for the client of the current request."""
    return services().proxies.client_of(cast(HTTPScope, request.scope))


def hinted_country() -> Country | None:
    """The country that a trusted proxy's header names, if it is one served."""
    at = services()
    if not at.proxies.trusts(request.remote_addr):
        return None
    return Country.parse(request.headers.get(at.settings.country_header, ""))

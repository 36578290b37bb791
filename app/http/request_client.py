"""The country of the client that sent the current request."""

from __future__ import annotations

from quart import request

from app.services import services
from knowledge.locale import Country


def hinted_country() -> Country | None:
    """Return the country sent by a trusted proxy; None if it is absent or not supported."""
    if not services().proxies.trusts(request.remote_addr):
        return None
    return Country.parse(request.headers.get(services().settings.country_header, ""))

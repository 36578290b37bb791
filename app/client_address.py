"""Who asks: the peer of the connection, and whose forwarding headers are believed."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

from quart import request

from app.services import services
from app.settings import Network
from knowledge.locale import Country


def is_trusted(peer: str | None, proxies: Iterable[Network]) -> bool:
    """Whether the peer is one of the proxies; what is no IP address never is.

    >>> from ipaddress import ip_network
    >>> is_trusted("10.0.0.7", [ip_network("10.0.0.0/8")]), is_trusted(None, [])
    (True, False)
    """
    try:
        address = ip_address(peer or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in network for network in proxies)


def hinted_country() -> Country | None:
    """The country that a trusted proxy's header names, if it is one served."""
    settings = services().settings
    if not is_trusted(request.remote_addr, settings.trusted_proxies):
        return None
    return Country.parse(request.headers.get(settings.country_header, ""))

"""Who asks: the peer of the connection, or whom trusted proxies say that they ask for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from quart import request

from app.services import services
from app.settings import Network
from knowledge.locale import Country

Address = IPv4Address | IPv6Address

_READ = 1_024
"""Characters of X-Forwarded-For that are looked at, from its end: more proxies than that nobody
has in a row."""
_PREFIX = 64
"""An IPv6 network of this length belongs to one customer."""


def is_trusted(peer: str | None, proxies: Iterable[Network]) -> bool:
    """Whether the peer is one of the proxies; what is no IP address never is.

    >>> from ipaddress import ip_network
    >>> is_trusted("10.0.0.7", [ip_network("10.0.0.0/8")]), is_trusted(None, [])
    (True, False)
    """
    address = _address(peer or "")
    return address is not None and any(address in network for network in proxies)


def client_address(peer: str | None, forwarded: str, proxies: tuple[Network, ...]) -> str:
    """The address that counts for one client; an IPv6 network counts as one.

    `forwarded` is X-Forwarded-For. It is read from its end, where the nearest proxy wrote, to
    the first hop that is no trusted proxy: what stands before that anybody may have written.

    >>> from ipaddress import ip_network
    >>> client_address("10.0.0.7", "6.6.6.6, 198.51.100.1, 10.0.0.8", (ip_network("10.0.0.0/8"),))
    '198.51.100.1'
    >>> client_address("2001:db8::1", "6.6.6.6", ())
    '2001:db8::/64'
    """
    if len(forwarded) > _READ:
        forwarded = forwarded[-_READ:].partition(",")[2]
    return _client(peer, forwarded, proxies)


@lru_cache(maxsize=8_192)
def _client(peer: str | None, forwarded: str, proxies: tuple[Network, ...]) -> str:
    client = _address(peer or "")
    if client is None:
        return "unknown"
    hops = reversed(forwarded.split(","))
    while any(client in network for network in proxies):
        nearer = _address(_without_port(next(hops, "").strip()))
        if nearer is None:
            break
        client = nearer
    return _counted(client)


def client_of_request() -> str:
    """The client of the current request."""
    forwarded = ",".join(request.headers.getlist("X-Forwarded-For"))
    return client_address(request.remote_addr, forwarded, services().settings.trusted_proxies)


def hinted_country() -> Country | None:
    """The country that a trusted proxy's header names, if it is one served."""
    settings = services().settings
    if not is_trusted(request.remote_addr, settings.trusted_proxies):
        return None
    return Country.parse(request.headers.get(settings.country_header, ""))


def _address(text: str) -> Address | None:
    """An address, an IPv4 one where it is written as IPv6; None where it is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _without_port(hop: str) -> str:
    """Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _counted(address: Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    network = int(address) >> (128 - _PREFIX) << (128 - _PREFIX)
    return f"{IPv6Address(network)}/{_PREFIX}"

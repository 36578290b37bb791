"""Trusted proxies: who asks is the peer of a connection, or whom such a peer asks for."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton

from hypercorn.typing import HTTPScope

from app.asgi.scope import peer, request_headers

log = logging.getLogger(__name__)

_MAX_CHARACTERS = 1_024
"""Characters of X-Forwarded-For that are looked at, from its end: more proxies than that nobody
has in a row."""
_PREFIX_BYTES = 8
"""An IPv6 network of this length belongs to one customer."""
_IPV4_BYTES, _IPV6_BYTES = 4, 16
_MAX_CACHED_PEERS = 1_024
"""So many peers are remembered: all proxies, and who asks without one mostly asks again. Whom
proxies ask for is not: that may be anybody, and is read in a microsecond."""
_UNKNOWN = "unknown"
_MAPPED = bytes(10) + b"\xff\xff"
"""How an IPv6 address begins that means an IPv4 one."""

_STRANGER = (
    "X-Forwarded-For came from a peer that is not in TRUSTED_PROXIES, and is ignored. If the peer "
    "is a proxy of yours, add its address to TRUSTED_PROXIES: all its clients share one limit now."
)

Network = IPv4Network | IPv6Network

Packed = bytes
"""An IP address as its bytes; `ipaddress` would take five times as long for one never seen."""


class TrustedProxies:
    """The networks whose X-Forwarded-For is believed.

    >>> from ipaddress import ip_network
    >>> proxies = TrustedProxies([ip_network("10.0.0.0/8")])
    >>> proxies.trusts("10.0.0.7"), proxies.trusts("192.0.2.1"), proxies.trusts(None)
    (True, False, False)
    """

    def __init__(self, networks: Iterable[Network]) -> None:
        self._networks: dict[int, list[tuple[int, int]]] = {_IPV4_BYTES: [], _IPV6_BYTES: []}
        for network in networks:
            base, mask = network.network_address, network.netmask
            self._networks[len(base.packed)].append((int(mask), int(base)))
        self._direct_client = lru_cache(_MAX_CACHED_PEERS)(self._find_direct_client)
        self._warned = False

    def trusts(self, peer: str | None) -> bool:
        """Whether the peer is one of the proxies; what is no IP address never is."""
        return self._direct_client(peer) is None

    def client(self, peer: str | None, forwarded: str) -> str:
        """The address that counts for one client; an IPv6 network counts as one.

        `forwarded` is X-Forwarded-For. It is read from its end, where the nearest proxy wrote, to
        the first hop that is no trusted proxy: what stands before that anybody may have written.

        >>> from ipaddress import ip_network
        >>> proxies = TrustedProxies([ip_network("10.0.0.0/8")])
        >>> proxies.client("10.0.0.7", "6.6.6.6, 198.51.100.1, 10.0.0.8")
        '198.51.100.1'
        >>> proxies.client("2001:db8::1", "6.6.6.6")
        '2001:db8::/64'
        """
        stranger = self._direct_client(peer)
        if stranger is not None or peer is None:
            return stranger or _UNKNOWN
        return self._forwarded_client(peer, forwarded)

    def client_of(self, scope: HTTPScope) -> str:
        """The same for a request, by its own peer and headers."""
        forwarded = request_headers(scope).get(b"x-forwarded-for", b"")
        return self.client(peer(scope), forwarded.decode("latin-1"))

    def warn_of_stranger(self, peer: str | None) -> None:
        """Log, once, where a peer that sent X-Forwarded-For is not trusted.

        It may be a proxy that TRUSTED_PROXIES should name: then all its clients count as one.
        """
        if not self._warned and not self.trusts(peer):
            self._warned = True
            log.warning(_STRANGER)

    def _find_direct_client(self, peer: str | None) -> str | None:
        """A peer that speaks for itself; None for a proxy."""
        address = _packed(peer or "")
        if address is None:
            return _UNKNOWN
        return None if self._contains_city(address) else _rate_limit_key(address)

    def _forwarded_client(self, proxy: str, forwarded: str) -> str:
        """Whom a proxy asks for: the first that is none, else the last that is named."""
        sender = _packed(proxy)
        for hop in reversed(_hops(forwarded)):
            named = _packed(_without_port(hop.strip()))
            if named is None:
                break
            sender = named
            if not self._contains_city(named):
                break
        return _rate_limit_key(sender) if sender else _UNKNOWN

    def _contains_city(self, address: Packed) -> bool:
        number = int.from_bytes(address)
        for mask, base in self._networks[len(address)]:  # noqa: SIM110  # `any` takes twice as long
            if number & mask == base:
                return True
        return False


def _hops(forwarded: str) -> list[str]:
    if len(forwarded) > _MAX_CHARACTERS:
        forwarded = forwarded[-_MAX_CHARACTERS:].partition(",")[2]
    return forwarded.split(",")


def _packed(text: str) -> Packed | None:
    """An address, an IPv4 one where it is written as IPv6; None where it is none."""
    try:
        if ":" not in text:
            return inet_pton(AF_INET, text)
        address = inet_pton(AF_INET6, text.partition("%")[0])
    except (OSError, ValueError):  # not an address; not even characters of one
        return None
    return address.removeprefix(_MAPPED)


def _without_port(hop: str) -> str:
    """Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _rate_limit_key(address: Packed) -> str:
    if len(address) == _IPV4_BYTES:
        return inet_ntop(AF_INET, address)
    network = address[:_PREFIX_BYTES].ljust(_IPV6_BYTES, b"\0")
    return f"{inet_ntop(AF_INET6, network)}/{8 * _PREFIX_BYTES}"

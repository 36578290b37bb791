"""Properties of the client's address: only headers of trusted proxies are trusted."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Network, ip_address, ip_network

from hypothesis import assume, example, given
from hypothesis import strategies as st

from app.platform.asgi.client_address import Network, TrustedProxies

PROXIES = (ip_network("10.0.0.0/8"), ip_network("192.0.2.7/32"), ip_network("2001:db8:1::/48"))

TRUSTED = TrustedProxies(PROXIES)
EVERYBODY = (ip_network("0.0.0.0/0"), ip_network("::/0"))

strangers = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str)
proxies = st.one_of(*(st.ip_addresses(network=network) for network in PROXIES)).map(str)
plain = st.one_of(strangers, proxies, proxies)
fourth = st.one_of(st.ip_addresses(v=4), st.ip_addresses(network="10.0.0.0/8")).map(str)
written = st.one_of(
    plain,
    fourth.map("::ffff:{}".format),
    fourth.map("{}:4711".format),
    plain.map("[{}]:4711".format),
    plain.map("[{}]".format),
    plain.map("[{}".format),
    st.ip_addresses(v=6).map("{}%eth0".format),
    st.sampled_from(["", "unknown", "_hidden", "010.0.0.1", "10.1", "10.0.0.1.", ":", "::", "[]"]),
    st.text(max_size=8),
    st.binary(max_size=8).map(lambda data: data.decode("latin-1")),
)
spaces = st.sampled_from(["", " ", "  ", "\t"])
hops = st.lists(st.builds("{}{}{}".format, spaces, written, spaces), max_size=6).map(",".join)
befores = st.one_of(hops, st.text(), st.integers(0, 3_000).map(lambda many: "1.2.3.4," * many))
peers = st.one_of(plain, plain, st.none(), written)


def numbers(text: str) -> tuple[int, int] | None:
    """Return an address as a number and its bits, by `ipaddress`; a mapped one as IPv4."""
    try:
        address = ip_address(text.partition("%")[0] if ":" in text else text)
    except ValueError:
        return None
    address = getattr(address, "ipv4_mapped", None) or address
    return int(address), address.max_prefixlen


def is_proxy(address: tuple[int, int]) -> bool:
    """Return whether an address is in a trusted network."""
    return any(
        network.max_prefixlen == address[1]
        and (address[0] ^ int(network.network_address)) >> address[1] - network.prefixlen == 0
        for network in PROXIES
    )


def is_stranger(text: str) -> bool:
    """Return whether a text is an address outside the trusted networks."""
    address = numbers(text)
    return address is not None and not is_proxy(address)


def believed(peer: str | None, forwarded: str) -> Iterator[tuple[int, int]]:
    """Yield the hops reported by trusted senders, nearest first; the last one is the client."""
    texts = [peer or "", *(bare(hop.strip()) for hop in reversed(forwarded.split(",")))]
    for text in texts:
        address = numbers(text)
        if address is None:
            return
        yield address
        if not is_proxy(address):
            return


def bare(hop: str) -> str:
    """Return a hop without its port."""
    if hop[:1] == "[":
        return hop[1:].split("]", maxsplit=1)[0]
    parts = hop.split(":")
    return parts[0] if len(parts) == 2 else hop


def shown(address: tuple[int, int]) -> str:
    """Return the key in rate limits: of an IPv6 address its first 64 bits."""
    bits, length = address
    return str(IPv4Address(bits)) if length == 32 else str(IPv6Network((bits >> 64 << 64, 64)))


@given(peers, hops)
@example("10.0.0.1", "10.0.0.2,\xa0198.51.100.1\x85")
def test_the_client_is_the_last_that_a_chain_of_proxies_names(
    peer: str | None, forwarded: str
) -> None:
    """The result equals that of a second implementation based on `ipaddress`."""
    chain = [*believed(peer, forwarded)]
    expected = shown(chain[-1]) if chain else "unknown"
    assert same(TRUSTED.client(peer, forwarded), expected)


def same(one: str, other: str) -> bool:
    """Compare texts of addresses: Python and the C library format some IPv6 ones differently."""
    if not one.endswith("/64") or not other.endswith("/64"):
        return one == other
    return IPv6Network(one) == IPv6Network(other)


@given(strangers.filter(is_stranger), st.one_of(hops, st.text()))
def test_a_stranger_is_who_it_is_whatever_it_says(peer: str, forwarded: str) -> None:
    """The result is the same as without a header."""
    assert TRUSTED.client(peer, forwarded) == TRUSTED.client(peer, "")


@given(proxies, strangers.filter(is_stranger), st.lists(proxies, max_size=4), befores)
def test_nothing_before_the_first_stranger_matters(
    peer: str, stranger: str, nearer: list[str], before: str
) -> None:
    """This holds even if it is longer than the part that is read."""
    forwarded = ",".join([stranger, *nearer])
    assert TRUSTED.client(peer, f"{before},{forwarded}") == TRUSTED.client(peer, forwarded)


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_all_of_an_ipv6_network_are_one_client(address: object, host: int) -> None:
    """A client can use any of its 2^64 addresses."""
    network = IPv6Network((str(address), 64), strict=False)
    assume(not any(network.overlaps(each) for each in PROXIES if isinstance(each, IPv6Network)))
    neighbour = network.network_address + host
    assume(network.network_address.ipv4_mapped is None and neighbour.ipv4_mapped is None)
    assert TRUSTED.client(str(neighbour), "") == str(network)


@given(fourth, st.sampled_from(["{}", "{}:1", "[{}]:1", "::ffff:{}", "[::ffff:{}]:1"]))
def test_an_ipv4_client_is_the_same_however_a_proxy_writes_it(address: str, form: str) -> None:
    """It may have a port, be IPv4-mapped, or both."""
    assume(not address.startswith("10."))
    assert TrustedProxies(PROXIES[:1]).client("10.0.0.1", form.format(address)) == address


@given(st.one_of(peers, st.text()), st.one_of(hops, st.text()), st.sampled_from([EVERYBODY, ()]))
def test_no_text_is_too_odd(peer: str | None, forwarded: str, trusted: tuple[Network, ...]) -> None:
    """The result is always an address, a network or `unknown`."""
    client = TrustedProxies(trusted).client(peer, forwarded)
    assert client == "unknown" or ip_network(client)

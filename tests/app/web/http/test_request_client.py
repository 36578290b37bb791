"""Which peers' forwarding headers are trusted, and the country header."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

from app.platform.asgi.client_address import TrustedProxies

HINT = "/api/public/v1/locale-hint"
ROUTING = "/api/public/v1/locale-routing"
FALLBACK = {"countryCode": "AE", "source": "fallback"}
PROXY = "10.1.2.3"
UNTRUSTED = "203.0.113.9"
PROXIES = TrustedProxies([ip_network("10.0.0.0/8"), ip_network("2001:db8:1::/48")])


@cases(
    ("peer", "trusted"),
    [
        pytest.param("10.255.0.1", True, id="inside"),
        pytest.param("11.0.0.1", False, id="outside"),
        pytest.param("2001:db8:1::7", True, id="IPv6 inside"),
        pytest.param("2001:db8:2::7", False, id="IPv6 outside"),
        pytest.param("::ffff:10.0.0.1", True, id="IPv4 written as IPv6, inside"),
        pytest.param("::ffff:11.0.0.1", False, id="IPv4 written as IPv6, outside"),
        pytest.param(None, False, id="no peer"),
        pytest.param("", False, id="empty peer"),
        pytest.param("unix:/run/majlis.sock", False, id="a socket's name"),
        pytest.param("10.0.0.1, 10.0.0.2", False, id="a list"),
    ],
)
def test_a_peer_is_trusted_only_inside_the_networks_named(
    peer: str | None, *, trusted: bool
) -> None:
    """A peer without an IP address is not trusted."""
    assert PROXIES.trusts(peer) is trusted


@cases(
    ("peer", "forwarded", "client"),
    [
        pytest.param(UNTRUSTED, "", UNTRUSTED, id="no proxy"),
        pytest.param(UNTRUSTED, "6.6.6.6", UNTRUSTED, id="an untrusted peer"),
        pytest.param(UNTRUSTED, PROXY, UNTRUSTED, id="an untrusted peer that names the proxy"),
        pytest.param(PROXY, "", PROXY, id="a proxy without the header"),
        pytest.param(PROXY, "198.51.100.1", "198.51.100.1", id="one proxy"),
        pytest.param(PROXY, "198.51.100.1, 10.9.9.9", "198.51.100.1", id="two proxies"),
        pytest.param(PROXY, "6.6.6.6, 198.51.100.1", "198.51.100.1", id="a forged beginning"),
        pytest.param(PROXY, "10.0.0.5, 198.51.100.1", "198.51.100.1", id="a forged proxy"),
        pytest.param(PROXY, "10.0.0.5,10.0.0.6", "10.0.0.5", id="all of them proxies"),
        pytest.param(PROXY, "garbage, 198.51.100.1", "198.51.100.1", id="garbage before"),
        pytest.param(PROXY, "198.51.100.1, garbage", PROXY, id="garbage at the end"),
        pytest.param(PROXY, "198.51.100.1, ", PROXY, id="an empty end"),
        pytest.param(PROXY, "198.51.100.1, unknown, 10.0.0.6", "10.0.0.6", id="unknown between"),
        pytest.param(PROXY, "198.51.100.1:4711", "198.51.100.1", id="with port"),
        pytest.param(PROXY, "[2001:db8:2::1]:4711", "2001:db8:2::/64", id="IPv6 with port"),
        pytest.param(PROXY, "[2001:db8:2::1", "2001:db8:2::/64", id="half a bracket"),
        pytest.param(PROXY, "2001:db8:2:3:4::1", "2001:db8:2:3::/64", id="IPv6"),
        pytest.param(PROXY, "::ffff:198.51.100.1", "198.51.100.1", id="IPv4 written as IPv6"),
        pytest.param(PROXY, "fe80::1%eth0", "fe80::/64", id="with a zone"),
        pytest.param(PROXY, "198.51.100.01", PROXY, id="an octal number is no address"),
        pytest.param(PROXY, "127.1", PROXY, id="a short form is no address"),
        pytest.param("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1", id="proxy over IPv6"),
        pytest.param("2001:db8:1::7", "198.51.100.1", "198.51.100.1", id="IPv6 proxy"),
        pytest.param(None, "198.51.100.1", "unknown", id="no peer"),
        pytest.param("unix:", "198.51.100.1", "unknown", id="a socket"),
    ],
)
def test_the_client_is_the_last_hop_that_is_not_a_trusted_proxy(
    peer: str | None, forwarded: str, client: str
) -> None:
    """Earlier hops may be forged."""
    assert PROXIES.client(peer, forwarded) == client


@cases(
    ("before", "sender"),
    [
        pytest.param("6.6.6.6, " * 100_000, "6.6.6.6", id="many addresses"),
        pytest.param("10.0.0.1, " * 100_000, "10.0.0.1", id="many proxies"),
        pytest.param("x" * 1_000_000 + ", ", "10.0.0.8", id="no address"),
        pytest.param("," * 1_000_000, "10.0.0.8", id="commas"),
    ],
)
def test_a_huge_header_is_read_from_its_end_only(before: str, sender: str) -> None:
    """The hop written by the nearest proxy is still found, and no hop that is cut in two counts."""
    assert PROXIES.client(PROXY, f"{before}198.51.100.1") == "198.51.100.1"
    assert PROXIES.client(PROXY, f"{before}10.0.0.8") == sender


def test_without_trusted_proxies_no_peer_is_trusted() -> None:
    """By default, the header of a direct client is ignored."""
    assert not TrustedProxies([]).trusts("127.0.0.1")


@cases(
    ("peer", "headers", "hint"),
    [
        pytest.param(
            PROXY, {"CF-IPCountry": "SA"}, {"countryCode": "SA", "source": "header"}, id="trusted"
        ),
        pytest.param(
            PROXY, {"CF-IPCountry": "kw"}, {"countryCode": "KW", "source": "header"}, id="any case"
        ),
        pytest.param(
            UNTRUSTED, {"CF-IPCountry": "SA"}, FALLBACK, id="spoofed by an untrusted peer"
        ),
        pytest.param(
            UNTRUSTED,
            {"CF-IPCountry": "SA", "X-Forwarded-For": PROXY},
            FALLBACK,
            id="an untrusted peer that names the proxy as sender",
        ),
        pytest.param(
            UNTRUSTED,
            {"CF-IPCountry": "SA", "Forwarded": f"for={PROXY}", "X-Real-IP": PROXY},
            FALLBACK,
            id="an untrusted peer with every other forwarding header",
        ),
        pytest.param(PROXY, {}, FALLBACK, id="trusted, no header"),
        pytest.param(PROXY, {"CF-IPCountry": "FR"}, FALLBACK, id="a country not served"),
        pytest.param(PROXY, {"CF-IPCountry": "XX"}, FALLBACK, id="country unknown to the proxy"),
        pytest.param(PROXY, {"CF-IPCountry": "SA, QA"}, FALLBACK, id="two countries"),
        pytest.param(PROXY, {"X-Country": "SA"}, FALLBACK, id="a header that is not configured"),
        pytest.param(PROXY, {"Accept-Language": "ar-SA"}, FALLBACK, id="a language"),
    ],
)
def test_the_hint_is_the_header_of_a_trusted_proxy_or_the_fallback(
    shared_visit: Visit, peer: str, headers: dict[str, str], hint: dict[str, str]
) -> None:
    """The API contract: the country comes only from the headers of trusted proxies."""
    visitor = shared_visit({}, trusted_proxies="10.0.0.0/8")
    assert visitor.ask("GET", HINT, headers, peer).json == hint


def test_without_trusted_proxies_the_country_header_is_ignored(shared_visit: Visit) -> None:
    """Any client may write it."""
    assert shared_visit({}).ask("GET", HINT, {"CF-IPCountry": "SA"}, "127.0.0.1").json == FALLBACK


def test_the_operator_chooses_the_country_header(shared_visit: Visit) -> None:
    """If another header is configured, the default one is ignored."""
    visitor = shared_visit({}, trusted_proxies="10.0.0.0/8", country_header="X-Country")
    assert visitor.ask("GET", HINT, {"X-Country": "OM"}, PROXY).json["countryCode"] == "OM"
    assert visitor.ask("GET", HINT, {"CF-IPCountry": "OM"}, PROXY).json == FALLBACK


@cases(
    ("languages", "lang"),
    [
        pytest.param("ar", "ar", id="Arabic"),
        pytest.param("ar-SA,ar;q=0.9,en;q=0.8", "ar", id="a Saudi browser"),
        pytest.param("en-GB,en;q=0.9,ar;q=0.8", "en", id="a British browser"),
        pytest.param("en;q=0.5, ar;q=0.9", "ar", id="quality before order"),
        pytest.param("fr, en;q=0.1", "en", id="the first that is served"),
        pytest.param("ar;q=0, en;q=0.1", "en", id="excluded by q=0"),
    ],
)
def test_the_root_redirects_to_the_preferred_language(
    shared_visit: Visit, languages: str, lang: str
) -> None:
    """The quality values of Accept-Language decide."""
    visitor = shared_visit({}, trusted_proxies="10.0.0.0/8")
    headers = {"CF-IPCountry": "QA", "Accept-Language": languages}
    assert visitor.ask("GET", ROUTING, headers, PROXY).json == {
        "redirect": f"/qa/{lang}",
        "country": "qa",
        "lang": lang,
    }


@cases(
    "languages",
    [
        pytest.param({}, id="none named"),
        pytest.param({"Accept-Language": "fr, de"}, id="none served"),
        pytest.param({"Accept-Language": "*"}, id="any"),
    ],
)
def test_a_country_has_a_default_language(shared_visit: Visit, languages: dict[str, str]) -> None:
    """`defaultLang` of `countries/` decides."""
    files = {"countries/sa.md": "---\ncode: SA\ndefaultLang: ar\n---\n"}
    visitor = shared_visit(files, trusted_proxies="10.0.0.0/8")
    reply = visitor.ask("GET", ROUTING, {"CF-IPCountry": "SA", **languages}, PROXY)
    assert reply.json["redirect"] == "/sa/ar"


def test_the_root_does_not_redirect_without_a_hint(sample: Visitor) -> None:
    """`redirect` is present and null."""
    body = sample.get(ROUTING, {"CF-IPCountry": "SA", "Accept-Language": "en"}).json
    assert body == {"redirect": None, "country": "ae", "lang": "en"}


def test_the_root_never_redirects_to_a_disabled_country(shared_visit: Visit) -> None:
    """Its pages do not exist."""
    files = {"countries/bh.md": "---\ncode: BH\nenabled: false\n---\n"}
    visitor = shared_visit(files, trusted_proxies="10.0.0.0/8")
    assert visitor.ask("GET", ROUTING, {"CF-IPCountry": "BH"}, PROXY).json["redirect"] is None


@pytest.mark.parametrize("path", [HINT, ROUTING])
def test_responses_about_a_reader_are_not_stored(sample: Visitor, path: str) -> None:
    """They are `private, no-store`, and do not contain the address."""
    reply = sample.ask("GET", path, peer=UNTRUSTED)
    assert reply.headers["Cache-Control"] == "private, no-store"
    assert UNTRUSTED not in reply.text + str(reply.headers)

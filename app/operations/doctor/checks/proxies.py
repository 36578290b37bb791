"""The proxies before the service: TRUSTED_PROXIES and COUNTRY_HEADER against what arrives."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from app.operations.doctor.facts import Facts, PublicFacts
from app.operations.doctor.finding import Finding, fault, ok, warning
from app.platform.asgi.client_address import TrustedProxies

_ADD = "Set TRUSTED_PROXIES to the addresses of the proxy, as the service sees them."


def judge(facts: Facts) -> Iterator[Finding]:
    """Judge who connects, and whether clients can forge what only a proxy should say."""
    yield from _trust(facts)
    if facts.public is not None and facts.public.hints:
        yield _country(facts.public, facts.settings.country_header)


def _trust(facts: Facts) -> Iterator[Finding]:
    trusted = facts.settings.trusted_proxies
    has_proxy = facts.settings.public_url.startswith("https:")
    strangers = _strangers(facts)
    if has_proxy and not trusted:
        seen = f" Connections come from {', '.join(strangers)}." if strangers else ""
        yield fault(
            "BASE_URL has TLS, so a proxy stands before the service, but TRUSTED_PROXIES is not"
            f" set: all clients share one rate limit.{seen}",
            _ADD,
        )
    elif has_proxy and strangers:
        yield warning(
            f"Connections come from {', '.join(strangers)}, which TRUSTED_PROXIES does not have.",
            f"{_ADD} Close the port to others.",
        )
    elif trusted:
        yield ok("All connections that are open come from TRUSTED_PROXIES.")


def _strangers(facts: Facts) -> list[str]:
    """Return the addresses that are connected and are not trusted."""
    proxies = TrustedProxies(facts.settings.trusted_proxies)
    unknown = [peer for peer in facts.peers if not proxies.trusts(peer)]
    return sorted(unknown, key=lambda peer: ip_address(peer.partition("%")[0]).packed)


def _country(public: PublicFacts, header: str) -> Finding:
    taken = [country for country, hint in public.hints.items() if hint == country != public.hint]
    if taken:
        return warning(
            f"{header} is taken from clients, who can write what they like: {', '.join(taken)}.",
            f"Let the proxy overwrite or remove {header}.",
        )
    if not any((public.hint, *public.hints.values())):
        return ok(f"Clients cannot set {header}.")
    return ok(f"The proxy sets {header}, whatever clients send.")

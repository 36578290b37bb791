"""The spam filter: assesses a lead by its content, its form token and earlier leads."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from ipaddress import ip_network
from typing import Any

from app.features.leads.assessment import Assessment, Fingerprint, Points, Reason
from app.features.leads.lead import Lead
from app.features.leads.spam_history import SIZE, HourlyLimits, Precedents, SpamHistory, sketch
from app.features.leads.spam_rules import email_domain, judge_content
from app.features.leads.validation import is_honeypot_filled

_PURPOSE = b"majlis lead fingerprint 1\n"
"""Digested too, so that the key gives nothing else by accident."""
_DIGITS = 32

Key = Callable[[], bytes]


class SpamFilter:
    """Assesses leads; `key` keeps its digests from being reversed."""

    def __init__(self, history: SpamHistory, key: Key, limits: HourlyLimits) -> None:
        self._history = history
        self._key = key
        self._limits = limits

    async def assess(
        self,
        lead: Lead,
        sent: Mapping[str, Any],
        now: datetime,
        client: str | None = None,
        form: Points | None = None,
    ) -> Assessment:
        """Return the assessment of a lead; `form` has the points of the form's token.

        `sent` are the fields as they were sent, among them the honeypot. Raises StoreUnavailable.
        """
        fingerprint, content = await asyncio.to_thread(_read, lead, client, self._key())
        precedents = await self._history.precedents(fingerprint, now, self._limits)
        honeypot = {Reason.HONEYPOT: 100} if is_honeypot_filled(sent) else {}
        is_long = len(fingerprint.sketch) == SIZE
        past = dict(judge_precedents(precedents, self._limits, is_long=is_long))
        return Assessment({**honeypot, **(form or {}), **content, **past}, fingerprint)


def _read(lead: Lead, client: str | None, key: bytes) -> tuple[Fingerprint, Points]:
    """Return what a lead says of itself; a long message takes milliseconds, so not in the loop."""
    return fingerprint_of(lead, client, key), judge_content(lead)


def judge_precedents(
    precedents: Precedents, limits: HourlyLimits, *, is_long: bool
) -> Iterator[tuple[Reason, int]]:
    """Yield the points of what earlier leads tell of a new one.

    Two people hardly write the same long text. One that was released once may come from many. What
    was released never outweighs a lead that is spam by three rules.
    """
    if precedents.same_text and not precedents.released_text:
        yield Reason.SAME_TEXT, 100 if is_long or precedents.same_text > 1 else 60
    if precedents.network >= limits.network:
        yield Reason.NETWORK, 100
    if precedents.accepted >= limits.total:
        yield Reason.VOLUME, 100
    if precedents.released_sender:
        yield Reason.RELEASED_SENDER, -100
    elif precedents.released_text:
        yield Reason.RELEASED_TEXT, -60
    elif precedents.released_domain:
        yield Reason.RELEASED_DOMAIN, -40


def fingerprint_of(lead: Lead, client: str | None, key: bytes) -> Fingerprint:
    """Return the keyed digests of sender, domain, network and text."""

    def digest(what: str, text: str) -> str:
        message = _PURPOSE + f"{what}\n{text}".encode()
        return hmac.digest(key, message, "sha256").hex()[:_DIGITS]

    network = network_of(client)
    return Fingerprint(
        digest("sender", lead.email_folded),
        digest("domain", email_domain(lead)),
        digest("network", network) if network else None,
        sketch(lead.message or "", lambda words: digest("text", words)),
    )


def network_of(client: str | None) -> str | None:
    """Return the network of a client: /24 of IPv4, /64 of IPv6; None if it is unknown.

    >>> network_of("203.0.113.7"), network_of("2001:db8::/64"), network_of("unknown")
    ('203.0.113.0/24', '2001:db8::/64', None)
    """
    if client is None:
        return None
    address = client.partition("/")[0]
    try:
        return str(ip_network(f"{address}/{64 if ':' in address else 24}", strict=False))
    except ValueError:
        return None

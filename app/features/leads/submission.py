"""Submission of a lead: validates and assesses the fields, stores the lead, returns the outcome."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_network
from typing import Any

from pydantic import Field, ValidationError

from app.features.leads.model import (
    CAMPAIGN_PARAMETERS,
    MAX_CAMPAIGN,
    NO_OPTIONS,
    Assessment,
    Fingerprint,
    Lead,
    LeadOptions,
    Points,
    Reason,
    Submission,
)
from app.features.leads.outcome import LeadOutcome
from app.features.leads.spam_history import SIZE, HourlyLimits, Precedents, SpamHistory, sketch
from app.features.leads.spam_rules import email_domain, judge_content
from app.features.leads.store import LeadStore
from app.platform.submitted_fields import FieldError, InvalidFields, field_errors, is_absent
from knowledge.resources.base import Resource
from knowledge.resources.errors import InvalidArgument
from knowledge.resources.site import own_topics
from knowledge.snapshot.snapshot import Snapshot

log = logging.getLogger(__name__)

KEY_HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[\x21-\x7e]{1,255}$"


class LeadReceipt(Resource):
    """The lead is stored durably under this id."""

    ok: bool = Field(True, description="Always true.")
    id: str = Field(description="Id of the lead.")


def idempotency_key(client: str, sent: str | None) -> str | None:
    """Return the digest of client and Idempotency-Key that is stored, or None without a key.

    Neither the key nor the client address can be recovered from it. Raises InvalidArgument if the
    key is malformed.
    """
    if sent is None:
        return None
    if not re.search(KEY_PATTERN, sent):
        raise InvalidArgument(KEY_HEADER, "malformed value", "1 to 255 visible ASCII characters")
    return hashlib.sha256(f"{client}\n{sent}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredSubmission:
    """The id of a stored lead, new or already present, the outcome to count, and why."""

    id: str
    outcome: LeadOutcome
    assessment: Assessment


@dataclass(frozen=True, slots=True)
class Sender:
    """Where a lead was sent from: the client's address, and what the token of its form tells."""

    client: str
    form: Points | None = None


async def submit_lead(
    store: LeadStore,
    spam_filter: SpamFilter,
    sender: Sender,
    fields: Mapping[str, Any],
    now: datetime,
    site: Snapshot | None,
    key: str | None = None,
    required: Collection[str] = (),
) -> StoredSubmission:
    """Validate and store a lead. Raises InvalidLead and the errors of the store.

    `site` is None as long as no content is loaded. `required` are the fields that the form of the
    site requires besides the e-mail address.
    """
    countries = [country.slug for country in site.locales.countries] if site else None
    lead = validate_lead(fields, countries, own_topics(site) if site else None, required)
    default = site.locales.default.country if site else None
    with store.in_flight(key):
        assessment = await spam_filter.assess(lead, fields, now, sender.client, sender.form)
        quarantined = assessment.is_spam
        new_id = str(uuid.uuid4())
        submission = Submission(new_id, lead, now, quarantined, key, default, assessment)
        lead_id = await store.add_in_flight(submission)
    outcome = LeadOutcome.QUARANTINED if quarantined else LeadOutcome.STORED
    submitted = StoredSubmission(
        lead_id, outcome if lead_id == submission.id else LeadOutcome.REPEATED, assessment
    )
    log.info("Lead %s %s", submitted.id, submitted.outcome)
    return submitted


HONEYPOT_FIELD = "website"
"""A hidden form field: people leave it empty, spam bots fill it in."""

_ALLOWED: Mapping[str, str] = {
    "email": "an address such as noor@example.com, at most 254 characters",
    "name": "text of at most 120 characters",
    "phone": "text of at most 32 characters",
    "company": "text of at most 255 characters",
    "topic": "demo, pricing, support or other",
    "message": "text of at most 5000 characters",
    "sourcePage": "a site path that starts with /, at most 2048 characters",
    "source": "text of at most 120 characters",
    "productService": "text of at most 160 characters",
    "countryCode": "two letters",
    "localeCountry": "the slug of a country, such as sa",
    "localeLang": "en or ar",
    "page": "a site path that starts with /, at most 2048 characters",
    **dict.fromkeys(CAMPAIGN_PARAMETERS, f"text of at most {MAX_CAMPAIGN} characters"),
    "subject": "one of the own topics of the site's form",
}


class InvalidLead(InvalidFields):
    """One or more fields of a lead are invalid."""

    def __init__(self, errors: Mapping[str, FieldError], options: LeadOptions = NO_OPTIONS) -> None:
        chosen = {"localeCountry": options.countries, "subject": options.subjects}
        options_text = {name: _either(each) for name, each in chosen.items() if each}
        super().__init__(errors, {**_ALLOWED, **options_text})


def validate_lead(
    fields: Mapping[str, Any],
    countries: Sequence[str] | None,
    subjects: Sequence[str] | None = None,
    required: Collection[str] = (),
) -> Lead:
    """Return the lead with these fields; raises InvalidLead.

    `countries` are the slugs of the site's countries. If there are none, the field is ignored; if
    they are not known, because no content is loaded, any country is accepted. `subjects` are the
    site's own topics, None if they are not known. `required` are fields that must be there besides
    the e-mail address.
    """
    options = LeadOptions(countries or (), subjects)
    values = {
        name: value for name, value in fields.items() if countries != [] or name != "localeCountry"
    }
    errors = {name: FieldError.MISSING for name in required if is_absent(values.get(name))}
    try:
        lead = Lead.model_validate(values, context=options)
    except ValidationError as error:
        errors |= field_errors(error)
        raise InvalidLead(errors, options) from None
    if errors:
        raise InvalidLead(errors, options)
    return lead


def _either(options: Sequence[str]) -> str:
    """Return options as words.

    >>> _either(["ae", "sa", "eg"])
    'ae, sa or eg'
    """
    *first, last = options
    return f"{', '.join(first)} or {last}" if first else last


def is_honeypot_filled(fields: Mapping[str, Any]) -> bool:
    """Return whether the hidden field was filled in."""
    return not is_absent(fields.get(HONEYPOT_FIELD))


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

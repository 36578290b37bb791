"""Submission of a lead: validates and assesses the fields, stores the lead, returns the outcome."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import product
from typing import Any

from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from app.features.leads import LEADS, LEADS_SPAM
from app.features.leads.answers import (
    ANSWERS,
    Answers,
    UploadedFile,
    allowed_values,
    read_answers,
    suitable,
)
from app.features.leads.intake import KeyInFlight, KeyReused
from app.features.leads.model import (
    NO_OPTIONS,
    Assessment,
    Lead,
    LeadOptions,
    Points,
    Reason,
    Submission,
    phone_region,
)
from app.features.leads.spam_filter import SpamFilter
from app.features.leads.store import LeadStore
from app.platform.concurrency.executors import Overloaded
from app.platform.database import StoreUnavailable
from app.platform.limits.rate_limits import Bucket
from app.platform.observability.metrics import Metrics
from app.platform.submitted_fields import (
    FieldError,
    InvalidFields,
    field_errors,
    is_absent,
    mailbox,
)
from knowledge.blocks.form import Misfit, SiteForm
from knowledge.diagnostics.messages import Text
from knowledge.resources.base import Resource
from knowledge.resources.errors import InvalidArgument, MajlisError
from knowledge.resources.queries import MAX_ENQUIRED
from knowledge.resources.site import own_topics
from knowledge.snapshot.snapshot import Snapshot

log = logging.getLogger(__name__)

KEY_HEADER = "Idempotency-Key"
KEY_PATTERN = r"^[\x21-\x7e]{1,255}$"

LEADS_BUCKET = Bucket(
    "leads",
    12,
    600,
    "Enquiries, through the API and the contact form together",
    patience_seconds=1.0,
)


class LeadReceipt(Resource):
    """The lead is stored durably under this id."""

    ok: bool = True
    """Always true."""
    id: str
    """Id of the lead."""


def idempotency_key(client: str, sent: str | None) -> str | None:
    """Return a digest of client and Idempotency-Key, None without a key; raises InvalidArgument."""
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
class LeadSender:
    """Where a lead was sent from: the client's address, and what the token of its form tells."""

    client: str
    form: Points | None = None


LeadErrors = Mapping[str, FieldError | Misfit]
NO_ERRORS: LeadErrors = {}
Files = Mapping[str, Sequence[UploadedFile]]
"""The files of each field of a form."""
NO_FILES: Files = {}


async def submit_lead(
    store: LeadStore,
    spam_filter: SpamFilter,
    sender: LeadSender,
    fields: Mapping[str, Any],
    now: datetime,
    site: Snapshot | None,
    key: str | None = None,
    required: Collection[str] = (),
    asked: SiteForm | None = None,
    files: Files = NO_FILES,
) -> StoredSubmission:
    """Validate and store a lead. Raises InvalidLead and the errors of the store.

    `site` is None as long as no content is loaded; `required` are fields besides the address.
    `asked` is the form of the site that the fields are about, `files` has those of its fields.
    """
    countries = [country.slug for country in site.locales.countries] if site else None
    default = site.locales.default.country if site else None
    answers = Answers()
    if asked:
        region = phone_region(fields.get("countryCode"), fields.get("localeCountry"), default)
        answers = await asyncio.to_thread(read_answers, asked, fields, files, now, region)
        given = {name: value for name, value in fields.items() if not is_absent(value)}
        fields = {"topic": asked.topic, **given, ANSWERS: answers.values or None}
    lead = validate_lead(
        fields, countries, own_topics(site) if site else None, required, asked, answers.errors
    )
    with store.in_flight(key):
        assessment = await spam_filter.assess(lead, fields, now, sender.client, sender.form)
        quarantined = assessment.is_spam
        new_id = str(uuid.uuid4())
        submission = Submission(
            new_id,
            lead,
            now,
            quarantined,
            key,
            default,
            assessment,
            files=tuple(answers.files),
            notify=asked.told_of(asked.answers_of(fields)) if asked else (),
            copy_to=mailbox(lead.email) if asked and asked.sends_copy and lead.email else None,
        )
        lead_id = await store.add_in_flight(submission)
    outcome = LeadOutcome.QUARANTINED if quarantined else LeadOutcome.STORED
    submitted = StoredSubmission(
        lead_id, outcome if lead_id == submission.id else LeadOutcome.REPEATED, assessment
    )
    log.info("Lead %s %s", submitted.id, submitted.outcome)
    return submitted


_ALLOWED: Mapping[str, str] = {
    **{
        field.alias or name: Text("text of at most {} characters", most)
        for name, field in Lead.model_fields.items()
        for limit in field.metadata
        if (most := getattr(limit, "max_length", None))
    },
    "email": "an address such as noor@example.com, at most 254 characters",
    "topic": "demo, pricing, support or other",
    "sourcePage": "a site path that starts with /, at most 2048 characters",
    "countryCode": "two letters",
    "localeCountry": "the slug of a country, such as sa",
    "localeLang": "en or ar",
    "page": "a site path that starts with /, at most 2048 characters",
    "subject": "one of the own topics of the site's form",
    "form": "the name of a form of the site, at most 200 characters",
    "products": Text("a list of at most {} objects with slug and quantity", MAX_ENQUIRED),
    ANSWERS: "an object with the answers to the form that `form` names",
}


class InvalidLead(InvalidFields):
    """One or more fields of a lead are invalid."""

    errors: LeadErrors

    def __init__(
        self,
        errors: LeadErrors,
        options: LeadOptions = NO_OPTIONS,
        asked: SiteForm | None = None,
    ) -> None:
        chosen = {"localeCountry": options.countries, "subject": options.subjects}
        options_text = {name: _either(each) for name, each in chosen.items() if each}
        by_form = dict(allowed_values(asked)) if asked else {}
        by_form |= {
            key: suitable(each) for key, each in errors.items() if not isinstance(each, FieldError)
        }
        unknown = Text("no field of the form, but one of {}", tuple(by_form))
        allowed = {**dict.fromkeys(errors, unknown), **_ALLOWED, **options_text, **by_form}
        super().__init__(errors, allowed)


class UnknownForm(InvalidLead):
    """The site has no form of that name; `names` are those that it has."""

    def __init__(self, names: Collection[str]) -> None:
        error = {"form": FieldError.NO_OPTION}
        known = _either(sorted(names)) if names else "nothing, as the site declares none"
        InvalidFields.__init__(self, error, {"form": known})


def validate_lead(
    fields: Mapping[str, Any],
    countries: Sequence[str] | None,
    subjects: Sequence[str] | None = None,
    required: Collection[str] = (),
    asked: SiteForm | None = None,
    errors: LeadErrors = NO_ERRORS,
) -> Lead:
    """Return the lead with these fields; raises InvalidLead.

    `countries` and `subjects` are those of the site, None if no content is loaded: then any is
    accepted. Without countries the field is ignored. `required` are fields besides the address.
    With a form, what it requires takes the place of that; `errors` are those of its answers.
    """
    options = LeadOptions(countries or (), subjects)
    ignored = {"localeCountry"} if countries == [] else set()
    ignored |= {ANSWERS} if is_absent(fields.get(ANSWERS)) else set()
    values = {name: value for name, value in fields.items() if name not in ignored}
    needed = required if asked else (*required, "email")
    missing = {name: FieldError.MISSING for name in needed if is_absent(values.get(name))}
    if not asked and values.get(ANSWERS) is not None:
        missing["form"] = FieldError.MISSING
    try:
        lead = Lead.model_validate(values, context=options)
    except ValidationError as error:
        raise InvalidLead({**missing, **field_errors(error), **errors}, options, asked) from None
    if missing or errors:
        raise InvalidLead({**missing, **errors}, options, asked)
    return lead


def _either(options: Sequence[str]) -> str:
    """Return options as words.

    >>> _either(["ae", "sa", "eg"])
    'ae, sa or eg'
    """
    *first, last = options
    return Text("{} or {}", tuple(first), last) if first else last


class LeadChannel(StrEnum):
    """How a lead was submitted."""

    API = "api"
    FORM = "form"


class LeadOutcome(StrEnum):
    """What happened to a submitted lead."""

    STORED = "stored"
    QUARANTINED = "quarantined"
    REPEATED = "repeated"
    CONFLICT = "conflict"
    REFUSED = "refused"
    FAILED = "failed"


_AGAINST = frozenset(each for each in Reason if not each.startswith("released"))
"""The reasons that speak against a lead."""


def init_metrics(metrics: Metrics) -> None:
    """Export every counter as 0: Prometheus sees no increase in a counter that starts at 1."""
    for channel, outcome in product(LeadChannel, LeadOutcome):
        metrics.count(LEADS, channel, outcome, by=0)
    for reason in _AGAINST:
        metrics.count(LEADS_SPAM, reason, by=0)


@contextmanager
def counted(metrics: Metrics, channel: LeadChannel) -> Iterator[Callable[[StoredSubmission], None]]:
    """Count one lead by the submission that the block passes on, or by the error that it raises."""

    def count(submitted: StoredSubmission) -> None:
        metrics.count(LEADS, channel, submitted.outcome)
        if submitted.outcome is LeadOutcome.QUARANTINED:
            for reason in submitted.assessment.points.keys() & _AGAINST:
                metrics.count(LEADS_SPAM, reason)

    try:
        yield count
    except Exception as error:
        metrics.count(LEADS, channel, _outcome_of(error))
        raise


def _outcome_of(error: Exception) -> LeadOutcome:
    if isinstance(error, KeyInFlight | KeyReused):
        return LeadOutcome.CONFLICT
    refused = isinstance(error, MajlisError | HTTPException)
    if refused and not isinstance(error, StoreUnavailable | Overloaded):
        return LeadOutcome.REFUSED
    return LeadOutcome.FAILED

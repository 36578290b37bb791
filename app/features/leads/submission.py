"""Submission of a lead: validates the fields, stores the lead, returns its id and outcome."""

from __future__ import annotations

import hashlib
import logging
import re
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import Field

from app.features.leads.assessment import Assessment, Points
from app.features.leads.lead import Submission
from app.features.leads.outcome import LeadOutcome
from app.features.leads.spam_filter import SpamFilter
from app.features.leads.store import LeadStore
from app.features.leads.validation import validate_lead
from knowledge.resources.base import Resource
from knowledge.resources.contact_form import own_topics
from knowledge.resources.errors import InvalidArgument
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

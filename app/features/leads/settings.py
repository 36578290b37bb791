"""Settings of leads: how long they stay, what judges them, and who is told."""

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from app.platform.settings import (
    LONGEST_RETENTION_DAYS,
    ServiceSettings,
    WebAddress,
    WebhookSecret,
    parts,
)
from knowledge.fields.field_types import is_email

TURNSTILE_URL = "https://challenges.cloudflare.com/turnstile/v0/siteverify"
"""Where Cloudflare tells whether an answer to Turnstile is valid."""


class LeadSettings(ServiceSettings):
    """Leads."""

    lead_retention_days: int | None = Field(None, ge=1, le=LONGEST_RETENTION_DAYS)
    """Days after which leads are deleted, at most 36500; if unset, they are kept."""
    lead_anonymise_days: int | None = Field(None, ge=1, le=LONGEST_RETENTION_DAYS)
    """Days after which leads lose what identifies a person, at most 36500; if unset, they keep it;
    see [operating.md](leads.md#anonymised-leads)."""
    leads_key_file: Path = Path("var/leads.key")
    """Key that signs the contact form and digests the origins of leads; made at first use, see
    [leads.md](leads.md#spam); [one for all machines](several-machines.md#keys)."""
    leads_per_network: int = Field(20, ge=1)
    """Leads accepted from one network per hour; more go to quarantine."""
    leads_per_hour: int = Field(200, ge=1)
    """Leads accepted from everybody per hour; more go to quarantine."""
    leads_webhook_url: WebAddress = Field("", repr=False)
    """URL that is told of every lead, see [leads.md](leads.md)."""
    leads_webhook_secret: WebhookSecret = Field("", repr=False)
    """`whsec_` and base64: the key that signs these events; if unset, they are unsigned."""
    leads_mapping: Path | None = None
    """YAML file with the body and headers that a CRM expects at `LEADS_WEBHOOK_URL`, see
    [leads.md](leads.md#a-crm)."""
    turnstile_site_key: str = ""
    """Site key of Cloudflare Turnstile."""
    turnstile_secret: str = Field("", repr=False)
    """Secret key of Cloudflare Turnstile."""
    turnstile_url: WebAddress = TURNSTILE_URL
    """Where its answers are verified; another URL is for tests."""
    leads_proof: Literal["off", "altcha", "turnstile"] = "off"
    """`altcha` or `turnstile`: proof of a browser that the contact form asks for, see
    [leads.md](leads.md#spam)."""
    leads_email_to: str = ""
    """E-mail addresses that are told of every lead, separated by commas; needs `SMTP_URL`."""
    leads_email_from: str = ""
    """Sender of these mails; without it the first of `LEADS_EMAIL_TO`."""
    leads_email_language: Literal["en", "ar", "page"] = "en"
    """Language of these mails: `en`, `ar`, or `page` for that of the page with the form."""
    leads_email_commands: Literal["on", "off"] = "off"
    """`on`: these mails name the commands that show a lead and its files, for who has a shell."""

    @field_validator("leads_proof")
    @classmethod
    def _proof(cls, kind: str, others: ValidationInfo) -> str:
        names = ("turnstile_site_key", "turnstile_secret")
        if kind == "turnstile" and not all(others.data.get(name) for name in names):
            raise ValueError("set TURNSTILE_SITE_KEY and TURNSTILE_SECRET too")
        return kind

    @field_validator("leads_mapping")
    @classmethod
    def _mapping(cls, path: Path | None, others: ValidationInfo) -> Path | None:
        if path is not None and not others.data.get("leads_webhook_url"):
            raise ValueError("set LEADS_WEBHOOK_URL too, the address of the CRM")
        return path

    @field_validator("leads_email_to", "leads_email_from")
    @classmethod
    def _email_addresses(cls, addresses: str, others: ValidationInfo) -> str:
        listed = parts(addresses)
        if not all(is_email(each) and each.isascii() for each in listed):
            raise ValueError("use addresses such as sales@example.com, of ASCII characters")
        if len({each.casefold() for each in listed}) < len(listed):
            raise ValueError("use each address once")
        if others.field_name == "leads_email_from" and len(listed) > 1:
            raise ValueError("use one address")
        if listed and not others.data.get("smtp_url"):
            raise ValueError("set SMTP_URL too, the mail server")
        return addresses

    @property
    def lead_recipients(self) -> tuple[str, ...]:
        """The e-mail addresses that are told of leads."""
        return parts(self.leads_email_to)

    @property
    def lead_sender(self) -> str:
        """The address from which mails about leads come."""
        return self.leads_email_from or next(iter(self.lead_recipients), "")

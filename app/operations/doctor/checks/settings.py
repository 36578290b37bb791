"""Settings that are valid each by itself, but not what an operator can want."""

from __future__ import annotations

from collections.abc import Iterator

from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding, fault, ok, warning
from app.settings import Settings


def judge(facts: Facts) -> Iterator[Finding]:
    """Judge what does not fit together, and names that may be misspelt."""
    findings = [*_misspelt(facts), *_contradictions(facts.settings), *_unsigned(facts.settings)]
    yield from findings or [ok("All settings are valid.")]


def _misspelt(facts: Facts) -> Iterator[Finding]:
    for name, similar in facts.similar_names.items():
        yield warning(f"{name} is not a setting.", f"Write {similar} if you mean that.")


def _contradictions(settings: Settings) -> Iterator[Finding]:
    if not settings.base_url:
        yield warning(
            f"BASE_URL is not set: all links start with {settings.public_url}.",
            "Set BASE_URL to the public address, such as https://www.example.com.",
        )
    if settings.metrics_port == settings.port:
        yield fault("METRICS_PORT and PORT are the same.", "Set METRICS_PORT to another port.")
    keeps, anonymises = settings.lead_retention_days, settings.lead_anonymise_days
    if keeps and anonymises and anonymises >= keeps:
        yield warning(
            "LEAD_ANONYMISE_DAYS is not shorter than LEAD_RETENTION_DAYS: leads are deleted first.",
            "Set LEAD_ANONYMISE_DAYS to a shorter time, or remove it.",
        )


def _unsigned(settings: Settings) -> Iterator[Finding]:
    # A CRM has its own way of knowing who sends: a header of the mapping.
    leads_url = "" if settings.leads_mapping else settings.leads_webhook_url
    pairs = {
        "LEADS_WEBHOOK": (leads_url, settings.leads_webhook_secret),
        "ERP_WEBHOOK": (settings.erp_webhook_url, settings.erp_webhook_secret),
        "CHANGES_WEBHOOK": (settings.changes_webhook_url, settings.changes_webhook_secret),
        "CDN_PURGE": (settings.cdn_purge_url, settings.cdn_purge_secret),
    }
    for name, (url, secret) in pairs.items():
        if url and not secret:
            yield warning(
                f"{name}_SECRET is not set: receivers cannot tell who sends.",
                f"Set {name}_SECRET to whsec_ and the output of `openssl rand -base64 32`.",
            )

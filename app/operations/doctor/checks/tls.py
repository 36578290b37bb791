"""The certificate of BASE_URL: whether browsers accept it, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from app.operations.doctor.facts import Facts
from app.operations.doctor.finding import Finding, fault, ok, warning

SOON = timedelta(days=14)
"""Certificates are renewed earlier than this, so that something went wrong."""


def judge(facts: Facts) -> Iterator[Finding]:
    """Judge the certificate, if the address has TLS."""
    if facts.public is None or facts.public.certificate is None:
        return
    certificate = facts.public.certificate
    if certificate.problem or certificate.valid_until is None:
        yield fault(
            f"Clients do not accept the TLS of BASE_URL: {certificate.problem}.",
            "Renew the certificate, for this name and with its chain, and reload the proxy.",
        )
        return
    left = certificate.valid_until - facts.now
    until = f"{certificate.valid_until:%Y-%m-%d}"
    if left < SOON:
        yield warning(
            f"The certificate is valid for {left.days} more days, until {until}.",
            "Renew it, and check why it was not renewed by itself.",
        )
    else:
        yield ok(f"The certificate is valid for {left.days} more days, until {until}.")

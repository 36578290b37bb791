"""Settings that are valid each by itself, but not what an operator can want."""

from __future__ import annotations

from collections.abc import Iterator
from pkgutil import resolve_name

from app.feature import features
from app.operations.doctor.facts import Facts, Finding, fault, ok, warning
from app.operations.doctor.gathering import receivers_of
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
    for feature in features():
        if feature.advice:
            yield from (warning(*advice) for advice in resolve_name(feature.advice)(settings))


def _unsigned(settings: Settings) -> Iterator[Finding]:
    for receiver in receivers_of(settings):
        if receiver.is_unsigned:
            secret = f"{receiver.variable.removesuffix('_URL')}_SECRET"
            yield warning(
                f"{secret} is not set: receivers cannot tell who sends.",
                f"Set {secret} to whsec_ and the output of `openssl rand -base64 32`.",
            )

"""Validation of submitted fields; reports all invalid fields at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from app.features.leads.lead import (
    CAMPAIGN_PARAMETERS,
    MAX_CAMPAIGN,
    NO_OPTIONS,
    Lead,
    LeadOptions,
)
from app.platform.field_errors import (
    FieldError,
    InvalidFields,
    field_errors,
    is_absent,
)

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

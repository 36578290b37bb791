"""Validation of submitted fields; reports all invalid fields at once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.leads.lead import Lead
from knowledge.errors import MajlisError

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
    "localeCountry": "ae, sa, qa, om, kw or bh",
    "localeLang": "en or ar",
}

_FREE_TEXT = frozenset({"email", "name", "phone", "company", "message", "source", "productService"})
"""Free-text fields: an empty value counts as absent."""


class FieldError(StrEnum):
    """What is wrong with a field."""

    MISSING = "missing"
    NOT_TEXT = "not a string"
    TOO_LONG = "too long"
    MALFORMED = "malformed"
    NO_OPTION = "not one of the allowed values"


class InvalidLead(MajlisError):
    """One or more fields are invalid; `errors` has all of them by their API name."""

    status = 400

    def __init__(self, errors: Mapping[str, FieldError]) -> None:
        problems = "; ".join(f"{name}: {error}" for name, error in errors.items())
        allowed = "; ".join(f"{name} as {_ALLOWED[name]}" for name in errors)
        super().__init__(problems, f"Send {allowed}.")
        self.errors = errors


def validate_lead(fields: Mapping[str, Any]) -> Lead:
    """Return the lead with these fields; raises InvalidLead."""
    try:
        return Lead.model_validate(
            {
                name: _none_if_blank(value) if name in _FREE_TEXT else value
                for name, value in fields.items()
            }
        )
    except ValidationError as error:
        errors = {str(detail["loc"][0]): _field_error(detail) for detail in error.errors()}
        raise InvalidLead(errors) from None


def is_honeypot_filled(fields: Mapping[str, Any]) -> bool:
    """Return whether the hidden field was filled in."""
    return _none_if_blank(fields.get(HONEYPOT_FIELD)) is not None


def _none_if_blank(value: object) -> object:
    """Return None for a blank text: HTML forms send every field, even empty ones."""
    return None if isinstance(value, str) and not value.strip() else value


_FIELD_ERRORS: Mapping[str, FieldError] = {
    "missing": FieldError.MISSING,
    "string_type": FieldError.NOT_TEXT,
    "string_too_long": FieldError.TOO_LONG,
    "too_long": FieldError.TOO_LONG,
    "literal_error": FieldError.NO_OPTION,
    "no_option": FieldError.NO_OPTION,
}
"""Field error by type of Pydantic's error; any other type is MALFORMED."""


def _field_error(detail: ErrorDetails) -> FieldError:
    if detail["input"] is None:
        return FieldError.MISSING
    return _FIELD_ERRORS.get(detail["type"], FieldError.MALFORMED)

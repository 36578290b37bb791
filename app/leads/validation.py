"""Reading a lead from what was sent: the lead, or every wrong field at once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.leads.lead import Lead
from knowledge.errors import MajlisError

HONEYPOT_FIELD = "website"
"""A field that people do not see, and programs fill."""

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

_FREE = frozenset({"email", "name", "phone", "company", "message", "source", "productService"})
"""Fields that hold any text, so that an empty one is an absent one."""


class FieldError(StrEnum):
    """What can be wrong with one field."""

    MISSING = "it is missing"
    NOT_TEXT = "it is no text"
    TOO_LONG = "it is too long"
    MALFORMED = "it is malformed"
    NO_OPTION = "it is none of the values allowed"


class InvalidLead(MajlisError):
    """Fields that are wrong, all of them, by the name that the sender used."""

    def __init__(self, faults: Mapping[str, FieldError]) -> None:
        named = "; ".join(f"{name}: {fault}" for name, fault in faults.items())
        wanted = "; ".join(f"{name} as {_ALLOWED[name]}" for name in faults)
        super().__init__(named, f"Send {wanted}.")
        self.faults = faults


def validate_lead(fields: Mapping[str, Any]) -> Lead:
    """The lead in these fields; raises InvalidLead."""
    try:
        return Lead.model_validate(
            {name: _present(value) if name in _FREE else value for name, value in fields.items()}
        )
    except ValidationError as error:
        faults = {str(each["loc"][0]): _fault(each) for each in error.errors()}
        raise InvalidLead(faults) from None


def is_honeypot_filled(fields: Mapping[str, Any]) -> bool:
    """Whether the field that people do not see was filled."""
    return _present(fields.get(HONEYPOT_FIELD)) is not None


def _present(value: object) -> object:
    """An empty text is an absent one, as forms send every field."""
    return None if isinstance(value, str) and not value.strip() else value


_FAULTS: Mapping[str, FieldError] = {
    "missing": FieldError.MISSING,
    "string_type": FieldError.NOT_TEXT,
    "string_too_long": FieldError.TOO_LONG,
    "too_long": FieldError.TOO_LONG,
    "string_pattern_mismatch": FieldError.MALFORMED,
    "string_unicode": FieldError.MALFORMED,
    "malformed": FieldError.MALFORMED,
    "literal_error": FieldError.NO_OPTION,
    "no_option": FieldError.NO_OPTION,
}
"""Fault by pydantic's name of it, and by ours."""


def _fault(detail: ErrorDetails) -> FieldError:
    return FieldError.MISSING if detail["input"] is None else _FAULTS[detail["type"]]

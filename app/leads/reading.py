"""Reading a lead from what was sent: the lead, or every wrong field at once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.leads.lead import Lead
from knowledge.errors import KnowledgeError

TRAP = "website"
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


class Fault(StrEnum):
    """What can be wrong with one field."""

    MISSING = "it is missing"
    NOT_TEXT = "it is no text"
    TOO_LONG = "it is too long"
    MALFORMED = "it is malformed"
    NO_OPTION = "it is none of the values allowed"


class InvalidLead(KnowledgeError):
    """Fields that are wrong, all of them, by the name that the sender used."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        named = "; ".join(f"{name}: {fault}" for name, fault in faults.items())
        wanted = "; ".join(f"{name} as {_ALLOWED[name]}" for name in faults)
        super().__init__(named, f"Send {wanted}.")
        self.faults = faults


def read_lead(fields: Mapping[str, Any]) -> Lead:
    """The lead in these fields; raises InvalidLead."""
    try:
        return Lead.model_validate({name: _present(value) for name, value in fields.items()})
    except ValidationError as error:
        faults = {str(each["loc"][0]): _fault(each) for each in error.errors()}
        raise InvalidLead(faults) from None


def is_trapped(fields: Mapping[str, Any]) -> bool:
    """Whether the field that people do not see was filled."""
    return _present(fields.get(TRAP)) is not None


def _present(value: object) -> object:
    """An empty text is an absent one, as forms send every field."""
    return None if isinstance(value, str) and not value.strip() else value


_FAULTS: Mapping[str, Fault] = {
    "missing": Fault.MISSING,
    "string_type": Fault.NOT_TEXT,
    "string_too_long": Fault.TOO_LONG,
    "too_long": Fault.TOO_LONG,
    "string_pattern_mismatch": Fault.MALFORMED,
    "string_unicode": Fault.MALFORMED,
    "malformed": Fault.MALFORMED,
    "literal_error": Fault.NO_OPTION,
    "no_option": Fault.NO_OPTION,
}
"""Fault by pydantic's name of it, and by ours."""


def _fault(detail: ErrorDetails) -> Fault:
    return Fault.MISSING if detail["input"] is None else _FAULTS[detail["type"]]

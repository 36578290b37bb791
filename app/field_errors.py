"""Field errors: what is wrong with the fields of a submitted body, all of them at once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from knowledge.errors import MajlisError


class FieldError(StrEnum):
    """What is wrong with a field."""

    MISSING = "missing"
    NOT_TEXT = "not a string"
    TOO_LONG = "too long"
    MALFORMED = "malformed"
    NO_OPTION = "not one of the allowed values"


class InvalidFields(MajlisError):
    """One or more fields are invalid; `errors` has all of them by their API name.

    `allowed` describes the valid values of each field.
    """

    status = 400

    def __init__(self, errors: Mapping[str, FieldError], allowed: Mapping[str, str]) -> None:
        problems = "; ".join(f"{name}: {error}" for name, error in errors.items())
        advice = "; ".join(f"{name} as {allowed[name]}" for name in errors)
        super().__init__(problems, f"Send {advice}.")
        self.errors = errors


_FIELD_ERRORS: Mapping[str, FieldError] = {
    "missing": FieldError.MISSING,
    "string_type": FieldError.NOT_TEXT,
    "string_too_long": FieldError.TOO_LONG,
    "too_long": FieldError.TOO_LONG,
    "literal_error": FieldError.NO_OPTION,
    "no_option": FieldError.NO_OPTION,
}
"""Field error by type of Pydantic's error; any other type is MALFORMED."""


def field_errors(error: ValidationError) -> dict[str, FieldError]:
    """Return what is wrong with each field, by its API name."""
    return {str(detail["loc"][0]): _field_error(detail) for detail in error.errors()}


def _field_error(detail: ErrorDetails) -> FieldError:
    if detail["input"] is None:
        return FieldError.MISSING
    return _FIELD_ERRORS.get(detail["type"], FieldError.MALFORMED)

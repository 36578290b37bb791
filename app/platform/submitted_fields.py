"""Submitted fields: which count as sent, what is wrong with them, and e-mail addresses."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, partial, reduce
from itertools import groupby
from typing import Any

from pydantic import AfterValidator, BaseModel, ValidationError, model_validator

from knowledge.diagnostics.messages import Text
from knowledge.resources.errors import MajlisError


class FieldError(StrEnum):
    """What is wrong with a field."""

    MISSING = "missing"
    NOT_TEXT = "not a string"
    TOO_LONG = "too long"
    MALFORMED = "malformed"
    NO_OPTION = "not one of the allowed values"
    ONE_OF = "missing, as are those that may stand for it"
    TOO_LARGE = "too large"
    TOO_MANY = "too many"
    WRONG_TYPE = "not of an accepted type"


class InvalidFields(MajlisError):
    """Fields are invalid: `errors` by their API name, and `allowed`, the valid values of each."""

    status = 400
    errors: Mapping[str, object]

    def __init__(self, errors: Mapping[str, object], allowed: Mapping[str, str]) -> None:
        problems = "; ".join(f"{name}: {error}" for name, error in errors.items())
        alike = groupby(errors, allowed.__getitem__)
        advice = [Text("{} as {}", ", ".join(names), text) for text, names in alike]
        super().__init__(problems, Text("Send {}.", reduce(partial(Text, "{}; {}"), advice)))
        self.errors = errors


def must(allowed: Callable[[Any], object], problem: str) -> AfterValidator:
    """Return a validator that refuses what is not allowed, with a message."""

    def check(value: Any) -> Any:
        if not allowed(value):
            raise ValueError(problem)
        return value

    return AfterValidator(check)


_FIELD_ERRORS: Mapping[str, FieldError] = {
    "missing": FieldError.MISSING,
    "string_type": FieldError.NOT_TEXT,
    "string_too_long": FieldError.TOO_LONG,
    "too_long": FieldError.TOO_LONG,
    "literal_error": FieldError.NO_OPTION,
    "no_option": FieldError.NO_OPTION,
}
"""Field error by type of Pydantic's error; any other type is MALFORMED."""


def is_absent(value: object) -> bool:
    """Return whether a field or an argument counts as not sent: forms send every field.

    >>> [is_absent(value) for value in (None, "", " ", 0, "0")]
    [True, True, True, False, False]
    """
    return value is None or (isinstance(value, str) and not value.strip())


class SubmittedFields(BaseModel):
    """Base class of what clients send: an optional field that is absent has its default."""

    @model_validator(mode="before")
    @classmethod
    def _without_absent(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            return fields
        return {
            name: value
            for name, value in fields.items()
            if value is None or not is_absent(value) or name in cls._required()
        }

    @classmethod
    @cache
    def _required(cls) -> frozenset[str]:
        """Return the names of the fields that must be sent; an error tells what is wrong there."""
        named = ((field.alias or name, field) for name, field in cls.model_fields.items())
        return frozenset(name for name, field in named if field.is_required())


def field_errors(error: ValidationError) -> dict[str, FieldError]:
    """Return what is wrong with each field, by its API name."""
    return {
        str(each["loc"][0]): FieldError.MISSING
        if is_absent(each["input"])
        else _FIELD_ERRORS.get(each["type"], FieldError.MALFORMED)
        for each in error.errors()
    }


def normalize_email(email: str) -> str:
    """Return an e-mail address in the form used for comparison: stripped and case-folded.

    >>> normalize_email(" Noor@Example.COM")
    'noor@example.com'
    """
    return email.strip().casefold()


_WITHOUT_DOTS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""The hosts that ignore dots in the name of a mailbox, and what they are one with."""


def mailbox(email: str) -> str:
    """Return the mailbox to which an address leads, as far as all or known hosts tell.

    >>> mailbox("Noor+news@shop.test"), mailbox("n.o.o.r+1@googlemail.com"), mailbox("+a@shop.test")
    ('noor@shop.test', 'noor@gmail.com', '+a@shop.test')
    """
    name, _, host = normalize_email(email).rpartition("@")
    name = name.partition("+")[0] or name
    if host in _WITHOUT_DOTS:
        name = name.replace(".", "")
    return f"{name}@{_WITHOUT_DOTS.get(host, host)}"

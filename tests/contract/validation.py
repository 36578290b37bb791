"""Validation of bodies against the schemas of the API contract."""

from contract.schemas import Schema
from jsonschema import Draft202012Validator, FormatChecker

# Listed explicitly: a format whose package is not installed fails here instead of being ignored.
FORMATS = FormatChecker(formats=("date-time", "uri", "email"))


def violations(schema: Schema, instance: object) -> list[str]:
    """Return every violation of `schema`, each with its JSON path; empty if valid."""
    errors = Draft202012Validator(schema, format_checker=FORMATS).iter_errors(instance)
    return sorted(f"{error.json_path}: {error.message}" for error in errors)

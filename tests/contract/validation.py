"""Checks a body against a contract schema and says where it breaks it."""

from contract.schemas import Schema
from jsonschema import Draft202012Validator, FormatChecker

# Named one by one: a format whose package is not installed fails here, instead of passing unseen.
FORMATS = FormatChecker(formats=("date-time", "uri", "email"))


def violations(schema: Schema, instance: object) -> list[str]:
    """Every way `instance` breaks `schema`, each led by its JSON path; empty when it keeps it."""
    errors = Draft202012Validator(schema, format_checker=FORMATS).iter_errors(instance)
    return sorted(f"{error.json_path}: {error.message}" for error in errors)

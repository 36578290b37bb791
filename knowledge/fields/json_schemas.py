"""JSON Schemas of what authors may write for each type of value, for editors.

They describe values as YAML 1.2 reads them, and accept the same values in quotes.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import WithJsonSchema

from knowledge.locales.locale import Language, country_codes

JsonSchema = dict[str, Any]

SCALAR: JsonSchema = {"type": ["string", "number", "boolean"]}
_OPTIONAL_SCALAR: JsonSchema = {"type": ["string", "number", "boolean", "null"]}
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DATE = (
    r"^\s*(?:"
    r"\d{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])(?:[Tt ].+)?"
    r"|\d{4}/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])"
    r"|\d{8}(?:[Tt ].+)?"
    rf"|(?:\S.*)?(?:{_MONTHS}).*\d{{4}}.*"
    r")\s*$"
)
_WEB_ADDRESS = r"^\s*(?:(?:/|https?://)[^\s<>\"\\^`{|}]*\s*)?$"
_AMOUNT = r"^\s*\d{1,12}(?:\.\d{1,20})?\s*$"
_BOOLEANS = ("true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0")
_NESTED_IMAGE = ("image", "src", "url", "path", "relative")


def written(schema: JsonSchema) -> WithJsonSchema:
    """Return the annotation of a type whose written values have a schema."""
    return WithJsonSchema(schema, mode="validation")


def _any_case(words: Iterable[str], rest: str = "") -> str:
    """Return the pattern of words in any letter case; JSON Schema has no flags.

    >>> _any_case(["ae", "sa"])
    '^(?:[Aa][Ee]|[Ss][Aa])$'
    """
    spelled = (
        re.sub("[a-z]", lambda letter: f"[{letter[0].upper()}{letter[0]}]", word.lower())
        for word in words
    )
    return f"^(?:{'|'.join(spelled)}){rest}$"


LOCALIZED_TEXT: JsonSchema = {
    "anyOf": [
        SCALAR,
        {
            "type": "object",
            "properties": {str(language): _OPTIONAL_SCALAR for language in Language},
            "additionalProperties": False,
        },
    ]
}
FIRST_TEXT: JsonSchema = {"anyOf": [SCALAR, {"type": "array", "items": _OPTIONAL_SCALAR}]}
TEXT_LIST: JsonSchema = {
    "anyOf": [{"type": "array", "items": _OPTIONAL_SCALAR}, {"type": ["string", "number"]}]
}
"""A list that may also be one line."""

DATE: JsonSchema = {"type": "string", "pattern": _DATE}
COUNTRY: JsonSchema = {
    "anyOf": [
        {"enum": sorted(code.lower() for code in country_codes())},
        {"type": "string", "pattern": _any_case(sorted(country_codes()))},
    ]
}
COUNTRIES: JsonSchema = {
    "anyOf": [
        {"type": "array", "items": COUNTRY},
        {"type": "string", "pattern": _any_case(sorted(country_codes()), r"(?:[\s,]+\w\w)*")},
    ]
}
LANGUAGE: JsonSchema = {
    "anyOf": [
        {"enum": [str(language) for language in Language]},
        {"type": "string", "pattern": _any_case(Language, "(?:[-_].*)?")},
    ]
}
TEXT_LANGUAGE: JsonSchema = {"type": "string", "pattern": r"^[A-Za-z]{2,8}(?:[-_].*)?$"}
PRICE: JsonSchema = {
    "anyOf": [
        {"type": "string", "pattern": _AMOUNT},
        {"type": "number", "minimum": 0, "exclusiveMaximum": 10**12},
    ]
}
CURRENCY: JsonSchema = {"type": "string", "pattern": r"^\s*[A-Za-z]{3}\s*$"}
IMAGE: JsonSchema = {
    "anyOf": [
        {"type": "string"},
        {"type": "object", "properties": {name: {"type": "string"} for name in _NESTED_IMAGE}},
    ]
}
URL: JsonSchema = {"type": "string", "pattern": _WEB_ADDRESS}
_AUTHOR: JsonSchema = {
    "anyOf": [
        *LOCALIZED_TEXT["anyOf"],
        {
            "type": "object",
            "properties": {
                "name": LOCALIZED_TEXT,
                "url": {"type": "string"},
                "title": LOCALIZED_TEXT,
                "image": IMAGE,
            },
            "required": ["name"],
        },
    ]
}
AUTHORS: JsonSchema = {"anyOf": [*_AUTHOR["anyOf"], {"type": "array", "items": _AUTHOR}]}
BOOLEAN: JsonSchema = {
    "anyOf": [
        {"type": "boolean"},
        {"enum": [0, 1]},
        {"pattern": _any_case(_BOOLEANS), "type": "string"},
    ]
}


def number(schema: Mapping[str, Any], whole: bool) -> JsonSchema:
    """Return the schema of a number that may also be in quotes."""
    return {"anyOf": [dict(schema), {"type": "string", "pattern": _digits(schema, whole)}]}


def _digits(schema: Mapping[str, Any], whole: bool) -> str:
    """Return the pattern of a number in quotes; of a few digits, with its bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    fraction = "" if whole else r"(?:\.\d*)?"
    if low is not None and high is not None and 0 <= low < high <= 9:
        last = str(high) if whole else rf"{high}(?:\.0*)?"
        return rf"^\s*(?:[{low}-{high - 1}]{fraction}|{last})\s*$"
    sign = r"\+?" if low is not None and low >= 0 else "[-+]?"
    return rf"^\s*{sign}\d+{fraction}\s*$"


def field_docstrings(model: type) -> Mapping[str, str]:
    """Return the docstrings below the fields of a class, its base classes included."""
    texts: dict[str, str] = {}
    for each in reversed(model.__mro__):
        texts |= _by_class(each.__module__).get(each.__qualname__, {})
    return texts


@cache
def _by_class(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return the field docstrings of the top-level classes of a module, by the class's name."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (OSError, TypeError):  # a module of C, or one without its source
        return {}
    classes = (each for each in ast.parse(source).body if isinstance(each, ast.ClassDef))
    return {
        declared.name: {
            field.target.id: inspect.cleandoc(text.value.value)
            for field, text in pairwise(declared.body)
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            if isinstance(text.value.value, str)
        }
        for declared in classes
    }

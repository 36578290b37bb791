"""Value problems: no message has the words of the library that validates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, get_args

import pytest
from cases import cases
from gulf import places
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType
from storefront.pricing import Item, priced

from app.features.orders.intake import Refused, read_order
from app.settings import Settings, SettingsError, load_settings
from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.documents.content_path import parse_content_path
from knowledge.documents.document import parse_document
from knowledge.documents.files import SourceFile
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.fields.value_problems import value_problem

LIBRARY = re.compile(
    r"Input|should (have|match)|should be (a|an|at|greater|less|one|valid|finite|'|in)\b"
    r"|Field required|Extra|Value error|valid (string|integer|number|boolean|tuple)"
    r"|constrained|function-|unable|Tuple|String|[{}]"
)
FACTS = {
    **dict.fromkeys(("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length"), 7),
    **dict.fromkeys(("decimal_places", "max_digits", "whole_digits"), 7),
    "expected": "'a', 'b' or 'c'",
    "pattern": "^x$",
    "error": ValueError("own words"),
}
WRONG: tuple[Any, ...] = (None, True, -1, 1.5, "?", "x" * 10_000, [], [5], {"zz": [1]}, "\ud800")


@cases("kind", get_args(ErrorType))
def test_every_type_of_error_has_words_of_its_own(kind: str) -> None:
    """A new version of the library may have more types; they are told as invalid values."""
    detail = ErrorDetails(type=kind, loc=("x",), msg="Input should be a thing", input=1, ctx=FACTS)
    assert not LIBRARY.search(value_problem(detail))


def test_options_are_named_without_the_quotes_of_python() -> None:
    """They are listed with commas, and with “or” before the last."""
    detail = ErrorDetails(type="enum", loc=("x",), msg="", input=1, ctx=FACTS)
    assert value_problem(detail) == "must be one of a, b or c"


ORDER: dict[str, Any] = {
    **priced([Item("A", Decimal("2.00"))], "SAR", number="WH-1", shipping=Decimal(1)),
    "customer": {"id": 1, "name": "Noor", "email": "noor@example.com"},
    "billingAddress": {"countryCode": "SA"},
    "discounts": [{"amount": "1.00"}],
    "payments": [{"method": "card", "amount": "2.00", "status": "paid", "reference": "x"}],
    "notes": "x",
}


def _places(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, each in inner:
        yield (*place, key)
        if isinstance(each, dict | list):
            yield from _places(each, (*place, key))


@cases("place", [pytest.param(each, id=str(each)) for each in _places(ORDER)])
def test_each_field_of_an_order_is_refused_in_plain_words(place: tuple[str | int, ...]) -> None:
    """By its name in the file alone, not by what the library makes of it."""
    for value in (*WRONG, ...):
        order = json.loads(json.dumps(ORDER))
        target: Any = order
        for step in place[:-1]:
            target = target[step]
        if value is ...:
            del target[place[-1]]
        else:
            target[place[-1]] = value
        for reason in _reasons(order):
            assert not LIBRARY.search(reason.replace(repr(value), "")), reason
            assert re.match(r"[a-zA-Z0-9.\[\]]+(: | is \S)", reason), reason


def _reasons(order: object) -> Sequence[str]:
    try:
        read_order(json.dumps(order).encode())
    except Refused as refused:
        return refused.reasons
    return ()


@cases("name", list(Settings.model_fields))
def test_each_setting_is_refused_in_plain_words(name: str) -> None:
    """With the name of its variable."""
    for value in ("?", "-1", "x" * 3_000, "1.5"):
        told = _refusal(name, value)
        assert not told or told.startswith(f"{name.upper()}: ")
        assert not LIBRARY.search(told.replace(repr(value), "")), told


def _refusal(name: str, value: str) -> str:
    try:
        load_settings(_env_file=None, **{name: value})
    except SettingsError as error:
        return str(error)
    return ""


DOCUMENTS = {
    f"{kind.folder}/{slug}.md": kind.model_for(slug)
    for kind in CONTENT_TYPES
    for slug in ("x", *kind.singletons)
}


@cases("path", list(DOCUMENTS))
def test_each_field_of_front_matter_is_refused_in_plain_words(path: str) -> None:
    """Of each model; allowed values say nothing."""
    placed = parse_content_path(path, places())
    assert placed is not None
    for name in map(to_camel, DOCUMENTS[path].field_names):
        for value in WRONG[:-1]:
            try:
                source = SourceFile(path, f"---\n{name}: {json.dumps(value)}\n---\n")
                found: Sequence[Diagnostic] = parse_document(source, placed)[1]
            except ContentFileError as error:
                found = error.diagnostics
            for each in found:
                told = re.sub("“.*”", "", str(each))
                assert not LIBRARY.search(told), told

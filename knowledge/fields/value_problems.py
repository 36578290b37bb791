"""Value problems: what a validation found wrong, in the words of this service; and unknown keys.

Pydantic says "Tuple should have at least 1 item" to people who wrote a list in JSON or YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from knowledge.diagnostics.messages import Text

Keys = tuple[str | int, ...]
"""The place of a value: keys of mappings and positions in lists."""

_DATE = "must be a date such as 2026-05-01"
_INSTANT = "must be a date-time such as 2026-05-01T09:30:00+04:00"
_WORDS: Mapping[str, str] = {
    "missing": "is required",
    "extra_forbidden": "is unknown",
    "bool": "must be true or false",
    "int": "must be a whole number",
    "float": "must be a number",
    "decimal": "must be a decimal number",
    "finite_number": "must be a number that is not infinite",
    "string": "must be a text",
    "bytes": "must be a text",
    "date": _DATE,
    "datetime": _INSTANT,
    **dict.fromkeys(("timezone_naive", "timezone_aware", "timezone_offset"), _INSTANT),
    "time": "must be a time such as 09:30",
    **dict.fromkeys(("url", "url_scheme"), "must be a URL such as https://www.example.com"),
    **dict.fromkeys(("tuple", "list", "set", "frozen_set", "iterable"), "must be a list"),
    **dict.fromkeys(
        ("dict", "mapping", "model", "model_attributes", "dataclass"), "must have named fields"
    ),
    "none_required": "must be left out",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "url_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "string_pattern_mismatch": "must have the form {pattern}",
    "string_unicode": "must have no incomplete characters",
    "decimal_max_places": "must have at most {decimal_places} decimals",
    "decimal_max_digits": "must have at most {max_digits} digits",
    "decimal_whole_digits": "must have at most {whole_digits} digits before the point",
}
_INVALID = "is not valid"
ALL_WORDS = (*_WORDS.values(), _INVALID)
"""All that is said of a value, for the catalogs."""
_OF_LIBRARY = frozenset(get_args(ErrorType))


def value_problem(detail: ErrorDetails) -> str:
    """Return what is wrong with a value, to follow its name."""
    kind, facts = detail["type"], detail.get("ctx", {})
    if kind in ("value_error", "assertion_error"):
        error: Exception = facts["error"]
        return next((each for each in error.args if isinstance(each, Text)), str(error))
    if kind not in _OF_LIBRARY:
        return detail["msg"]
    if facts.get("min_length") == 1:
        return Text("must not be empty")
    words = _WORDS.get(kind) or _WORDS.get(_subject(kind), _INVALID)
    options = str(facts.get("expected", "")).replace("'", "")  # without the quotes of Python
    return Text(words, **{**facts, "expected": options})


def _subject(kind: str) -> str:
    """Return what a value must be by the type of an error.

    >>> _subject("int_from_float"), _subject("datetime_from_date_parsing"), _subject("list_type")
    ('int', 'datetime', 'list')
    """
    return re.split("_from_|_parsing|_type$", kind)[0]


def keys_of(value: object, location: Sequence[str | int], *, is_missing: bool) -> Keys:
    """Return the place of an error in what was validated.

    A location also names the branches of unions, which are in nobody's file.

    >>> keys_of({"a": [{"id": 1.5}]}, ("a", 0, "id", "int"), is_missing=False)
    ('a', 0, 'id')
    """
    return tuple(_steps(value, location, is_missing))


def _steps(value: Any, location: Sequence[str | int], is_missing: bool) -> Iterator[str | int]:
    last = len(location) - 1
    for number, step in enumerate(location):
        is_position = isinstance(value, list | tuple) and step in range(len(value))
        if is_position or (isinstance(value, Mapping) and step in value):
            value = value[step]
        elif number and not (number == last and is_missing):
            continue
        yield step


Model = type[Any]
"""A front matter model or a model of pydantic: settings start without the schemas of content."""


def unknown_keys(model: Model, values: object) -> Iterator[tuple[Keys, str | None]]:
    """Yield the place of each unknown key, and the nearest key that the model has.

    >>> from knowledge.fields.site_fields import ContactFormFields
    >>> list(unknown_keys(ContactFormFields, {"enabeld": True, "topics": [{"lable": "A"}]}))
    [(('enabeld',), 'enabled'), (('topics', 0, 'lable'), 'label')]
    """
    if isinstance(values, list):
        for number, item in enumerate(values):
            yield from _within(number, model, item)
    elif isinstance(values, Mapping):
        blocks = _blocks(model)  # type: ignore[arg-type]  # classes are hashable
        for key, value in values.items():
            if key not in blocks:
                yield (str(key),), next(iter(get_close_matches(str(key), blocks, 1)), None)
            elif block := blocks[key]:
                yield from _of_block(key, block, value)


def _of_block(key: str, block: _Block, value: object) -> Iterator[tuple[Keys, str | None]]:
    if not block.is_named:
        yield from _within(key, block.model, value)
    for name, each in value.items() if block.is_named and isinstance(value, Mapping) else ():
        yield from (((key, *keys), nearest) for keys, nearest in _within(name, block.model, each))


def _within(place: str | int, model: Model, values: object) -> Iterator[tuple[Keys, str | None]]:
    return (((place, *keys), nearest) for keys, nearest in unknown_keys(model, values))


class _Block(NamedTuple):
    """The model of a block, or of the blocks that a mapping has by name."""

    model: Model
    is_named: bool


@lru_cache(maxsize=256)  # models of a site's own kinds come and go
def _blocks(model: Model) -> Mapping[str, _Block | None]:
    """Return the keys of a model, and of those with a block or several of them, its model."""
    hints = get_type_hints(model)
    names = getattr(model, "field_names", None) or model.model_fields
    return {to_camel(name): _block(hints[name]) for name in names}


def _block(hint: Model) -> _Block | None:
    if hasattr(hint, "field_names") or hasattr(hint, "model_fields"):
        return _Block(hint, is_named=False)
    found = next(filter(None, map(_block, get_args(hint))), None)
    return found and found._replace(is_named=found.is_named or get_origin(hint) is dict)

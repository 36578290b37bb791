"""The arguments of tools: their JSON Schema, and calls that do not fit it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import product
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from app.features.mcp.tool import ToolError
from app.platform.field_errors import SubmittedFields
from app.platform.printable import printable

_MAX_ECHOED = 80
_MARKUP = dict.fromkeys(map(ord, "`*[]<>\\|~"), " ")
"""Signs of markdown and HTML within a line."""
_SIMILAR = 0.5
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")


class Arguments(SubmittedFields):
    """Base class of the arguments of a tool: immutable, and no others are accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")


ModelT = TypeVar("ModelT", bound=BaseModel)


def read_arguments(model: type[ModelT], given: Mapping[str, object]) -> ModelT:
    """Return the arguments of a call; raises ToolError, which says in a sentence what is wrong."""
    given = {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in given if name not in model.model_fields]
    if unknown:
        raise ToolError(_unknown(unknown[0], list(model.model_fields)))
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise ToolError(_invalid(error.errors(include_url=False)[0], model)) from None


def _unknown(name: str, known: list[str]) -> str:
    shown, near = shortened(name), nearest_name(name, known)
    instead = f"Use “{near}” instead." if near else f"Allowed are {', '.join(known)}."
    return f"There is no argument “{shown}”. {instead}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the name that was probably meant, or None.

    >>> nearest_name("userQuery", ["query"]), nearest_name("language", ["country", "lang"])
    ('query', 'lang')
    >>> nearest_name("sort", ["country", "lang"]) is None
    True
    """
    by_words = {_words(each): each for each in known}
    if len(by_words) == 1:
        return next(iter(by_words.values()))
    words = _words(name)
    within = [
        each
        for each in by_words
        if any(a.startswith(b) or b.startswith(a) for a, b in product(words, each))
    ]
    if within:
        return by_words[within[0]]
    spelled = {"".join(each): each for each in by_words}
    near = get_close_matches("".join(words), spelled, n=1, cutoff=_SIMILAR)
    return by_words[spelled[near[0]]] if near else None


def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(_CAPITAL.sub(" ", name)))


def _invalid(error: ErrorDetails, model: type[BaseModel]) -> str:
    name = str(error["loc"][0]) if error["loc"] else "arguments"
    schema = argument_schema(model)["properties"].get(name, {})
    if error["type"] == "missing":
        return f"{name} is required. Send {name} as {allowed(schema)}."
    return not_allowed(name, str(error["input"]), allowed(schema))


def not_allowed(name: str, value: str, instead: str) -> str:
    """Return what is wrong with the value of an argument, and what it may be."""
    return f"{name}: “{shortened(value)}” is not allowed. Send {name} as {instead}."


def allowed(schema: Mapping[str, Any]) -> str:
    """Return what the schema of an argument allows, in words.

    >>> allowed({"type": "integer", "minimum": 1, "maximum": 10})
    'an integer from 1 to 10'
    >>> allowed({"enum": ["post", "page"]}), allowed({"type": "string"})
    ('one of post, page', 'a text')
    """
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema.get("type") == "integer":
        return f"an integer from {schema['minimum']} to {schema['maximum']}"
    description = str(schema.get("description", "a text"))
    return description[0].lower() + description[1:]


def shortened(text: str) -> str:
    r"""Return what a client sent as it is repeated in an error: on one line, plain, and not long.

    Agents read it as a text of the site, so nothing in it is markdown or HTML.

    >>> shortened("/erp\n# Now\n[open](https://a.example)`<b>`")
    '/erp # Now open (https://a.example) b'
    """
    line = printable(" ".join(text.translate(_MARKUP).split()))
    return line if len(line) <= _MAX_ECHOED else f"{line[:_MAX_ECHOED]}…"


def argument_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of arguments."""
    return _plain(model.model_json_schema())


def result_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a result."""
    return _plain(model.model_json_schema(mode="serialization"))


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references, which some clients do not follow.

    Titles repeat the names, and docstrings of models are not for agents: both cost them tokens.
    """
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _inlined(schema, definitions)
    return plain


def _inlined(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_inlined(each, definitions) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in part:
        (only,) = [each for each in part["anyOf"] if each.get("type") != "null"]
        part = {**only, **{key: part[key] for key in part if key != "anyOf"}}
    return {
        key: {name: _inlined(each, definitions) for name, each in value.items()}
        if key == "properties"
        else _inlined(value, definitions)
        for key, value in part.items()
        if not (key == "title" or (key == "default" and value is None))
        and not (key == "description" and "properties" in part)
    }

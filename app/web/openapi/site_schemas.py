"""Schemas of a site: the options and examples that depend on its countries and languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.web.openapi.schemas import component_reference
from knowledge.locales.locale import Locales
from knowledge.resources.base import (
    COUNTRY_KEYWORD,
    LANGUAGE_KEYWORD,
    PATH_KEYWORD,
    SUBJECT_KEYWORD,
)

Schema = dict[str, Any]


def site_schemas(
    schemas: Mapping[str, Any], locales: Locales, subjects: Sequence[str]
) -> Mapping[str, Any]:
    """Return component schemas with the countries, paths and subjects of a site.

    Without countries, no schema has a property for one, nor for a subject without any.
    """
    return {name: _adapted(schema, locales, subjects) for name, schema in schemas.items()}


def _adapted(schema: Any, locales: Locales, subjects: Sequence[str]) -> Any:
    if isinstance(schema, list):
        return [_adapted(each, locales, subjects) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        schema = _with_countries(schema) if locales.countries else _without(COUNTRY_KEYWORD, schema)
        schema = schema if subjects else _without(SUBJECT_KEYWORD, schema)
    if schema.get(LANGUAGE_KEYWORD):
        return _language(schema)
    adapted = {key: _adapted(value, locales, subjects) for key, value in schema.items()}
    use = adapted.pop(COUNTRY_KEYWORD, None)
    if use == "code":
        adapted = _enumerated(adapted, locales.countries)
    elif use:
        adapted = _enumerated(adapted, [country.slug for country in locales.countries])
    if adapted.pop(SUBJECT_KEYWORD, None):
        adapted = {**_enumerated(adapted, subjects), "examples": [subjects[0]]}
    if use == "option":
        adapted["examples"] = [locales.countries[0].slug]
    if PATH_KEYWORD in adapted:
        adapted["examples"] = [locales.default.path + adapted.pop(PATH_KEYWORD)]
    return adapted


def _language(schema: Schema) -> Schema:
    others = {key: each for key, each in schema.items() if key not in (LANGUAGE_KEYWORD, "type")}
    return {**component_reference("Language"), **others}


def _enumerated(schema: Schema, options: Sequence[str]) -> Schema:
    """Restrict a text to options; null stays possible where it is."""
    enumeration = {"enum": list(map(str, options)), "type": "string"}
    if "anyOf" not in schema:
        return {**schema, **enumeration}
    others = [each for each in schema["anyOf"] if each.get("type") != "string"]
    return {**schema, "anyOf": [enumeration, *others]}


def _is_country(schema: Any) -> bool:
    return isinstance(schema, dict) and COUNTRY_KEYWORD in schema


def _with_countries(schema: Schema) -> Schema:
    """Require the countries in a response, which are optional only on a site without any."""
    required = schema.get("required", [])
    names = [
        name
        for name, each in schema["properties"].items()
        if name in required or (_is_country(each) and each[COUNTRY_KEYWORD] != "option")
    ]
    return {**schema, "required": names} if names else schema


def _without(keyword: str, schema: Schema) -> Schema:
    """Remove the properties with a keyword."""
    properties = {
        name: each
        for name, each in schema["properties"].items()
        if not (isinstance(each, dict) and keyword in each)
    }
    required = [name for name in schema.get("required", []) if name in properties]
    return {**schema, "properties": properties, **({"required": required} if required else {})}

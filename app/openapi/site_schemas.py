"""Schemas of a site: the options and examples that depend on its countries and languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.openapi.schemas import component_reference
from knowledge.locale import Locales
from knowledge.resources.base import COUNTRY_KEYWORD, LANGUAGE_KEYWORD, PATH_KEYWORD, TOPIC_KEYWORD

_COUNTRY, _LANGUAGE = "Country", "Language"
Schema = dict[str, Any]


def site_schemas(
    schemas: Mapping[str, Any], locales: Locales, topics: Sequence[str]
) -> Mapping[str, Any]:
    """Return component schemas with the countries, paths and topics of a site.

    Without countries, no schema has a property for one.
    """
    adapted = {name: _adapted(schema, locales, topics) for name, schema in schemas.items()}
    if locales.countries:
        adapted[_COUNTRY] = {
            "description": "The countries of the site, by ISO 3166 code.",
            "enum": list(locales.countries),
            "type": "string",
        }
    if _LANGUAGE in adapted:
        adapted[_LANGUAGE] = {**adapted[_LANGUAGE], "enum": sorted(locales.languages, reverse=True)}
    return {name: adapted[name] for name in sorted(adapted)}


def _adapted(schema: Any, locales: Locales, topics: Sequence[str]) -> Any:
    if isinstance(schema, list):
        return [_adapted(each, locales, topics) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        schema = _with_countries(schema) if locales.countries else _without_countries(schema)
    if schema.get(LANGUAGE_KEYWORD):
        return component_reference(_LANGUAGE)
    if schema.get(COUNTRY_KEYWORD) == "code":
        return component_reference(_COUNTRY)
    adapted = {key: _adapted(value, locales, topics) for key, value in schema.items()}
    use = adapted.pop(COUNTRY_KEYWORD, None)
    if use:
        adapted["enum"] = [country.slug for country in locales.countries]
    if adapted.pop(TOPIC_KEYWORD, None):
        adapted["enum"] = list(topics)
    if use == "option":
        adapted["examples"] = adapted["enum"][:1]
    if PATH_KEYWORD in adapted:
        adapted["examples"] = [locales.default.path + adapted.pop(PATH_KEYWORD)]
    return dict(sorted(adapted.items())) if "enum" in adapted or "examples" in adapted else adapted


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


def _without_countries(schema: Schema) -> Schema:
    properties = {
        name: each for name, each in schema["properties"].items() if not _is_country(each)
    }
    required = [name for name in schema.get("required", []) if name in properties]
    return {**schema, "properties": properties, **({"required": required} if required else {})}

"""Enumerations: each stands once in a document, as a schema with a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.web.openapi.schemas import component_reference
from knowledge.fields.content_types import REGISTRY
from knowledge.fields.form_fields import DEFAULT_TOPICS
from knowledge.locales.locale import Locales
from knowledge.resources.localized import SOFTWARE_KINDS
from knowledge.sections.section_type import CONTRACT_TYPES

_VALUES = ("example", "examples", "value", "default", "const")
"""Keywords whose values are no schemas."""


def named_enumerations(locales: Locales) -> Mapping[str, Any]:
    """Return the enumerations that no model names, but that programs share or depend on a site."""
    countries = {
        "Country": _strings("The countries of the site, by ISO 3166 code.", *locales.countries),
        "CountrySlug": _strings(
            "The countries of the site, as in its paths.",
            *(country.slug for country in locales.countries),
        ),
    }
    return {
        **(countries if locales.countries else {}),
        "Kind": _strings("The kinds of software pages.", *SOFTWARE_KINDS),
        "Language": _strings(
            "The languages of the site, by BCP 47 tag.", *sorted(locales.languages, reverse=True)
        ),
        "RegistryPage": _strings("The registry pages.", *REGISTRY.page_slugs),
        "SectionType": _strings("The types of sections.", *CONTRACT_TYPES),
        "Topic": _strings("The topics of enquiries.", *DEFAULT_TOPICS),
    }


def _strings(description: str, *values: str) -> dict[str, Any]:
    return {"description": description, "enum": [str(value) for value in values], "type": "string"}


def with_references(value: Any, schemas: Mapping[str, Any]) -> Any:
    """Return a part of a document in which a named enumeration is a reference to its schema.

    >>> kinds = {"Kind": {"type": "string", "enum": ["a", "b"]}}
    >>> with_references({"type": "string", "enum": ["a", "b"], "default": "a"}, kinds)
    {'$ref': '#/components/schemas/Kind', 'default': 'a'}
    """
    names = {tuple(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}
    return _with_references(value, names)


def _with_references(value: Any, names: Mapping[tuple[str, ...], str]) -> Any:
    if isinstance(value, list):
        return [_with_references(child, names) for child in value]
    if not isinstance(value, dict):
        return value
    options = value.get("enum")
    if isinstance(options, list) and value.get("type") == "string" and tuple(options) in names:
        others = {key: each for key, each in value.items() if key not in ("enum", "type")}
        return {**component_reference(names[tuple(options)]), **others}
    return {
        key: child if key in _VALUES else _with_references(child, names)
        for key, child in value.items()
    }

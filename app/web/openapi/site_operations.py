"""What depends on a site in the OpenAPI document: its operations, and options of its places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.services import Services
from app.web.extensions import PartnerInterface
from app.web.openapi.operation import RouteSpec
from app.web.openapi.schemas import component_reference
from knowledge.fields.content_types import (
    CATEGORY,
    CITY,
    COUNTRY,
    INDUSTRY,
    MODULE,
    POST,
    PRODUCT,
    REGISTRY,
    TESTIMONIAL,
    AnyContentType,
)
from knowledge.locales.locale import Locales
from knowledge.resources.base import (
    COUNTRY_KEYWORD,
    LANGUAGE_KEYWORD,
    PATH_KEYWORD,
    SUBJECT_KEYWORD,
)
from knowledge.resources.listing import has_any
from knowledge.snapshot.snapshot import Snapshot

_PARTNER_TAGS = "erp-"
_KINDS: Mapping[str, tuple[AnyContentType, ...]] = {
    "blog": (POST, CATEGORY),
    "cities": (CITY,),
    "countries": (COUNTRY,),
    "localized": (REGISTRY, MODULE, INDUSTRY, CITY),
    "software": (MODULE, INDUSTRY),
    "testimonials": (TESTIMONIAL,),
}
"""The content types of which an operation returns documents, by tag."""


def has_partners(snapshot: Snapshot, services: Services) -> bool:
    """Return whether the partner interface is configured, or there are products for it."""
    partners = services.find(PartnerInterface)
    return partners is not None and (partners.is_configured or has_any(snapshot, PRODUCT))


def site_operations(
    specs: Iterable[RouteSpec], snapshot: Snapshot, *, partners: bool
) -> list[RouteSpec]:
    """Return the operations that the content of a site makes useful; of an empty one, all."""
    if not snapshot.entries:
        return list(specs)
    return [spec for spec in specs if _is_useful(spec, snapshot, partners)]


def _is_useful(spec: RouteSpec, snapshot: Snapshot, partners: bool) -> bool:
    tag = spec.tag.name
    if tag.startswith(_PARTNER_TAGS):
        return partners
    return tag not in _KINDS or has_any(snapshot, *_KINDS[tag])


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


def _with_countries(schema: Schema) -> Schema:
    """Require the countries in a response, which are optional only on a site without any."""
    required = schema.get("required", [])
    names = [
        name
        for name, each in schema["properties"].items()
        if name in required
        or (isinstance(each, dict) and each.get(COUNTRY_KEYWORD, "option") != "option")
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

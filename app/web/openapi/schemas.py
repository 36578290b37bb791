"""JSON Schemas of models, as components of the OpenAPI document; enumerations have names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import DataclassField, DataclassSchema, ModelField, ModelSchema

from knowledge.fields.content_types import REGISTRY
from knowledge.fields.json_schemas import field_docstrings
from knowledge.fields.site_fields import DEFAULT_TOPICS
from knowledge.locales.locale import Locales
from knowledge.resources.base import Resource
from knowledge.resources.localized import SOFTWARE_KINDS
from knowledge.sections.section_type import CONTRACT_TYPES

_PREFIX = "#/components/schemas/"
_NULL = {"type": "null"}


class _Schemas(GenerateJsonSchema):
    """Generates schemas without titles, in which optional response fields are never null.

    Request bodies may have null for a field without a value. A block of front matter is a
    dataclass; its fields without a value are omitted or filled.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def normalize_name(self, name: str) -> str:
        return super().normalize_name(name.partition("[")[0])  # without type arguments

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        return _described(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: DataclassSchema) -> JsonSchemaValue:
        return _described(super().dataclass_schema(schema), schema["cls"])

    def model_field_schema(self, schema: ModelField) -> JsonSchemaValue:
        generated = _without_default(super().model_field_schema(schema))
        if self.mode == "validation" or "serialization_exclude_if" not in schema:
            return generated
        return _without_null(generated)

    def dataclass_field_schema(self, schema: DataclassField) -> JsonSchemaValue:
        return _without_null(_without_default(super().dataclass_field_schema(schema)))


def _described(generated: JsonSchemaValue, model: type) -> JsonSchemaValue:
    """Add the docstrings of fields, in place, as the descriptions of their properties."""
    properties = generated.get("properties", {})
    for name, text in field_docstrings(model).items():
        described = properties.get(_alias(model, name))
        if described is not None:
            described.setdefault("description", " ".join(text.split()))
    return generated


def _alias(model: type, name: str) -> str:
    field = model.model_fields.get(name) if issubclass(model, BaseModel) else None
    return (field and field.alias) or to_camel(name)


def _without_default(generated: JsonSchemaValue) -> JsonSchemaValue:
    if generated.get("default", ...) is None:
        del generated["default"]
    return generated


def _without_null(generated: JsonSchemaValue) -> JsonSchemaValue:
    if "anyOf" not in generated:
        return generated
    options = [option for option in generated.pop("anyOf") if option != _NULL]
    return {**generated, **(options[0] if len(options) == 1 else {"anyOf": options})}


def reference(model: type[Resource]) -> dict[str, str]:
    """Return the reference to the schema of a model."""
    return component_reference(model.__name__)


def component_reference(name: str) -> dict[str, str]:
    """Return the reference to a schema by its name."""
    return {"$ref": _PREFIX + name}


@cache
def component_schemas(
    responses: tuple[type[Resource], ...], bodies: tuple[type[Resource], ...] = ()
) -> Mapping[str, Any]:
    """Return the schemas of response and request models, and of all nested models, by name."""
    models: list[tuple[type[Resource], Literal["serialization", "validation"]]] = [
        *((model, "serialization") for model in dict.fromkeys(responses)),
        *((model, "validation") for model in dict.fromkeys(bodies)),
    ]
    _, generated = models_json_schema(
        models, ref_template=_PREFIX + "{model}", schema_generator=_Schemas
    )
    schemas: dict[str, dict[str, Any]] = generated["$defs"]
    for schema in schemas.values():
        schema.pop("title", None)  # it would only repeat the name
    names = {model.__name__ for model, _ in models} | _referenced(schemas)
    return {name: schemas[name] for name in sorted(names)}


def _referenced(value: object) -> set[str]:
    """Return the names of the schemas in use; the types of excluded fields are not."""
    if isinstance(value, dict):
        target = value.get("$ref")
        here = {target.removeprefix(_PREFIX)} if target else set()
        return here.union(*map(_referenced, value.values()))
    return set().union(*map(_referenced, value)) if isinstance(value, list) else set()


Json = dict[str, Any]
_REFERENCE = "#/components/"
_SECURITY = "securitySchemes"


def with_used_components(document: Json) -> Json:
    """Return a document with only those components to which its paths lead."""
    components: Json = document["components"]
    used: set[tuple[str, str]] = {
        (_SECURITY, scheme) for scheme in _security_schemes(document["paths"])
    }
    found = set(_references(document["paths"]))
    while found:
        used |= found
        found = {
            target for kind, name in found for target in _references(components[kind][name])
        } - used
    kept = {
        kind: {name: each for name, each in named.items() if (kind, name) in used}
        for kind, named in components.items()
    }
    return {**document, "components": {kind: named for kind, named in kept.items() if named}}


def _references(value: object) -> Iterator[tuple[str, str]]:
    """Yield kind and name of each component that is referred to."""
    if isinstance(value, dict):
        target = value.get("$ref")
        if isinstance(target, str) and target.startswith(_REFERENCE):
            kind, _, name = target.removeprefix(_REFERENCE).partition("/")
            yield kind, name
        for child in value.values():
            yield from _references(child)
    elif isinstance(value, list):
        for child in value:
            yield from _references(child)


def _security_schemes(paths: Json) -> Iterator[str]:
    for methods in paths.values():
        for operation in methods.values():
            for requirement in operation["security"]:
                yield from requirement


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

"""JSON Schemas of models, as components of the OpenAPI document; enumerations have names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import DataclassField, DataclassSchema, ModelField, ModelSchema

from knowledge.blocks.form import FormInput, SiteForm
from knowledge.fields.content_types import REGISTRY
from knowledge.fields.json_schemas import field_docstrings
from knowledge.fields.site_fields import DEFAULT_TOPICS
from knowledge.locales.locale import Language, Locales, localized_text
from knowledge.resources.base import (
    COUNTRY_KEYWORD,
    FORM_KEYWORD,
    LANGUAGE_KEYWORD,
    PATH_KEYWORD,
    SUBJECT_KEYWORD,
    Resource,
)
from knowledge.resources.software import SOFTWARE_KINDS, software_kinds
from knowledge.sections.section_type import CONTRACT_TYPES
from knowledge.snapshot.snapshot import Snapshot

Json = dict[str, Any]
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
    fields = model.model_fields if issubclass(model, BaseModel) else {}
    for name, text in field_docstrings(model).items():
        alias = fields[name].alias if name in fields else None
        described = properties.get(alias or to_camel(name))
        if described is not None:
            described.setdefault("description", " ".join(text.split()))
    return generated


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
    return schemas


_REFERENCE = "#/components/"


def with_used_components(document: Json) -> Json:
    """Return a document with only those components to which its paths lead."""
    components: Json = document["components"]
    operations = (each for methods in document["paths"].values() for each in methods.values())
    used: set[tuple[str, str]] = {
        ("securitySchemes", scheme)
        for operation in operations
        for requirement in operation["security"]
        for scheme in requirement
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
        "Kind": _strings("The kinds of pages with an operation of their own.", *SOFTWARE_KINDS),
        "Language": _strings(
            "The languages of the site, by BCP 47 tag.", *sorted(locales.languages, reverse=True)
        ),
        "RegistryPage": _strings("The registry pages.", *REGISTRY.page_slugs),
        "SectionType": _strings("The types of sections.", *CONTRACT_TYPES),
        "Topic": _strings("The topics of enquiries.", *DEFAULT_TOPICS),
    }


def of_site(schemas: Mapping[str, Any], snapshot: Snapshot) -> Mapping[str, Any]:
    """Return component schemas in which the kinds and registry pages are those of a site."""
    written = [slug for slug in REGISTRY.page_slugs if snapshot.entry(REGISTRY, slug)]
    narrowed = {"Kind": software_kinds(snapshot), "RegistryPage": written}
    own = {name: {**schemas[name], "enum": each} for name, each in narrowed.items() if each}
    return {**schemas, **own}


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


def _with_references(value: Any, names: Mapping[tuple[str, ...], str], above: str = "") -> Any:
    if isinstance(value, list):
        return [_with_references(child, names) for child in value]
    if not isinstance(value, dict):
        return value
    options = value.get("enum")
    if isinstance(options, list) and value.get("type") == "string" and tuple(options) in names:
        others = {key: each for key, each in value.items() if key not in ("enum", "type")}
        return {**component_reference(names[tuple(options)]), **others}
    return {
        key: child
        if key in _VALUES and above != "properties"  # where it is the name of one
        else _with_references(child, names, key)
        for key, child in value.items()
    }


def site_schemas(
    schemas: Mapping[str, Any],
    locales: Locales,
    subjects: Sequence[str],
    forms: Sequence[SiteForm] = (),
) -> Mapping[str, Any]:
    """Return component schemas with the countries, paths, subjects and forms of a site.

    Without countries, no schema has a property for one, nor for a subject or form without any.
    """
    return {
        name: _adapted(_with_forms(schema, forms), locales, subjects)
        for name, schema in schemas.items()
    }


def _with_forms(schema: Json, forms: Sequence[SiteForm]) -> Json:
    """Return the schema of a body with what the forms of a site ask for."""
    properties = schema.get("properties", {})
    if not any(isinstance(each, dict) and FORM_KEYWORD in each for each in properties.values()):
        return schema
    if not forms:
        return _without(FORM_KEYWORD, schema)
    options = [_answers(each) for each in forms]
    added = {
        "form": _enumerated(properties["form"], [each.name for each in forms]),
        "answers": {**properties["answers"], "anyOf": [*options, _NULL]},
    }
    clean = {
        name: {key: value for key, value in each.items() if key not in (FORM_KEYWORD, "examples")}
        for name, each in added.items()
    }
    (needed,) = schema["required"]
    others = {key: each for key, each in schema.items() if key != "required"}
    required = [{"required": [name]} for name in (needed, "form")]
    return {**others, "properties": {**properties, **clean}, "anyOf": required}


def _answers(form: SiteForm) -> Json:
    """Return the schema of the answers to one form; files are sent with its page only."""
    asked = [each for each in form.fields if not each.lead and each.type != "file"]
    return {
        "type": "object",
        "description": f"Answers to the form {form.name}.",
        "properties": {each.name: _answer(each) for each in asked},
        "required": [each.name for each in asked if each.required],
        "additionalProperties": False,
    }


def _answer(each: FormInput) -> Json:
    schema: Json = {"type": "string", "minLength": 1, "maxLength": each.max_length}
    if each.options:
        option: Json = {"type": "string", "minLength": 1}
        if not each.options_from:  # the entries of another country are others
            option = {"type": "string", "enum": [one.value for one in each.options]}
        schema = {"type": "array", "items": option} if each.many else option
    elif each.type in ("checkbox", "consent"):
        schema = {"type": "boolean", "const": True}
    elif each.type in ("number", "integer"):
        limits = {"minimum": each.minimum, "maximum": each.maximum}
        schema = {"type": each.type, **{key: float(one) for key, one in limits.items() if one}}
    elif each.type == "date":
        schema = {"type": "string", "format": "date"}
    elif each.type == "time":
        schema = {"type": "string", "pattern": "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$"}
    return {**schema, "description": localized_text(each.plain_label, Language.EN)}


def _adapted(schema: Any, locales: Locales, subjects: Sequence[str]) -> Any:
    if isinstance(schema, list):
        return [_adapted(each, locales, subjects) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        schema = _with_countries(schema) if locales.countries else _without(COUNTRY_KEYWORD, schema)
        schema = schema if subjects else _without(SUBJECT_KEYWORD, schema)
    if schema.get(LANGUAGE_KEYWORD):
        ours = (LANGUAGE_KEYWORD, "type")
        others = {key: each for key, each in schema.items() if key not in ours}
        return {**component_reference("Language"), **others}
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


def _enumerated(schema: Json, options: Sequence[str]) -> Json:
    """Restrict a text to options; null stays possible where it is."""
    enumeration = {"enum": list(map(str, options)), "type": "string"}
    if "anyOf" not in schema:
        return {**schema, **enumeration}
    others = [each for each in schema["anyOf"] if each.get("type") != "string"]
    return {**schema, "anyOf": [enumeration, *others]}


def _with_countries(schema: Json) -> Json:
    """Require the countries in a response, which are optional only on a site without any."""
    required = schema.get("required", [])
    names = [
        name
        for name, each in schema["properties"].items()
        if name in required
        or (isinstance(each, dict) and each.get(COUNTRY_KEYWORD, "option") != "option")
    ]
    return {**schema, "required": names} if names else schema


def _without(keyword: str, schema: Json) -> Json:
    """Remove the properties with a keyword."""
    properties = {
        name: each
        for name, each in schema["properties"].items()
        if not (isinstance(each, dict) and keyword in each)
    }
    required = [name for name in schema.get("required", []) if name in properties]
    return {**schema, "properties": properties, **({"required": required} if required else {})}

"""JSON Schemas of the models, as components of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import DataclassField, DataclassSchema, ModelField, ModelSchema

from knowledge.fields.json_schemas import field_docstrings
from knowledge.resources.base import Resource

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

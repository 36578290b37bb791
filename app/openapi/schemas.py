"""JSON Schemas of the models that serve, as the document's components."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core.core_schema import ModelField

from knowledge.resources.base import Resource

_PLACE = "#/components/schemas/"
_NULL = {"type": "null"}


class _Schemas(GenerateJsonSchema):
    """Pydantic's own schemas, without titles, and with absent fields left out, never null."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_field_schema(self, schema: ModelField) -> JsonSchemaValue:
        made = super().model_field_schema(schema)
        if made.get("default", ...) is None:
            del made["default"]
        if "serialization_exclude_if" not in schema:
            return made
        kept = [option for option in made.pop("anyOf", []) if option != _NULL]
        return {**made, **(kept[0] if len(kept) == 1 else {"anyOf": kept})}


def reference(model: type[Resource]) -> dict[str, str]:
    """Where a model's schema stands in the document."""
    return {"$ref": _PLACE + model.__name__}


@cache
def component_schemas(models: tuple[type[Resource], ...]) -> Mapping[str, Any]:
    """The schemas of models and of all that they are made of, by their own names."""
    wanted: list[tuple[type[Resource], Literal["serialization"]]] = [
        (model, "serialization") for model in dict.fromkeys(models)
    ]
    _, made = models_json_schema(wanted, ref_template=_PLACE + "{model}", schema_generator=_Schemas)
    schemas = made["$defs"]
    return {name: _untitled(schemas[name]) for name in sorted(schemas)}


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A model's schema stands under its name; a title would only say it again."""
    return {key: value for key, value in schema.items() if key != "title"}

"""JSON Schemas of front matter, one for each kind of document, made from its model.

Editors complete and explain keys with them, and underline keys and values that are wrong.
"""

import inspect
from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args, get_type_hints

from pydantic.alias_generators import to_camel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from knowledge.documents.front_matter import aliases_of
from knowledge.fields import json_schemas
from knowledge.fields.content_types import WORDS, AnyContentType
from knowledge.fields.front_matter import Common, Fields, adapter
from knowledge.fields.json_schemas import JsonSchema, field_docstrings
from knowledge.fields.kind_texts import words_of
from knowledge.fields.kinds import SiteKinds
from knowledge.fields.own_fields import own_fields
from knowledge.locales.locale import Language, localized_text
from knowledge.resources.declarations import DECLARED_KINDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _WrittenSchema(GenerateJsonSchema):
    """Describes values as authors write them: also quoted, and with no noise for editors."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchema:
        return self.generate_inner(schema["schema"])

    def bool_schema(self, schema: core_schema.BoolSchema) -> JsonSchema:
        return json_schemas.BOOLEAN

    def int_schema(self, schema: core_schema.IntSchema) -> JsonSchema:
        return json_schemas.number(super().int_schema(schema), whole=True)

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchema:
        described = super().dict_schema(schema)
        closed = {"additionalProperties": False} if "patternProperties" in described else {}
        return {**described, **closed}

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchema:
        return json_schemas.number(super().float_schema(schema), whole=False)


def schema_names(
    kinds: SiteKinds = DECLARED_KINDS,
) -> Mapping[str, tuple[AnyContentType, type[Common]]]:
    """Return content type and model of each schema, by its name: `post`, `site-home`.

    A kind that the site does not have is left out.
    """
    names: dict[str, tuple[AnyContentType, type[Common]]] = {}
    for kind in kinds.content_types:
        if kind.singletons:
            names |= {
                f"{kind}-{slug}": (kind, model)
                for slug, model in kind.singletons.items()
                if slug not in map(str, kinds.absent)
            }
        elif kind not in kinds.absent:
            names[kind.singular] = (kind, kind.fields)
    return names


def files_of(name: str, kinds: SiteKinds = DECLARED_KINDS) -> str:
    """Return the glob of the content files to which a schema applies."""
    kind, _ = schema_names(kinds)[name]
    slug = name.removeprefix(f"{kind}-")
    return f"{kind}/{slug}*.md" if kind.singletons else f"{kind}/**/*.md"


def front_matter_schema(name: str, kinds: SiteKinds = DECLARED_KINDS) -> JsonSchema:
    """Return the schema of that name; raises KeyError if there is none.

    It has no key that only sites with another kind need.
    """
    kind, model = schema_names(kinds)[name]
    schema = adapter(model).json_schema(schema_generator=_WrittenSchema)
    definitions = schema.pop("$defs", {})
    for described, each in ((model, schema), *_blocks(model, definitions)):
        _describe(described, each)
    for key in map(to_camel, _keys_of(model, kinds.absent)):
        schema["properties"].pop(key, None)
    schema["properties"] |= dict(_other_generators(kind, schema["properties"]))
    title = f"Front matter of {kind}/" + (f"{name.partition('-')[2]}.md" if kind.singletons else "")
    head = {"$schema": DIALECT, "title": title}
    return {**head, **schema, **({"$defs": definitions} if definitions else {})}


def _keys_of(model: type[Fields], kinds: Collection[AnyContentType]) -> Iterator[str]:
    """Yield the keys that only sites with these kinds need: of blocks, references, and words."""
    folders = {kind.folder for kind in kinds}
    yield from folders
    yield from (name for name, each in model.references.items() if each.folder in folders)
    if model is WORDS.fields:
        yield from words_of(kinds)


def _describe(model: type[Fields], schema: JsonSchema) -> None:
    """Add the description of each key, and refuse others, in place."""
    schema.pop("title", None)
    schema["additionalProperties"] = False
    schema["description"] = inspect.cleandoc(model.__doc__ or "").partition("\n\n")[0]
    meanings = field_docstrings(model)
    for name in model.field_names:
        text = meanings.get(name) or _own_meaning(model, name)
        if text:
            schema["properties"][to_camel(name)]["description"] = text


def _own_meaning(model: type[Fields], name: str) -> str:
    """Return what a declaration says of a field: its meaning, else its label in English."""
    own = own_fields(model).get(name)
    if own is None and name.endswith("_alt"):
        return f"The alternative text of `{to_camel(name.removesuffix('_alt'))}`."
    return (own.declaration.meaning or localized_text(own.label, Language.EN)) if own else ""


def _blocks(
    model: type[Fields], definitions: Mapping[str, JsonSchema]
) -> Iterator[tuple[type[Fields], JsonSchema]]:
    """Yield the models of the blocks in a model, with their definitions."""
    found = {each.__name__: each for each in _models_in(model)}
    for name, schema in definitions.items():
        block = found.get(name.partition("_")[0].partition("[")[0])
        if block is not None and "properties" in schema:
            yield block, schema


def _models_in(annotation: Any, above: tuple[Any, ...] = ()) -> Iterator[type[Fields]]:
    """Yield the front matter models in an annotation, and those in their fields.

    A model that is in itself is yielded once.
    """
    if isinstance(annotation, type) and issubclass(annotation, Fields) and annotation not in above:
        yield annotation
        for hint in get_type_hints(annotation).values():
            yield from _models_in(hint, (*above, annotation))
    origin = getattr(annotation, "__origin__", None)
    for each in (origin, *get_args(annotation)):
        if each is not None and each is not annotation:
            yield from _models_in(each, above)


def _other_generators(
    kind: AnyContentType, properties: Mapping[str, JsonSchema]
) -> Iterator[tuple[str, JsonSchema]]:
    """Yield the keys of other generators, which `front_matter_aliases` normalizes."""
    for alias, key in aliases_of(kind).items():
        if alias not in properties and key in properties:
            yield alias, {**properties[key], "description": f"Read as `{key}`."}
    yield "draft", {**json_schemas.BOOLEAN, "description": "`true` is `published: false`."}
    dated = {"anyOf": [*properties["published"]["anyOf"], json_schemas.DATE]}
    yield "published", {**properties["published"], **dated}
    names = [key for key in ("tags", "categories") if key in {*properties, *aliases_of(kind)}]
    if names:
        nested = {key: properties.get(key) or properties[aliases_of(kind)[key]] for key in names}
        text = "The keys of Zola; read as if they were at the top."
        yield "taxonomies", {"type": "object", "properties": nested, "description": text}

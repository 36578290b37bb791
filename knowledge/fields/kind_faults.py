"""What is wrong with the declaration of a kind, for `majlis check` and the log of the service."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic.alias_generators import to_snake

from knowledge.diagnostics.messages import Text, one_of
from knowledge.fields.content_types import CONTENT_TYPES, KIND, SITE, AnyContentType
from knowledge.fields.front_matter import Common, Fields
from knowledge.fields.kind_fields import (
    PUBLISHED_AT,
    FieldType,
    KindFields,
    is_kind_name,
    is_kind_path,
)
from knowledge.fields.kinds import RESERVED_PARAMETERS, base_path
from knowledge.fields.own_fields import LISTED, ORDERED, SORTED, OwnField, declared_fields, is_taken

_LONGEST = 60
"""The most characters of a name."""


class Fault(NamedTuple):
    """What is wrong with a declaration: at which keys, and what to do."""

    keys: tuple[str, ...]
    message: Text
    advice: Text


def faults(name: str, declared: KindFields, folders: frozenset[str]) -> Iterator[Fault]:
    """Yield what is wrong with a declaration by itself; `folders` are those of all kinds."""
    built_in = CONTENT_TYPES.of_folder(name)
    if not is_kind_name(name) or len(name) > _LONGEST or built_in in (KIND, SITE):
        yield Fault(
            (),
            Text("“{}” cannot be the name of a kind.", name),
            Text("Rename the file to a folder."),
        )
        return
    if built_in is None:
        for key, text in (("singular", declared.singular), ("plural", declared.plural)):
            if not text:
                yield Fault(
                    (), Text("{} is missing.", key), Text("Add {}: {{ en: …, ar: … }}.", key)
                )
    else:
        yield from _built_in_faults(built_in, declared)
    for alias in declared.aliases or ():
        if not is_kind_path(alias.rstrip("/")):
            advice = Text("Write the former address of the list, such as /{}.", name)
            yield Fault(("aliases",), Text("aliases: “{}” is no address of a list.", alias), advice)
    model = Common if built_in is None else built_in.fields
    for own in declared_fields(declared):
        yield from _field_faults(own, model, folders)
    if declared.versions and not declared.nested:
        advice = Text("Add nested: true, or remove versions.")
        yield Fault(
            ("versions",), Text("versions: they are folders, which are not nested."), advice
        )
    fields = declared_fields(declared)
    groups = [each.key for each in fields if each.type == "choice" and not each.has_many]
    if declared.group_by and declared.group_by not in groups:
        advice = Text("Name a field of the type choice without many.")
        message = Text("groupBy: “{}” cannot group the list.", declared.group_by)
        yield Fault(("groupBy",), message, advice)
    yield from _named_faults(declared)
    yield from _order_faults(declared, model)


DESCRIBED = ("modules", "industries")
"""The built-in kinds whose documents have no type of schema.org of their own."""

_ONLY: Mapping[str, tuple[FieldType, ...]] = {
    "decorative": ("image",),
    "fields": ("records",),
    "loose": ("reference",),
    "markdown": ("localizedText",),
    "max": ("number", "integer"),
    "min": ("number", "integer"),
    "singular": ("records",),
    "vat": ("money", "offer"),
}
"""Keys of fields that have a meaning for some types only."""

_NOT_IN_RECORDS = ("reference", "place", "address", "hours", "records")

_UNORDERED = ("list", "image", "place", "address", "hours", "records")

_NAMES = ("singular", "plural", "parent", "chapter", "useWhen")
"""Keys of kinds that have a list or a page of their own above their documents."""


def _built_in_faults(content_type: AnyContentType, declared: KindFields) -> Iterator[Fault]:
    """Yield the keys that have no effect for a built-in kind."""
    fixed = {"sort", "date", "endDate", "calendar"}
    fixed |= {"nested", "folder", "layout", "groupBy", "versions", "editUrl"}
    fixed |= {"titleFrom", "requireOneOf", "countryFrom", "fallsBack"}
    if content_type.folder not in DESCRIBED:
        fixed.add("schemaType")
    base = base_path(content_type)
    if base is None or base.count("/") > 1:
        fixed.update(_NAMES)
    if base is None:
        fixed.update(("path", "aliases"))
    for key in sorted(fixed):
        if getattr(declared, to_snake(key)) is not None:
            message = Text("{}: this cannot be set for the built-in kind {}.", key, content_type)
            yield Fault((key,), message, Text("Remove the key."))


def _field_faults(field: OwnField, model: type[Fields], folders: frozenset[str]) -> Iterator[Fault]:
    keys, name = ("fields", field.key), f"fields.{field.key}"
    yield from _type_faults(keys, name, field, model)
    target = field.declaration.to
    if (field.type == "reference") != (target is not None):
        advice = Text("Write to: doctors, for a reference only.")
        yield Fault(keys, Text("{}: a reference needs the folder that it leads to.", name), advice)
    elif target is not None and target not in folders:
        advice = one_of(target, sorted(folders))
        yield Fault((*keys, "to"), Text("{}.to: there is no kind “{}”.", name, target), advice)
    if field.declaration.filter and not {*field.parameters}.isdisjoint(RESERVED_PARAMETERS):
        yield Fault(
            keys,
            Text("{}: lists have a parameter of this name.", name),
            Text("Choose another name."),
        )
    types = LISTED if field.declaration.filter == "without" else (*LISTED, *ORDERED)
    if field.declaration.filter and field.type not in types:
        advice = Text("Remove it, or make the field a choice.")
        yield Fault(
            (*keys, "filter"), Text("{}.filter: no list is filtered by this type.", name), advice
        )
    if field.declaration.sort and field.type not in SORTED:
        advice = Text("Remove the key.")
        yield Fault((*keys, "sort"), Text("{}.sort: no list is sorted by this type.", name), advice)


def _type_faults(
    keys: tuple[str, ...], name: str, field: OwnField, model: type[Fields]
) -> Iterator[Fault]:
    """Yield what does not fit the name and the type of a field, also of one in records."""
    if is_taken(model, field):
        advice = Text("Choose another name.")
        yield Fault(keys, Text("{}: documents have a key of this name already.", name), advice)
    for key, types in _ONLY.items():
        if getattr(field.declaration, key) is not None and field.type not in types:
            message = Text("{}.{}: only {} has it.", name, key, " / ".join(types))
            yield Fault((*keys, key), message, Text("Remove the key."))
    bounds = [each for each in (field.declaration.min, field.declaration.max) if each is not None]
    is_whole = field.type != "integer" or all(isinstance(each, int) for each in bounds)
    if not is_whole or bounds != sorted(bounds):
        message = Text("{}: min and max are no bounds of the type {}.", name, field.type)
        yield Fault(keys, message, Text("Correct it."))
    if (field.type == "choice") != bool(field.choices):
        advice = Text("Write them as choices: { value: { en: …, ar: … } }, for a choice only.")
        yield Fault(
            keys, Text("{}: a choice needs choices, and nothing else has them.", name), advice
        )
    if field.type != "records":
        return
    if not field.fields:
        advice = Text("Write them as fields, like those of the kind.")
        yield Fault(keys, Text("{}: records need fields.", name), advice)
    for inner in field.fields:
        place, inner_name = (*keys, "fields", inner.key), f"{name}.fields.{inner.key}"
        if inner.type in _NOT_IN_RECORDS:
            message = Text("{}: records have no {}.", inner_name, inner.type)
            yield Fault(place, message, Text("Use a field of another type."))
        else:
            yield from _type_faults(place, inner_name, inner, Fields)


def _order_faults(declared: KindFields, model: type[Common]) -> Iterator[Fault]:
    types = {field.key: field.type for field in declared_fields(declared)}
    sort = (declared.sort or "").removeprefix("-")
    known = {*types, "title", "sortOrder", PUBLISHED_AT}
    if sort and sort not in known:
        advice = Text("Use one of {}.", sorted(known))
        yield Fault(("sort",), Text("sort: there is no field “{}”.", sort), advice)
    elif types.get(sort) in _UNORDERED:
        yield Fault(
            ("sort",), Text("sort: “{}” has no order.", sort), Text("Use a field of another type.")
        )
    for key, date in (("date", declared.date), ("endDate", declared.end_date)):
        if date and types.get(date) != "date" and date != PUBLISHED_AT:
            advice = Text("Use a field of the type date, or {}.", PUBLISHED_AT)
            yield Fault((key,), Text("{}: “{}” is no date.", key, date), advice)
    for key, value in (("endDate", declared.end_date), ("calendar", declared.calendar)):
        if value and not declared.date:
            yield Fault(
                (key,), Text("{}: events need a date.", key), Text("Name the field in date.")
            )


def _named_faults(declared: KindFields) -> Iterator[Fault]:
    """Yield keys that name a field which is not there, or has another type."""
    types = {field.key: field.type for field in declared_fields(declared)}
    for key, named, type_ in (
        ("titleFrom", declared.title_from, "localizedText"),
        ("countryFrom", declared.country_from, "country"),
    ):
        if named and types.get(named) != type_:
            message = Text("{}: “{}” is no field of the type {}.", key, named, type_)
            yield Fault((key,), message, Text("Name such a field."))
    for named in declared.require_one_of or ():
        if named not in {*types, "title", "body"}:
            message = Text("requireOneOf: there is no field “{}”.", named)
            advice = Text("Use one of {}.", sorted({*types, "title", "body"}))
            yield Fault(("requireOneOf",), message, advice)

"""The front matter of `_kinds/`: what a site declares of a kind, and the models made from it.

A declared field is an attribute of the model of its kind, like a field of a built-in kind, so that
merging, checks and schemas treat both alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from pydantic import BeforeValidator, Field, PlainValidator
from pydantic.alias_generators import to_camel, to_snake

from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import (
    MARKDOWN,
    ContactUrl,
    CountryCode,
    Currency,
    ImagePath,
    Integer,
    InvalidValue,
    LocalizedText,
    NameList,
    PhoneNumber,
    PlainText,
    Price,
    RefersTo,
    TextList,
    UtcDateTime,
)
from knowledge.fields.json_schemas import SCALAR, written
from knowledge.fields.schemas import (
    DECLARED_MODELS,
    Common,
    Fields,
    Marks,
    front_matter,
    model_of,
)

FieldType = Literal[
    "text",
    "localizedText",
    "number",
    "integer",
    "boolean",
    "money",
    "date",
    "choice",
    "list",
    "image",
    "reference",
    "country",
    "phone",
    "url",
    "place",
    "records",
]
"""The types of declared fields."""

Showing = Literal["fact", "card", "nothing"]
"""Where a field is shown: on the page, on the page and in the cards of lists, or nowhere."""

Model = TypeVar("Model", bound=Fields)
_NAME = re.compile(r"[a-z][A-Za-z0-9]*")
_KIND_PATH = re.compile(r"(?:/[a-z]+(?:-[a-z]+)*)+")
_KIND_NAME = re.compile(r"[a-z]+(?:-[a-z]+)*")


@front_matter
class Place(Fields):
    """The value of a field of the type `place`."""

    address: LocalizedText | None = None
    """The address, as one text."""

    map_url: ContactUrl | None = None
    """The place on a map."""

    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    """The latitude, in degrees."""

    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    """The longitude, in degrees."""


def _field_name(value: Any) -> Any:
    if not _NAME.fullmatch(str(value)) or to_camel(to_snake(str(value))) != str(value):
        advice = Text("Use a name such as startsAt, of letters and digits.")
        raise InvalidValue(Text("invalid name of a field"), advice, value)
    if iskeyword(to_snake(str(value))):
        advice = Text("Use another name: this one is a word of the programming language.")
        raise InvalidValue(Text("reserved name of a field"), advice, value)
    return value


def is_kind_path(path: str) -> bool:
    """Return whether a path can be the address of a list."""
    return bool(_KIND_PATH.fullmatch(path))


def _path(value: Any) -> Any:
    if not is_kind_path(str(value)):
        advice = Text("Use lower-case words such as /doctors or /about/doctors.")
        raise InvalidValue(Text("invalid address"), advice, value)
    return value


def _edit_url(value: Any) -> Any:
    if not str(value).startswith(("https://", "http://")) or "{path}" not in str(value):
        advice = Text("Use the URL of a file, with the word path in braces in place of its path.")
        raise InvalidValue(Text("invalid address for edits"), advice, value)
    return value


FieldName = Annotated[str, BeforeValidator(_field_name), written({"type": "string"})]
"""The key of a declared field in front matter."""

KindPath = Annotated[str, BeforeValidator(_path), written({"type": "string"})]
"""The address of a list below each locale."""


EditUrl = Annotated[str, BeforeValidator(_edit_url), written({"type": "string"})]
"""A URL with the placeholder `{path}`."""


_LARGEST = 10**15


def _number(value: Any) -> int | float:
    """Return a number: whole ones without a decimal point."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not abs(number) < _LARGEST:
        raise InvalidValue(Text("invalid number"), Text("Use a number such as 12 or 12.5."))
    return int(number) if number.is_integer() else number


_NUMBER = Annotated[
    int | float,
    PlainValidator(_number),
    written({"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?\d+(?:\.\d+)?$"}]}),
]


@front_matter
class DeclaredField(Fields):
    """What the declared fields of documents and those of forms have in common."""

    label: LocalizedText | None = None
    """The label on pages; by default the name in words."""

    required: bool | None = None
    """Whether it must have a value: `majlis check` reports documents, and a form asks again."""

    choices: dict[PlainText, LocalizedText] | None = None
    """The options of a `choice`, each with its text."""

    many: bool | None = None
    """Whether a `choice`, or the `reference` of a document, has several values."""


@front_matter
class FieldDeclaration(DeclaredField):
    """One declared field."""

    type: FieldType
    """The type of the value."""

    meaning: PlainText | None = None
    """What the field tells, for the contract of the API and for editors."""

    show: Showing | None = None
    """Where it is shown; by default `fact`."""

    search: bool | None = None
    """Whether the search finds its text; by default what is shown."""

    filter: bool | None = None
    """Whether visitors filter the list by it."""

    to: PlainText | None = None
    """The folder of the documents to which a `reference` leads."""

    loose: bool | None = None
    """Whether values of a `reference` may name something that is no document."""

    markdown: bool | None = None
    """Whether a `localizedText` has emphasis and links."""

    min: _NUMBER | None = None
    """The least value of a `number` or `integer`."""

    max: _NUMBER | None = None
    """Its greatest value."""

    vat: bool | None = None
    """Whether the VAT of the country is added to an amount of `money`."""

    decorative: bool | None = None
    """Whether an `image` has no alternative text, as it says nothing that the text does not."""

    fields: dict[FieldName, FieldDeclaration] | None = None
    """The fields of each of the `records`."""

    singular: LocalizedText | None = None
    """What one of the `records` is called, such as `Variant`."""

    schema_property: PlainText | None = None
    """The property of schema.org that has the value."""


PUBLISHED_AT = "publishedAt"
"""The date of what is published, which takes place at no time."""


@front_matter
class KindFields(Common):
    """`_kinds/`; the body is the text above the list."""

    refuses_unknown_keys: ClassVar[bool] = True
    keeps_lines: ClassVar[bool] = True

    singular: LocalizedText | None = None
    """What one document is called, such as `Doctor`."""

    plural: LocalizedText | None = None
    """What all of them are called: the title of their list."""

    path: KindPath | None = None
    """The address of the list, above those of the documents; by default the file name."""

    nested: bool | None = None
    """Whether the folders in which documents lie are part of their slugs and addresses."""

    folder: Literal["."] | None = None
    """`.` if the documents lie in the content folder itself, outside the folders of all kinds."""

    layout: Literal["documentation"] | None = None
    """How documents look: `documentation` has a menu of all documents beside each."""

    group_by: PlainText | None = None
    """The field, a `choice`, by whose options the menu of documentation is grouped."""

    versions: TextList | None = None
    """The folders that each have one version of all documents, the newest first."""

    edit_url: EditUrl | None = None
    """Where readers may edit a document; `{path}` is that of its file in the content folder."""

    parent: KindPath | None = None
    """The address of the page above the list in the breadcrumbs."""

    fields: dict[FieldName, FieldDeclaration] | None = None
    """The fields by name."""

    sort: PlainText | None = None
    """The field by which lists are sorted, `-startsAt` for the last one first; by default
    `sortOrder`, then the title."""

    date: PlainText | None = None
    """The field with the date of a document, which puts it into a feed."""

    end_date: PlainText | None = None
    """The field with the end, for documents that are events."""

    calendar: bool | None = None
    """Whether documents are events, with a calendar; by default those with a `date` of their own,
    which is another one than `publishedAt`."""

    schema_type: PlainText | None = None
    """The type of schema.org that a document describes, such as `Physician`."""

    title_from: PlainText | None = None
    """The field, a `localizedText`, that names a document without a title."""

    require_one_of: TextList | None = None
    """Fields, or `body`, of which a document needs one."""

    country_from: PlainText | None = None
    """The field with the one country in which a document is shown."""

    falls_back: bool | None = None
    """`false` leaves a document out in the language in which it has no text."""

    chapter: LocalizedText | None = None
    """The heading in llms.txt; by default the plural."""

    use_when: LocalizedText | None = None
    """When to read a document, after “use when”; `%(title)s` stands for its title."""

    @property
    def short_title(self) -> LocalizedText | None:
        """The plural."""
        return self.plural

    @property
    def has_calendar(self) -> bool:
        """Whether documents are events: those with a date that is not that of their publication."""
        if self.calendar is None:
            return self.date not in (None, PUBLISHED_AT)
        return self.calendar


@dataclass(frozen=True, slots=True)
class OwnField:
    """A declared field, complete with its defaults."""

    key: str
    attribute: str
    """The name in the model."""

    declaration: FieldDeclaration
    is_built_in: bool = False
    """Whether a built-in kind shows it in its own way; those that say `show: fact` are facts."""

    @property
    def type(self) -> FieldType:
        """The type of the value."""
        return self.declaration.type

    @property
    def label(self) -> Mapping[str, str]:
        """The label by language."""
        return self.declaration.label or in_words(self.key)

    @property
    def is_shown(self) -> bool:
        """Whether pages show it."""
        return self.declaration.show != "nothing"

    @property
    def is_on_cards(self) -> bool:
        """Whether the cards of lists show it."""
        return self.declaration.show == "card"

    @property
    def is_searched(self) -> bool:
        """Whether the search finds its text."""
        search = self.declaration.search
        return self.is_shown if search is None else search

    @property
    def has_many(self) -> bool:
        """Whether it has several values."""
        return self.type in ("list", "records") or bool(self.declaration.many)

    @property
    def fields(self) -> tuple[OwnField, ...]:
        """The fields of records."""
        return declared_fields(self.declaration)

    @property
    def types(self) -> frozenset[FieldType]:
        """The types of the value, and of what is in it."""
        return frozenset((self.type, *(each.type for each in self.fields)))

    @property
    def alternative(self) -> str | None:
        """The attribute with the alternative text of an image; None if there is none."""
        has_text = self.type == "image" and not self.declaration.decorative
        return f"{self.attribute}_alt" if has_text else None

    @property
    def choices(self) -> Mapping[str, Mapping[str, str]]:
        """The options of a choice."""
        return self.declaration.choices or {}


def in_words(key: str) -> Mapping[str, str]:
    """Return the name of a field in words, as its label by language.

    >>> in_words("startsAt")
    {'en': 'Starts at'}
    """
    return {"en": to_snake(key).replace("_", " ").replace("-", " ").capitalize()}


_TYPES: Mapping[str, Any] = {
    "text": PlainText,
    "localizedText": LocalizedText,
    "number": _NUMBER,
    "integer": Integer,
    "boolean": bool,
    "money": dict[Currency, Price],
    "date": UtcDateTime,
    "list": NameList,
    "image": ImagePath,
    "country": CountryCode,
    "phone": PhoneNumber,
    "url": ContactUrl,
    "place": Place,
}


def _annotation(field: OwnField, path: str) -> Any:
    """Return the type of a field in the model of its kind, or of records."""
    declared = field.declaration
    if field.type == "choice":
        options: Any = Literal[tuple(field.choices)]
        schema = {"type": "string", "enum": [*field.choices]}
        has_numbers = any(map(_NUMERIC.fullmatch, field.choices))
        described = written(SCALAR if has_numbers else schema)
        option = Annotated[options, BeforeValidator(_text_of_scalar), described]
        return list[option] if field.has_many else option
    if field.type == "reference":
        return TextList if field.has_many else PlainText
    if field.type == "records":
        words = (declared.singular or field.label).get("en", field.key)
        name = "".join(word.capitalize() for word in re.findall(r"\w+", words))
        return list[extended(Fields, f"{path}.{field.key}.{name}", field.fields)]  # type: ignore[misc]  # made here
    if declared.min is None and declared.max is None:
        return _TYPES[field.type]
    least, most = declared.min, declared.max
    if field.type == "number":
        return Annotated[float, Field(ge=least, le=most)]
    least, most = (None if each is None else int(each) for each in (least, most))
    return Annotated[Integer, Field(ge=least, le=most)]


_NUMERIC = re.compile(r"[-+.\d].*|true|false", re.IGNORECASE)
"""Options that YAML may read as another type, so that editors cannot list them."""


def _text_of_scalar(value: Any) -> Any:
    return str(value) if isinstance(value, str | int | float) else value


def _marks(field: OwnField) -> Iterator[object]:
    yield field
    if field.type == "reference" and not field.declaration.loose:
        yield RefersTo(field.declaration.to or "")
    if field.declaration.markdown:
        yield MARKDOWN


_OWN: Marks[OwnField] = Marks(OwnField)


def own_fields(model: type[Fields]) -> Mapping[str, OwnField]:
    """Return the declared fields of a model, by attribute."""
    return _OWN.of(model)


def declared_fields(
    declared: KindFields | FieldDeclaration, *, is_built_in: bool = False
) -> tuple[OwnField, ...]:
    """Return the fields of the declaration of a kind, or of records."""
    return tuple(
        OwnField(key, to_snake(key), each, is_built_in and each.show != "fact")
        for key, each in (declared.fields or {}).items()
    )


def extended(
    model: type[Model], path: str, declared: tuple[OwnField, ...], **more: object
) -> type[Model]:
    """Return a subclass of a front matter model with declared fields.

    `path` names a version of a declaration, or the records in it. An image has a further field for
    its alternative text, as images of built-in kinds have. `more` are further attributes.
    """
    annotations: dict[str, Any] = {}
    defaults: dict[str, None] = {}
    for field in declared:
        hint = _annotation(field, path)
        if field.declaration.required and not issubclass(model, Common):
            annotations[field.attribute] = Annotated[hint, *_marks(field)]
        else:
            annotations[field.attribute] = Annotated[hint | None, *_marks(field)]
            defaults[field.attribute] = None
        if field.alternative:
            annotations[field.alternative] = LocalizedText | None
            defaults[field.alternative] = None
    name = path.rpartition(".")[2].partition("@")[0]
    namespace = {
        "__annotations__": annotations,
        "__module__": __name__,
        "__doc__": f"`{name}/`." if issubclass(model, Common) else f"{name}.",
        "__qualname__": path,
        **defaults,
        **more,
    }
    made = model_of(cast("type[Model]", type(name, (model,), namespace)))
    DECLARED_MODELS[path] = made
    return made


def model_of_kind(name: str, version: str, declared: KindFields) -> type[Common]:
    """Return the front matter model of a kind that is declared whole: built in, or of a version."""
    named, country = to_snake(declared.title_from or ""), to_snake(declared.country_from or "")
    more = {"short_title": property(attrgetter(named))} if named else {}
    more |= {"only_country": property(attrgetter(country))} if country else {}
    fields = declared_fields(declared, is_built_in=not version)
    return extended(Common, f"{name}@{version}", fields, **more)


def needed_of_kind(declared: KindFields) -> tuple[tuple[str, ...], ...]:
    """Return the fields that a document needs: of each tuple, at least one."""
    fields = declared_fields(declared)
    required = {each.attribute for each in fields if each.declaration.required}
    named = to_snake(declared.title_from or "")
    one_of = tuple(map(to_snake, declared.require_one_of or ()))
    has_title = named in required or one_of == ("title",)
    title = () if has_title else ((named, "title") if named else ("title",),)
    return (*((one_of,) if one_of else ()), *title, *((each,) for each in sorted(required)))


@cache
def schema_types() -> frozenset[str]:
    """Return the names of the types of schema.org, as the package schema-dts has them."""
    return frozenset((Path(__file__).parent / "schema_types.txt").read_text().split())


def is_kind_name(name: str) -> bool:
    """Return whether a file of `_kinds/` can name a kind."""
    return bool(_KIND_NAME.fullmatch(name))


def is_taken(model: type[Fields], field: OwnField) -> bool:
    """Return whether a model has another meaning for the name of a declared field."""
    return any(hasattr(model, name) for name in (field.attribute, field.alternative) if name)

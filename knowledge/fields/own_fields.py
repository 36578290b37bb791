"""Declared fields, complete with their defaults, and the models made of them.

A declared field is an attribute of the model of its kind, like a field of a class, so that
merging, checks and schemas treat both alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BeforeValidator, Field
from pydantic.alias_generators import to_snake

from knowledge.fields.field_types import (
    MARKDOWN,
    ContactUrl,
    CountryCode,
    Currency,
    ImagePath,
    Integer,
    LocalizedText,
    NameList,
    PhoneNumber,
    PlainText,
    Price,
    RefersTo,
    TextList,
    UtcDateTime,
)
from knowledge.fields.front_matter import DECLARED_MODELS, Common, Fields, Marks, model_of
from knowledge.fields.json_schemas import SCALAR, written
from knowledge.fields.kind_fields import (
    NUMBER,
    FieldDeclaration,
    FieldType,
    KindFields,
)
from knowledge.fields.opening_hours import OpeningHours
from knowledge.fields.trade_values import (
    AddressValue,
    ClockTime,
    DurationText,
    MailAddress,
    OfferValue,
    Place,
    RatingValue,
    StreetAddress,
)
from knowledge.locales.locale import Country

Model = TypeVar("Model", bound=Fields)


def in_words(key: str) -> Mapping[str, str]:
    """Return the name of a field in words, as its label by language.

    >>> in_words("startsAt")
    {'en': 'Starts at'}
    """
    return {"en": to_snake(key).replace("_", " ").replace("-", " ").capitalize()}


ORDERED: tuple[FieldType, ...] = (
    "number",
    "integer",
    "money",
    "date",
    "duration",
    "offer",
    "rating",
)
"""The types of values that have a least and a greatest one."""

LISTED: tuple[FieldType, ...] = ("choice", "reference", "text", "list")
"""The types of values that lists are filtered by one by one."""

SORTED: tuple[FieldType, ...] = ("text", "localizedText", *ORDERED)
"""The types of values by which lists are sorted."""


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
    def has_range(self) -> bool:
        """Whether lists are filtered by the least and the greatest value."""
        return self.type in ORDERED

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters of lists that are filtered by it."""
        name = self.key[:1].upper() + self.key[1:]
        return (f"min{name}", f"max{name}") if self.has_range else (self.key,)

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


_TYPES: Mapping[str, Any] = {
    "text": PlainText,
    "localizedText": LocalizedText,
    "number": NUMBER,
    "integer": Integer,
    "boolean": bool,
    "money": dict[Currency, Price],
    "date": UtcDateTime,
    "list": NameList,
    "image": ImagePath,
    "country": CountryCode,
    "phone": PhoneNumber,
    "whatsapp": PhoneNumber,
    "mail": MailAddress,
    "url": ContactUrl,
    "place": Place,
    "address": AddressValue,
    "time": ClockTime,
    "hours": OpeningHours,
    "duration": DurationText,
    "offer": OfferValue,
    "rating": RatingValue,
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


def further_fields(model: type[Fields]) -> list[OwnField]:
    """Return the declared fields of a model that pages show alike."""
    return [each for each in own_fields(model).values() if not each.is_built_in]


def address_countries(fields: Fields) -> Iterator[Country]:
    """Yield the countries that the addresses of a document name."""
    values = (getattr(fields, name) for name in own_fields(type(fields)))
    return (each.country for each in values if isinstance(each, StreetAddress) and each.country)


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


def is_taken(model: type[Fields], field: OwnField) -> bool:
    """Return whether a model has another meaning for the name of a declared field."""
    return any(hasattr(model, name) for name in (field.attribute, field.alternative) if name)

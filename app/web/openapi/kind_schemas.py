"""The schemas of the kinds that a site declares, each by its own name in the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from app.web.openapi.schemas import component_reference
from knowledge.fields.kinds import Kind, SiteKinds
from knowledge.fields.opening_hours import DAYS
from knowledge.fields.own_fields import OwnField, further_fields
from knowledge.fields.prices import AMOUNT_PATTERN
from knowledge.fields.trade_values import Period
from knowledge.locales.locale import Language, localized_text
from knowledge.resources.authors import AuthorProfile
from knowledge.resources.home import Homepage
from knowledge.resources.kind_documents import all_kinds
from knowledge.resources.kind_pages import EntryBody, EntryDetail, EntryItem
from knowledge.resources.own_values import OwnBody
from knowledge.resources.pages import PageBody
from knowledge.resources.posts import PostBody
from knowledge.resources.products import ProductBody
from knowledge.resources.testimonials import TestimonialItem
from knowledge.snapshot.snapshot import Snapshot

Json = dict[str, Any]

_TEXT: Json = {"type": "string"}


def _text(description: str) -> Json:
    return {**_TEXT, "description": description}


def _object(properties: Json, *required: str) -> Json:
    needed = {"required": [*required]} if required else {}
    return {"type": "object", "properties": properties, **needed}


_REFERENCE: Json = _object(
    {
        "slug": _text("Slug of the document."),
        "title": _text("Title of the document."),
        "path": _text("Site path of its page."),
    },
    "slug",
    "title",
)
_AMOUNT: Json = _object(
    {
        "amount": {**_text("The amount."), "pattern": AMOUNT_PATTERN},
        "currency": _text("ISO 4217 code of the currency."),
    },
    "amount",
    "currency",
)
_WITH_VAT: Json = {
    "amountWithVat": {**_text("The amount with VAT, if some is added."), "pattern": AMOUNT_PATTERN},
    "vatRate": _text("The rate of VAT in percent."),
    "vatFirst": {"type": "boolean", "description": "Whether pages show the amount with VAT."},
}
_IMAGE: Json = _object(
    {"src": _text("Path of the picture."), "alt": _text("Its alternative text.")}, "src", "alt"
)
_PLACE: Json = _object(
    {
        "address": _text("The address."),
        "mapUrl": _text("The place on a map."),
        "latitude": {"type": "number", "description": "The latitude, in degrees."},
        "longitude": {"type": "number", "description": "The longitude, in degrees."},
    }
)
_CLOCK: Json = {**_TEXT, "pattern": r"^\d\d:\d\d$"}
_SPANS: Json = {
    "type": "array",
    "description": "The spans in which it is open; none if it is closed.",
    "items": _object({"opens": _CLOCK, "closes": _CLOCK}, "opens", "closes"),
}
_WEEK: Json = {
    "type": "array",
    "description": "The days, in the order of the country's week.",
    "items": _object({"day": {"type": "string", "enum": [*DAYS]}, "spans": _SPANS}, "day", "spans"),
}
_PERIOD: Json = {
    "name": _text("What it is called."),
    "from": {"type": "string", "format": "date", "description": "The first day."},
    "to": {"type": "string", "format": "date", "description": "The last day."},
}
_HOURS: Json = _object(
    {
        "days": _WEEK,
        "seasons": {
            "type": "array",
            "description": "Parts of the year with hours of their own.",
            "items": {"type": "object", "properties": {**_PERIOD, "days": _WEEK}},
        },
        "exceptions": {
            "type": "array",
            "description": "Days that are closed, or have other hours.",
            "items": {"type": "object", "properties": {**_PERIOD, "spans": _SPANS}},
        },
        "timeZone": _text("The time zone of the times, where it is known."),
        "open": {"type": "boolean", "description": "Whether it is open now."},
        "changesAt": {
            "type": "string",
            "format": "date-time",
            "description": "When it closes, or opens.",
        },
        "asOf": {"type": "string", "format": "date", "description": "Today in the time zone."},
    },
    "days",
    "seasons",
    "exceptions",
)
_ADDRESS: Json = _object(
    {
        "text": _text("The address as one text."),
        "street": _text("Street and number."),
        "city": _text("The city."),
        "region": _text("The province or emirate."),
        "postalCode": _text("The postal code."),
        "country": _text("ISO 3166 code of the country."),
        **{key: each for key, each in _PLACE["properties"].items() if key != "address"},
    },
    "text",
)
_OFFER: Json = _object(
    {
        **_AMOUNT["properties"],
        "amountTo": {**_text("The highest amount."), "pattern": AMOUNT_PATTERN},
        "isLeast": {"type": "boolean", "description": "Whether the amount is the least one."},
        "per": {**_text("The time that it is for."), "enum": [*get_args(Period)]},
        "unit": _text("What it is for."),
    },
    "amount",
    "currency",
)
_OFFER_WITH_VAT: Json = {
    "amountToWithVat": {**_text("The highest amount with VAT."), "pattern": AMOUNT_PATTERN},
}
_RATING: Json = _object(
    {
        "value": {"type": "number", "description": "The mean of the ratings."},
        "best": {"type": "number", "description": "The best possible one."},
        "count": {"type": "number", "multipleOf": 1, "description": "How many there are."},
    },
    "value",
    "best",
)
_SCHEMAS: Mapping[str, Json] = {
    "text": _TEXT,
    "localizedText": _TEXT,
    "number": {"type": "number"},
    "integer": {"type": "number", "multipleOf": 1},
    "boolean": {"type": "boolean"},
    "money": _AMOUNT,
    "date": {"type": "string", "format": "date-time"},
    "list": _TEXT,
    "image": _IMAGE,
    "reference": _REFERENCE,
    "country": _TEXT,
    "phone": _TEXT,
    "whatsapp": _TEXT,
    "mail": _TEXT,
    "url": _TEXT,
    "place": _PLACE,
    "address": _ADDRESS,
    "time": _CLOCK,
    "hours": _HOURS,
    "duration": {"type": "string", "format": "duration"},
    "offer": _OFFER,
    "rating": _RATING,
}


_BODIES: Mapping[str, type[OwnBody]] = {
    "authors": AuthorProfile,
    "pages": PageBody,
    "posts": PostBody,
    "products": ProductBody,
    "testimonials": TestimonialItem,
}
"""The models of built-in kinds that have a model of their own, by folder."""


def with_kinds(schemas: Mapping[str, Any], snapshot: Snapshot) -> Mapping[str, Any]:
    """Return schemas with the fields that a site declares, and its kinds by their names."""
    body, detail, kinds = EntryBody.__name__, EntryDetail.__name__, snapshot.kinds
    schemas = dict(_with_own_fields(schemas, kinds))
    home = schemas.get(Homepage.__name__)
    if home and not kinds.declared:
        properties = {key: each for key, each in home["properties"].items() if key != "kinds"}
        schemas[Homepage.__name__] = {**home, "properties": properties}
    if detail not in schemas:
        return schemas
    own: dict[str, Json] = {}
    for kind in all_kinds(snapshot):
        name = schema_name(kind)
        own[f"{name}Entry" if name in schemas or name in own else name] = _schema(kind, body)
    options = [component_reference(name) for name in own] or [component_reference(body)]
    entry = {**schemas[detail]["properties"]["entry"], "anyOf": options}
    entry.pop("$ref", None)
    properties = {**schemas[detail]["properties"], "entry": entry}
    return {**schemas, **own, detail: {**schemas[detail], "properties": properties}}


def _with_own_fields(
    schemas: Mapping[str, Any], kinds: SiteKinds
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the schemas; those of built-in kinds have `fields` if the site declares any."""
    declared = {kind.name for kind in kinds.declared}
    built_in = [each for each in kinds.content_types if each.folder not in declared]
    extended = {each.folder: found for each in built_in if (found := further_fields(each.fields))}
    typed = {_BODIES[name].__name__: facts for name, facts in extended.items() if name in _BODIES}
    own = {EntryBody.__name__, EntryItem.__name__}
    others = {each.__name__ for each in _own_bodies(OwnBody)} - own
    known = {each.__name__ for each in _BODIES.values()}
    for name, schema in schemas.items():
        if name not in others:
            yield name, schema
        elif name in typed:
            fields = {**schema["properties"]["fields"], **_fields(typed[name])}
            yield name, {**schema, "properties": {**schema["properties"], "fields": fields}}
        elif extended and name not in known:
            yield name, schema
        else:
            properties = {
                key: each for key, each in schema["properties"].items() if key != "fields"
            }
            yield name, {**schema, "properties": properties}


def _own_bodies(model: type[OwnBody]) -> Iterator[type[OwnBody]]:
    for each in model.__subclasses__():
        yield each
        yield from _own_bodies(each)


def _fields(fields: Iterable[OwnField]) -> Json:
    return {"type": "object", "properties": dict(_properties(fields))}


def _properties(fields: Iterable[OwnField]) -> Iterator[tuple[str, Json]]:
    return ((each.key, _of_field(each)) for each in fields)


def schema_name(kind: Kind) -> str:
    """Return the name of a kind's schema: its singular in English, else the name of its folder."""
    english = (kind.declared.singular or {}).get(Language.EN, "")
    words = "".join(each if each.isascii() and each.isalnum() else " " for each in english).split()
    return "".join(word[0].upper() + word[1:] for word in words or kind.name.split("-"))


def _schema(kind: Kind, body: str) -> Json:
    described = localized_text(kind.declared.singular, Language.EN)
    own = {
        "kind": {**_text("Name of the kind."), "enum": [kind.name]},
        "fields": {**_fields(kind.fields), "description": "The fields that have a value."},
    }
    return {
        "allOf": [component_reference(body), {"type": "object", "properties": own}],
        "description": f"One document of the kind {kind.name}: {described}.",
    }


def _of_field(field: OwnField) -> Json:
    if field.type == "choice":
        one = _option(field)
    elif field.type == "records":
        one = {"type": "object", "properties": dict(_properties(field.fields))}
    else:
        one = dict(_SCHEMAS[field.type])
    if field.declaration.vat:
        one["properties"] = {**one["properties"], **_WITH_VAT}
        if field.type == "offer":
            one["properties"] |= _OFFER_WITH_VAT
    schema = {"type": "array", "items": one} if field.has_many else one
    return {**schema, "description": " ".join(_description(field))}


def _option(field: OwnField) -> Json:
    value = {**_text("The option."), "enum": list(field.choices)}
    return {
        "type": "object",
        "properties": {"value": value, "label": _text("Its text.")},
        "required": ["value", "label"],
    }


def _description(field: OwnField) -> Iterator[str]:
    yield f"{localized_text(field.label, Language.EN)}."
    if field.declaration.meaning:
        yield field.declaration.meaning

"""What a document of a declared kind describes, in the terms of schema.org.

A field stands for the property that its declaration names, else for that of its type.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from knowledge.addresses.addresses import page_of
from knowledge.fields.kinds import Kind
from knowledge.fields.moments import is_day
from knowledge.fields.own_fields import OwnField
from knowledge.locales import cldr
from knowledge.markdown.inline import plain_text
from knowledge.resources.described_values import (
    QUANTITIES,
    Node,
    money,
    opening_hours,
    option,
    place,
    rating,
    typed,
)
from knowledge.resources.document_page import short_text, title_of
from knowledge.resources.own_places import place_country, referred
from knowledge.resources.own_values import OwnValue, own_values
from knowledge.resources.site_chrome import brand
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

_OF_TYPES: Mapping[str, str] = {
    "address": "address",
    "hours": "openingHoursSpecification",
    "offer": "offers",
    "rating": "aggregateRating",
}
"""The properties of values without further declarations, by type."""

_OF_THINGS: Mapping[str, Mapping[str, str]] = {
    "JobPosting": {"address": "jobLocation", "offer": "baseSalary"},
}
_ORGANIZERS: Mapping[str, str] = {
    "Course": "provider",
    "EducationalOccupationalProgram": "provider",
    "JobPosting": "hiringOrganization",
    "Service": "provider",
}
"""The property that names the company of the site, by the type of a thing."""

_WHEREABOUTS = ("address", "geo", "hasMap")
_PLACES = ("location", "jobLocation")
_OF_INSTANCES = ("courseMode", "courseSchedule", "courseWorkload", "instructor")
"""The properties that schema.org gives to the instances of a course."""

_ALLERGENS = "allergens"
"""What schema.org has no property for: these are told in the description."""


def property_of(kind: Kind, field: OwnField) -> str | None:
    """Return the property for which a field of a kind stands; None for no property."""
    declared = field.declaration.schema_property
    if declared or not kind.schema_type:
        return declared
    if kind.has_calendar and field == kind.location:
        return "location"
    if kind.has_calendar and field.type in ("address", "hours"):
        return None
    return _OF_THINGS.get(kind.schema_type, {}).get(field.type, _OF_TYPES.get(field.type))


def described_properties(kind: Kind) -> frozenset[str]:
    """Return the properties that things of a kind may have, as its declaration says."""
    named = {property_of(kind, each) for each in kind.fields} | {"name", "description", "url"}
    if kind.has_calendar:
        named.add("startDate")
    if kind.schema_type == "JobPosting":
        named |= {"title"} | ({"datePosted"} if kind.date == "published_at" else set())
    return frozenset(filter(None, (*named, _organizer(kind))))


def _organizer(kind: Kind) -> str | None:
    return "organizer" if kind.has_calendar else _ORGANIZERS.get(kind.schema_type)


def described_thing(
    view: ContentView, resolved: Resolved, values: Sequence[OwnValue]
) -> Mapping[str, object]:
    """Return the properties of what a document describes; none if the site declares no type.

    An event has its dates and its place, a vacancy its title and its company, without further
    declarations.
    """
    kind = view.snapshot.kinds.by_name.get(resolved.entry.kind.folder)
    if kind is None or not kind.schema_type:
        return {}
    thing = _Description(view, resolved, kind).thing(values)
    organizer = _organizer(kind)
    if organizer:
        thing.setdefault(organizer, _company(view))
    if kind.schema_type == "JobPosting":
        thing["title"] = title_of(resolved)
        thing["datePosted"] = resolved.fields.published_at
    return thing


def _company(view: ContentView) -> Node:
    url = view.absolute("/")
    return {"@type": "Organization", "@id": f"{url}#organization", "name": brand(view), "url": url}


@dataclass(frozen=True, slots=True)
class _Description:
    """A document as a thing of its kind."""

    view: ContentView
    resolved: Resolved
    kind: Kind

    def thing(self, values: Sequence[OwnValue]) -> Node:
        """Return all properties that the values of the document give."""
        thing: Node = {"@type": self.kind.schema_type, **dict(self._dates())}
        for value in values:
            name = property_of(self.kind, value.field)
            if name == _ALLERGENS:
                allergens = self.view.locale.language.comma.join(_texts(value))
                told = short_text(self.resolved), f"{value.label}: {allergens}."
                thing["description"] = " ".join(filter(None, told))
            elif name:
                self._add(thing, name, value)
        if self.kind.schema_type == "Course":
            instance = {name: thing.pop(name) for name in _OF_INSTANCES if name in thing}
            if instance:
                thing["hasCourseInstance"] = {"@type": "CourseInstance", **instance}
        if self.kind.has_calendar and "location" in thing:
            own = {"eventAttendanceMode": "OfflineEventAttendanceMode"}
            own["eventStatus"] = "EventScheduled"
            thing = {name: f"https://schema.org/{each}" for name, each in own.items()} | thing
        return thing

    def _dates(self) -> Iterator[tuple[str, str]]:
        span = self.kind.span(self.resolved.fields)
        if span is not None:
            yield "startDate", self._date(span.starts_at)
            if span.ends_at:
                yield "endDate", self._date(span.ends_at)

    def _add(self, thing: Node, name: str, value: OwnValue) -> None:
        """Add a value; of several for the property of their type the first one counts."""
        if name == "address" and value.field.type in ("address", "place", "reference"):
            if name not in thing:
                thing |= self._whereabouts(value)
        elif name not in thing:
            thing[name] = self._node(name, value)
        elif name == "offers" or value.field.declaration.schema_property:
            thing[name] = [*_several(thing[name]), *_several(self._node(name, value))]

    def _whereabouts(self, value: OwnValue) -> Node:
        """Return the address of a thing, and where it is on a map; of a reference that of it."""
        if value.field.type != "reference":
            found = self._place(value.json)
        else:
            json = value.json if isinstance(value.json, list) else [value.json]
            found = self._target(value.field, json[0], is_place=True)
        return {name: each for name, each in found.items() if name in _WHEREABOUTS}

    def _node(self, name: str, value: OwnValue) -> object:
        if value.field.type == "hours":
            return list(opening_hours(value.json))
        if value.field.has_many:
            return [self._node_of(name, value.field, each) for each in value.json]
        return self._node_of(name, value.field, value.json)

    def _node_of(self, name: str, field: OwnField, json: Any) -> object:
        node = self._date(json) if isinstance(json, datetime) else json
        match field.type:
            case "address" | "place":
                node = self._address(name, json)
            case "choice":
                node = option(name, json)
            case "image":
                node = self.view.absolute(json["src"])
            case "integer" | "number" if name in QUANTITIES:
                node = {"@type": "QuantitativeValue", "value": json}
            case "money" | "offer":
                node = self._money(name, json)
            case "rating":
                node = rating(json)
            case "reference":
                node = self._target(field, json, is_place=name in _PLACES)
        return node

    def _target(self, field: OwnField, json: Node, *, is_place: bool) -> Node:
        """Return the document to which a reference leads; a place with its address."""
        kind = self.view.snapshot.kinds.by_name.get(field.declaration.to or "")
        named = kind.schema_type if kind else ""
        node: Node = {"@type": named or ("Place" if is_place else "Thing"), "name": json["title"]}
        if "path" in json:
            node["url"] = self.view.absolute(json["path"])
        target = referred(self.view, field, json["slug"])
        if kind and target and is_place:
            there = _Description(self.view, target, kind)
            fields = [each for each in kind.fields if each.type in ("address", "place")]
            for value in own_values(self.view, target, fields):
                return node | there._whereabouts(value)
        return node

    def _address(self, name: str, json: Node) -> Node:
        found = self._place(json)
        return {"@type": "Place", **found} if name in _PLACES or "address" not in found else found

    def _place(self, json: Node) -> Node:
        return place(json, place_country(self.view, self.resolved))

    def _money(self, name: str, json: Node) -> Node:
        node = money(name, json, self.view.locale.country)
        if name == "offers" and (url := self._url()):
            node["url"] = url
        if name == "offers" and self.kind.schema_type == "Course":
            node["category"] = "Paid" if float(node["price"]) else "Free"
        return node

    def _url(self) -> str | None:
        entry, snapshot = self.resolved.entry, self.view.snapshot
        if entry.kind not in snapshot.page_types.by_content_type:
            return None
        path = page_of(entry.kind, entry.slug, snapshot).path
        return self.view.absolute(self.view.locale.path + path)

    def _date(self, moment: datetime) -> str:
        """Return a day, or a time with the offset of the place."""
        if is_day(moment):
            return moment.date().isoformat()
        country = place_country(self.view, self.resolved)
        return (moment.astimezone(cldr.time_zone(country)) if country else moment).isoformat()


def _several(node: object) -> list[object]:
    return node if isinstance(node, list) else [node]


def _texts(value: OwnValue) -> Iterator[str]:
    for each in value.json if value.field.has_many else [value.json]:
        yield each["label"] if isinstance(each, dict) else str(each)


def described_list(view: ContentView, kind: Kind, documents: Sequence[Resolved]) -> Node | None:
    """Return what the list of a kind describes: dishes are a menu, questions a page of them."""
    if kind.schema_type == "MenuItem":
        choices = (each for each in kind.fields if each.choices and not each.has_many)
        choice = kind.group or next(choices, None)
        return {"@type": "Menu", "hasMenuSection": list(_sections(view, choice, documents))}
    if kind.schema_type == "Question":
        return {"@type": "FAQPage", "mainEntity": [_question(each) for each in documents]}
    return None


def _sections(
    view: ContentView, choice: OwnField | None, documents: Sequence[Resolved]
) -> Iterator[Node]:
    """Yield the dishes by a choice, in its order."""

    def chosen(dish: Resolved) -> int:
        value = choice and getattr(dish.fields, choice.attribute)
        return [*choice.choices].index(value) if choice and value else len(documents)

    for _, dishes in groupby(sorted(documents, key=chosen), chosen):
        found = list(dishes)
        values = own_values(view, found[0])
        title = next((each.json["label"] for each in values if each.field == choice), None)
        items = [_dish(view, each) for each in found]
        yield typed("MenuSection", {"name": title, "hasMenuItem": items})


def _dish(view: ContentView, dish: Resolved) -> Node:
    named = {"name": title_of(dish), "description": short_text(dish)}
    thing = described_thing(view, dish, own_values(view, dish))
    return {name: each for name, each in {**named, **thing}.items() if each is not None}


def _question(document: Resolved) -> Node:
    text = "\n\n".join(each.body for each in document.bodies)
    answer = {"@type": "Answer", "text": plain_text(text)}
    return {"@type": "Question", "name": title_of(document), "acceptedAnswer": answer}

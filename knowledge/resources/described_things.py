"""What a document of a declared kind describes, in the terms of schema.org."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from knowledge.fields.kinds import Kind, SiteKinds
from knowledge.fields.moments import Span, is_day
from knowledge.fields.own_fields import OwnField
from knowledge.resources.own_values import OwnValue
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


def described_thing(
    view: ContentView, resolved: Resolved, values: Sequence[OwnValue]
) -> Mapping[str, object]:
    """Return the properties of what a document describes; none if the site declares no type.

    An event has its dates and its place without further declarations.
    """
    kinds = view.snapshot.kinds
    kind = kinds.by_name.get(resolved.entry.kind.folder)
    if kind is None or not kind.schema_type:
        return {}
    named = ((each.field.declaration.schema_property, each) for each in values)
    declared = {name: _node(kinds, each) for name, each in named if name}
    if isinstance(place := declared.get("address"), dict):
        declared["address"] = place.get("address")
    event = _of_event(kinds, kind, values, kind.span(resolved.fields))
    return {"@type": kind.schema_type, **dict(event), **declared}


def _of_event(
    kinds: SiteKinds, kind: Kind, values: Sequence[OwnValue], span: Span | None
) -> Iterator[tuple[str, object]]:
    if span is None:
        return
    yield "startDate", _date(span.starts_at)
    if span.ends_at:
        yield "endDate", _date(span.ends_at)
    for each in values:
        if each.field == kind.location:
            yield "location", _node(kinds, each)


def _node(kinds: SiteKinds, value: OwnValue) -> object:
    json = value.json
    each_json = json if isinstance(json, list) else [json]
    nodes = [_node_of(kinds, value.field, each) for each in each_json]
    return nodes if value.field.has_many else nodes[0]


def _node_of(kinds: SiteKinds, field: OwnField, json: Any) -> object:
    if field.type == "choice":
        return json["label"]
    if field.type == "reference":
        target = kinds.by_name.get(field.declaration.to or "")
        return {"@type": (target and target.schema_type) or "Thing", "name": json["title"]}
    if field.type == "money":
        return {
            "@type": "MonetaryAmount",
            "value": json["amount"],
            "currency": json["currency"],
        }
    if field.type == "image":
        return json["src"]
    if field.type == "place":
        return _place(json)
    return _date(json) if isinstance(json, datetime) else json


def _date(moment: datetime) -> str:
    return moment.date().isoformat() if is_day(moment) else moment.isoformat()


def _place(json: Mapping[str, Any]) -> object:
    geo = {"@type": "GeoCoordinates", "latitude": json.get("latitude")}
    geo["longitude"] = json.get("longitude")
    node = {
        "@type": "Place",
        "address": json.get("address"),
        "hasMap": json.get("mapUrl"),
        "geo": geo if json.get("latitude") is not None else None,
    }
    return {name: each for name, each in node.items() if each is not None}

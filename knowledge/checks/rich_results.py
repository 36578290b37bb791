"""What search engines require of the things that a site declares, and its declarations lack."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from knowledge.diagnostics.messages import Text
from knowledge.fields.kinds import Kind
from knowledge.resources.described_things import (
    described_properties,
    described_thing,
    property_of,
)
from knowledge.resources.document_page import short_text
from knowledge.resources.own_values import own_values
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

_FOLDER = "https://developers.google.com/search/docs/appearance/structured-data/"


class RichResult(NamedTuple):
    """What Google requires of a type for a rich result, and the URL that says so."""

    required: Sequence[str]
    one_of: Sequence[str]
    source: str


@cache
def rich_results() -> Mapping[str, RichResult]:
    """Return the requirements by type of schema.org."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    return {
        name: RichResult(row["required"], row.get("oneOf", ()), _FOLDER + row["source"])
        for row in yaml.load(text, yaml.CSafeLoader)
        for name in row["types"]
    }


def lacking(type_: str, has: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the properties that a thing lacks, each with the URL that requires it."""
    found = rich_results().get(type_)
    if found is None:
        return
    yield from ((name, found.source) for name in found.required if name not in has)
    if found.one_of and has.isdisjoint(found.one_of):
        yield " / ".join(found.one_of), found.source


def unmarked(kind: Kind) -> Iterator[tuple[Text, Text]]:
    """Yield what the declaration of a kind lacks, and what to do."""
    for name, source in lacking(kind.schema_type, described_properties(kind)):
        message = Text("schemaType: Google requires {} of {}.", name, kind.schema_type)
        if name == "datePosted":
            yield message, Text("Add date: publishedAt. See {}.", source)
        else:
            first = name.partition(" ")[0]
            yield message, Text("Add a field with schemaProperty: {}. See {}.", first, source)


def unmarked_document(
    views: Iterable[ContentView], kind: Kind, slug: str
) -> Iterator[tuple[Text, Text]]:
    """Yield what a document lacks for all readers although its kind has it, and what to do."""
    shown = ((view, view.resolve(kind.content_type, slug)) for view in views)
    of_kind = {*lacking(kind.schema_type, described_properties(kind))}
    lacks: set[tuple[str, str]] | None = None
    for view, resolved in shown:
        if resolved is not None and lacks != set():
            found = {*lacking(kind.schema_type, _properties(view, kind, resolved))} - of_kind
            lacks = found if lacks is None else lacks & found
    for name, source in sorted(lacks or ()):
        stands = [each.key for each in kind.fields if property_of(kind, each) in name.split(" / ")]
        fields = tuple(stands) or {**_FIELDS, "startDate": kind.declared.date}.get(name, name)
        message = Text(
            "Google requires {} of {}, and the document has none.", name, kind.schema_type
        )
        yield message, Text("Add a value of {}. See {}.", fields, source)


_FIELDS: Mapping[str, str] = {"datePosted": "publishedAt", "description": "shortDescription"}
"""The fields of all kinds that stand for properties."""


def _properties(view: ContentView, kind: Kind, resolved: Resolved) -> frozenset[str]:
    """Return the properties that the markup of a document has."""
    thing = described_thing(view, resolved, own_values(view, resolved, kind.fields))
    has = {name for name, value in thing.items() if value not in (None, "", [])} | {"name"}
    is_told = short_text(resolved) or (
        kind.schema_type == "JobPosting" and any(each.body.strip() for each in resolved.bodies)
    )
    return frozenset(has | ({"description"} if is_told else set()))

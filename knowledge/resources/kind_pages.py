"""The pages of kinds that a site declares: a document, and the list of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from knowledge.addresses.addresses import Address, LocalizedAddress, in_locale, page_of
from knowledge.fields.content_types import KIND
from knowledge.fields.events import Span
from knowledge.fields.field_types import Omittable
from knowledge.fields.kind_fields import OwnField
from knowledge.fields.kinds import Kind
from knowledge.fields.page_type import ENTRIES, ENTRY
from knowledge.locales.locale import localized_text
from knowledge.resources.base import (
    Instant,
    LocalizedResource,
    Pagination,
    Resource,
    localized_resource,
    paginate,
    resource_in,
)
from knowledge.resources.described_things import described_thing
from knowledge.resources.document_page import (
    DocumentBody,
    DocumentPage,
    document_fields,
    missing_page,
    not_found,
    short_text,
    title_of,
)
from knowledge.resources.own_values import (
    OwnBody,
    own_body,
    own_values,
    value_label,
    values_of,
)
from knowledge.resources.page_sections import Sections, anchor_ids, page_sections
from knowledge.resources.queries import BUILDERS, EntryQuery
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

PAGE_SIZE = 24
"""How many documents a page of a list shows."""


class EntryBody(OwnBody, DocumentBody):
    """One document of a kind that the site declares."""

    kind: str
    """Name of the kind."""
    published_at: Omittable[Instant] = None
    """When it was published, if its author states it."""
    updated_at: Omittable[Instant] = None
    """When it was last changed, if its author states it."""


class EntryDetail(DocumentPage):
    """The response wrapper of one document of a declared kind."""

    entry: EntryBody
    """The document."""
    thing: Annotated[Mapping[str, Any], Field(exclude=True)] = {}

    @property
    def document(self) -> EntryBody:
        """The document itself."""
        return self.entry

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the page of the document."""
        kind = kind_named(view, self.entry.kind)
        return view.pages_of(kind.content_type, [self.entry.slug])

    @property
    def main_entity(self) -> Mapping[str, object]:
        """What the site says that the document describes, in the terms of schema.org."""
        return self.thing


class EntryItem(OwnBody):
    """A document in the list of its kind; `fields` has those of cards."""

    id: str
    """Id of the document."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    short_description: str
    """One or two sentences."""
    path: str
    """Site path of the page."""
    past: Omittable[bool] = None
    """Whether an event is over; omitted for all else."""


class FilterOption(Resource):
    """A value by which the list can be filtered; `count` is how many documents have it."""

    value: str
    """What to send."""
    label: str
    """The text of the value."""
    count: int
    """How many documents of the list that the other filters leave have it."""


class EntryFilter(Resource):
    """A field by which the list can be filtered."""

    name: str
    """Name of the field."""
    label: str
    """Label of the field."""
    value: Omittable[str] = None
    """The value by which this list is filtered."""
    count: int
    """How many documents the other filters leave."""
    options: list[FilterOption]
    """The values that documents have."""


class EntryList(Resource):
    """The documents of a declared kind that match the filters; `total` counts all."""

    kind: str
    """Name of the kind."""
    title: str
    """Title of the list."""
    short_description: str
    """Text below the title."""
    sections: Sections
    """The text above the list."""
    items: list[EntryItem]
    """The documents on this page of the list."""
    pagination: Pagination
    """The page of the list."""
    total: int
    """How many documents there are without filters."""
    filters: list[EntryFilter]
    """How the list can be filtered, and is."""

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in the text above the list."""
        return anchor_ids([each for part in self.sections for each in part.anchors])

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the list itself, and the pages of the documents."""
        kind = kind_named(view, self.kind)
        addresses = (page_of(kind.content_type, each.slug, view.snapshot) for each in self.items)
        own = [Address(kind.list_page)] if kind.list_page else []
        return in_locale(view.locale, (*own, *addresses))

    @property
    def is_filtered(self) -> bool:
        """Whether the list leaves documents out."""
        return any(each.value for each in self.filters)


def kind_named(view: ContentView, name: str) -> Kind:
    """Return a kind that the site declares; raises NotFound."""
    kind = view.snapshot.kinds.by_name.get(name)
    if kind is None or kind.page is None:
        raise not_found("kind", name)
    return kind


def entry_detail(view: ContentView, name: str, slug: str) -> LocalizedResource[EntryDetail]:
    """Return one document of a declared kind; raise NotFound if it is not published."""
    kind = kind_named(view, name)
    resolved = view.resolve(kind.content_type, slug)
    if resolved is None:
        raise missing_page(view, page_of(kind.content_type, slug, view.snapshot), name)
    fields = resolved.fields
    entry = EntryBody.model_validate(
        {
            **document_fields(view, resolved),
            **own_body(view, resolved),
            "kind": name,
            "published_at": fields.published_at,
            "updated_at": resolved.updated_at,
        }
    )
    thing = described_thing(view, kind, entry.own, _span(kind, resolved))
    detail = EntryDetail(entry=entry, thing=thing)
    return localized_resource(detail, resolved)


def entry_list(view: ContentView, name: str, query: EntryQuery | None = None) -> EntryList:
    """Return the documents of a declared kind that match a query."""
    query, kind = query or EntryQuery(), kind_named(view, name)
    documents = entries(view, kind)
    filters = [FieldFilter.of(view, field, documents, query) for field in kind.filters]
    found = [each for each in documents if all(one.matches(each) for one in filters)]
    shown, pagination = paginate(found, query.page, PAGE_SIZE)
    about = view.resolve(KIND, name)
    language = view.locale.language
    sections, _ = page_sections(view, about) if about else ([], None)
    own_title = about and about.pick(about.fields.heading or about.fields.title)
    return EntryList(
        kind=name,
        title=own_title or localized_text(kind.declared.plural, language),
        short_description=(about and short_text(about)) or "",
        sections=sections,
        items=view.each(shown, lambda each: entry_item(view, kind, each)),
        pagination=pagination,
        total=len(documents),
        filters=[_filter(view, documents, each, filters) for each in filters],
    )


def entries(view: ContentView, kind: Kind) -> Sequence[Resolved]:
    """Return the published documents of a kind in its order.

    Events that are not over come first, the next one at the top, then those that are, the last one
    at the top.
    """
    resolved = view.resolve_all(kind.content_type)
    attribute, is_reversed = kind.sort
    if attribute:
        return _sorted(resolved, attribute, is_reversed=is_reversed)
    if not kind.date:
        return resolved
    latest_first = _sorted(resolved, kind.date, is_reversed=True)
    if not kind.has_calendar:
        return latest_first
    past = [each for each in latest_first if is_past(view, kind, each)]
    coming = [each for each in latest_first if not is_past(view, kind, each)]
    return [*_sorted(coming, kind.date, is_reversed=False), *past]


def _sorted(resolved: Iterable[Resolved], attribute: str, *, is_reversed: bool) -> list[Resolved]:
    """Return documents by a value; those without it come last."""
    documents = list(resolved)
    having = [each for each in documents if _sort_value(each, attribute) is not None]
    rest = [each for each in documents if _sort_value(each, attribute) is None]
    having.sort(key=lambda each: _sort_value(each, attribute), reverse=is_reversed)
    return [*having, *rest]


def is_past(view: ContentView, kind: Kind, resolved: Resolved) -> bool:
    """Return whether a document is an event that is over."""
    span = _span(kind, resolved)
    return span is not None and span.over_at <= view.now


def _span(kind: Kind, resolved: Resolved) -> Span | None:
    """Return when a document takes place, if it is an event with a date."""
    return kind.span(resolved.fields) if kind.has_calendar else None


def _sort_value(resolved: Resolved, attribute: str) -> Any:
    if attribute == "title":
        return title_of(resolved).casefold()
    value = getattr(resolved.fields, attribute)
    text = resolved.pick(value) if isinstance(value, dict) else value
    return text.casefold() if isinstance(text, str) else text


def entry_item(view: ContentView, kind: Kind, resolved: Resolved) -> EntryItem:
    """Return a document as a card shows it."""
    address = page_of(resolved.entry.kind, resolved.entry.slug, view.snapshot)
    own = [each for each in own_values(view, resolved) if each.field.is_on_cards]
    return EntryItem.model_validate(
        {
            "id": resolved.id,
            "slug": resolved.entry.slug,
            "title": title_of(resolved),
            "short_description": short_text(resolved) or "",
            "path": view.locale.path + address.path,
            "own": tuple(own),
            "fields": {each.field.key: each.json for each in own} or None,
            "past": is_past(view, kind, resolved) if kind.has_calendar else None,
        }
    )


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """One field of a list, the value that is asked for, and the label of each value."""

    field: OwnField
    value: str
    labels: Mapping[str, str]

    @classmethod
    def of(
        cls, view: ContentView, field: OwnField, documents: Iterable[Resolved], query: EntryQuery
    ) -> FieldFilter:
        """Return the filter of a field; values that readers do not see have no label."""
        values = dict.fromkeys(value for each in documents for value in values_of(each, field))
        found = ((value, value_label(view, field, value)) for value in values)
        labels = {value: label for value, label in found if label}
        return cls(field, query.filters.get(field.key, ""), labels)

    def matches(self, document: Resolved) -> bool:
        """Return whether a document has the value, if one is asked for."""
        return not self.value or self.value in values_of(document, self.field)

    @property
    def order(self) -> Sequence[str]:
        """The values: those of a choice as declared, others by their labels."""
        if self.field.choices:
            return [each for each in self.field.choices if each in self.labels]
        return sorted(self.labels, key=lambda each: self.labels[each].casefold())


def _filter(
    view: ContentView,
    documents: Iterable[Resolved],
    own: FieldFilter,
    filters: Sequence[FieldFilter],
) -> EntryFilter:
    """Return a filter with the values that documents have, and how many have each."""
    others = [each for each in filters if each is not own]
    left = [each for each in documents if all(one.matches(each) for one in others)]
    counts = Counter(value for each in left for value in set(values_of(each, own.field)))
    return EntryFilter(
        name=own.field.key,
        label=localized_text(own.field.label, view.locale.language),
        value=own.value or None,
        count=len(left),
        options=[
            FilterOption(value=each, label=own.labels[each], count=counts[each])
            for each in own.order
        ],
    )


BUILDERS[ENTRY] = lambda view, address, _: entry_detail(view, address.page.kind, address.slug)
BUILDERS[ENTRIES] = lambda view, address, query: resource_in(
    view.locale, entry_list(view, address.page.kind, query.entries)
)

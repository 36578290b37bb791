"""The pages of kinds that a site declares: a document, and the list of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Annotated, get_args

from knowledge.addresses.addresses import (
    Address,
    LocalizedAddress,
    localized_addresses,
    page_of,
    route_of,
)
from knowledge.fields.content_types import KIND
from knowledge.fields.field_types import Omittable, enum_schema
from knowledge.fields.kind_fields import FieldType
from knowledge.fields.kinds import Kind
from knowledge.fields.own_fields import OwnField
from knowledge.fields.page_type import DOCUMENTATION, DOCUMENTATION_LIST, ENTRIES, ENTRY
from knowledge.locales.locale import localized_text
from knowledge.resources import document_page, kind_documents
from knowledge.resources.base import (
    Instant,
    LocalizedResource,
    PageResource,
    Pagination,
    Resource,
    localized_resource,
    paginate,
    resource_in,
)
from knowledge.resources.described_things import described_thing
from knowledge.resources.entry_filters import (
    EntryFilter,
    SortOption,
    entry_filter,
    found_entries,
    sort_options,
)
from knowledge.resources.own_values import (
    OwnBody,
    own_body,
    value_label,
)
from knowledge.resources.page_sections import Sections, page_sections
from knowledge.resources.queries import BUILDERS, EntryQuery, PageQuery
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class EntryBody(OwnBody, document_page.DocumentBody):
    """One document of a kind."""

    kind: str
    """Name of the kind."""
    city_slug: Omittable[str] = None
    """Slug of the city whose readers the text is for; absent on other pages."""
    published_at: Omittable[Instant] = None
    """When it was published, if its author states it."""
    updated_at: Omittable[Instant] = None
    """When it was last changed, if its author states it."""


class EntryDetail(kind_documents.EntryPlace, document_page.DocumentPage):
    """The response wrapper of one document of a kind."""

    entry: EntryBody
    """The document."""

    @property
    def document(self) -> EntryBody:
        """The document itself."""
        return self.entry


class EntryItem(OwnBody):
    """A document in the list of its kind; `fields` has those of cards.

    `path` is that of the list, if a document has no page of its own.
    """

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
    """Whether an event is over."""
    group: Omittable[str] = None
    """Heading of its group, in a list with groups."""


class EntryList(kind_documents.EntryPlace, PageResource):
    """The documents of a kind that match the filters; `total` counts all."""

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
    sorts: list[SortOption]
    """How the list can be sorted, and is; empty if there is no choice."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the list itself, and the pages of the documents."""
        path = kind_documents.list_path(view, kind_documents.kind_named(view, self.kind))
        paths = (path or "", *(each.path for each in self.items))
        return localized_addresses(dict.fromkeys(filter(None, paths)), view.snapshot)

    @property
    def is_filtered(self) -> bool:
        """Whether the list leaves documents out."""
        return any(each.values for each in self.filters)


def entry_detail(
    view: ContentView, name: str, slug: str, city: str = ""
) -> LocalizedResource[EntryDetail]:
    """Return one document of a kind, as the readers of a city see it if one is named.

    Raises NotFound if it is not published, or the city is in another country.
    """
    kind = kind_documents.kind_named(view, name)
    is_here = not city or view.snapshot.cities.get(city) == view.locale.country
    resolved = view.resolve(kind.content_type, slug, city or None) if is_here else None
    if resolved is None and kind.content_type not in view.snapshot.page_types.by_content_type:
        raise document_page.not_found(kind.content_type.singular, slug)
    if resolved is None:
        address = page_of(kind.content_type, slug, view.snapshot)
        raise document_page.missing_page(view, address, kind.content_type.singular)
    fields = resolved.fields
    entry = EntryBody.model_validate(
        {
            **document_page.document_fields(view, resolved),
            **own_body(view, resolved, kind.fields),
            "kind": name,
            "city_slug": resolved.city,
            "published_at": fields.published_at,
            "updated_at": resolved.updated_at,
        }
    )
    detail = EntryDetail(
        entry=entry,
        thing=described_thing(view, resolved, entry.own),
        **kind_documents.entry_place(view, kind, slug, resolved),
    )
    return localized_resource(detail, resolved)


def entry_list(view: ContentView, name: str, query: EntryQuery | None = None) -> EntryList:
    """Return the documents of a kind that match a query."""
    query, kind = query or EntryQuery(), kind_documents.kind_named(view, name)
    is_sorted = query.sort.removeprefix("-") in {each.key for each in kind.sorts}
    plain = query if is_sorted else replace(query, sort="")
    answer = found_entries(view, kind, plain, kind.filters)
    documents, filters, found = answer.documents, answer.filters, answer.left
    shown, pagination = paginate(found, query.page, query.page_size)
    if kind.declared.layout or kind.group:  # a tree or groups, which are shown whole
        shown, pagination = found, pagination.model_copy(update={"total_pages": 1})
    group = None if kind.declared.layout else kind.group
    if group:
        shown = sorted(found, key=partial(group_place, group))
    own = view.resolve(kind.content_type, name) if kind.content_type.is_nested else None
    about = own or view.resolve(KIND, name)
    language = view.locale.language
    sections, _ = page_sections(view, about) if about else ([], None)
    own_title = about and about.pick(about.fields.heading or about.fields.title)
    return EntryList(
        kind=name,
        title=own_title or localized_text(kind.declared.plural, language),
        short_description=(about and document_page.short_text(about)) or "",
        sections=sections,
        items=view.each(shown, lambda each: entry_item(view, kind, each, group)),
        pagination=pagination,
        total=len(documents),
        filters=[entry_filter(view, documents, each, filters) for each in filters],
        sorts=sort_options(view, kind.sorts, query.sort),
        **kind_documents.entry_place(view, kind, "", about),
    )


class KindField(Resource):
    """A field of the documents of a kind."""

    name: str
    """Name of the field, as in `fields`."""
    label: str
    """Label of the field."""
    type: Annotated[str, enum_schema(get_args(FieldType))]
    """Type of the value."""
    many: bool
    """Whether it has several values."""
    filter: bool
    """Whether `filter` of the list takes it."""


class KindItem(Resource):
    """A kind of documents of the site."""

    kind: str
    """Name of the kind, as in paths of the API."""
    singular: str
    """What one document is called."""
    plural: str
    """What all of them are called."""
    path: Omittable[str] = None
    """Site path of the page above the documents, if there is one."""
    total: int
    """How many documents there are."""
    fields: list[KindField]
    """The fields that documents may have."""


class KindList(Resource):
    """The kinds of documents of the site."""

    items: list[KindItem]
    """The kinds, those of the site's own declarations first."""


def kind_list(view: ContentView) -> KindList:
    """Return the kinds that the site declares, and the built-in ones that it has."""
    return KindList(
        items=[_kind_item(view, kind) for kind in kind_documents.all_kinds(view.snapshot)]
    )


def _kind_item(view: ContentView, kind: Kind) -> KindItem:
    language = view.locale.language
    return KindItem(
        kind=kind.name,
        singular=localized_text(kind.declared.singular, language),
        plural=localized_text(kind.declared.plural, language),
        path=kind_documents.list_path(view, kind),
        total=len(kind_documents.entries(view, kind)),
        fields=[
            KindField(
                name=each.key,
                label=localized_text(each.label, language),
                type=each.type,
                many=each.has_many,
                filter=bool(each.declaration.filter),
            )
            for each in kind.fields
        ],
    )


def entry_item(
    view: ContentView, kind: Kind, resolved: Resolved, group: OwnField | None = None
) -> EntryItem:
    """Return a document as a card shows it, in a group by a choice."""
    address = route_of(view.snapshot, resolved.entry)
    path = view.locale.path + address.path if address else kind_documents.list_path(view, kind)
    values = own_body(view, resolved, kind.fields)
    own = [each for each in values["own"] if each.field.is_on_cards]
    return EntryItem.model_validate(
        {
            "id": resolved.id,
            "slug": resolved.entry.slug,
            "title": document_page.title_of(resolved),
            "short_description": document_page.short_text(resolved) or "",
            "path": path or view.locale.path,
            **values,
            "own": tuple(own),
            "fields": {each.field.key: each.json for each in own} or None,
            "past": kind_documents.is_past(view, kind, resolved) if kind.has_calendar else None,
            "group": _group(view, group, resolved) if group else None,
        }
    )


def group_place(group: OwnField, document: Resolved) -> int:
    """Return the place of a document among groups; one without a group comes last."""
    options, value = [*group.choices], getattr(document.fields, group.attribute)
    return options.index(value) if value in options else len(options)


def _group(view: ContentView, group: OwnField, document: Resolved) -> str | None:
    value = getattr(document.fields, group.attribute)
    return value_label(view, group, value) if value in group.choices else None


def _entry_page(view: ContentView, address: Address, _: PageQuery) -> LocalizedResource[Resource]:
    return entry_detail(view, address.page.kind, address.slug, address.city)


def _list_page(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[Resource]:
    return resource_in(view.locale, entry_list(view, address.page.kind, query.entries))


BUILDERS.update(dict.fromkeys((ENTRY, DOCUMENTATION), _entry_page))
BUILDERS.update(dict.fromkeys((ENTRIES, DOCUMENTATION_LIST), _list_page))

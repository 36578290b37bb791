"""Page listings: the modules, industries or cities that a page of that slug leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import CITY, INDUSTRY, MODULE, AnyContentType
from knowledge.fields.field_types import Omittable
from knowledge.fields.schemas import Named
from knowledge.locales import cldr
from knowledge.locales.locale import Locale
from knowledge.resources.base import DocumentSection, Resource, title_of
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

LISTED = {"modules": MODULE, "industries": INDUSTRY, "cities": CITY}
"""What a page lists, by its slug."""


class ListedPage(Resource):
    """One page of a list; `path` is its site path."""

    title: str
    """Title of the page."""
    path: str
    """Site path of the page."""
    description: Omittable[str] = None
    """Short description of the page."""


class ListedGroup(Resource):
    """A part of a list: the pages of one country, or without a title all of them."""

    title: Omittable[str] = None
    """Title of the group; absent if there is only one."""
    items: list[ListedPage]
    """The pages of the group."""


def page_listing(
    view: ContentView, slug: str, sections: Iterable[DocumentSection]
) -> list[ListedGroup] | None:
    """Return what a page lists below its text, without the pages that its text links to.

    Cities are grouped by country, those of the reader's country first. None for other pages, and
    if nothing is left to list.
    """
    kind = LISTED.get(slug)
    if kind is None:
        return None
    text = "\n".join(section.body or "" for section in sections)
    groups = [
        ListedGroup(title=title, items=[item for item in items if f"({item.path})" not in text])
        for title, items in _groups(view, kind)
    ]
    return [group for group in groups if group.items] or None


def pages_listed_by(view: ContentView, slug: str) -> list[str]:
    """Return the site paths of all pages that a page leads to: its text links to some of them."""
    kind = LISTED.get(slug)
    groups = _groups(view, kind) if kind else ()
    return [item.path for _, items in groups for item in items]


def _groups(
    view: ContentView, kind: AnyContentType
) -> Iterator[tuple[str | None, list[ListedPage]]]:
    if kind is not CITY:
        yield None, _items(view, kind)
        return
    here, language = view.locale.country, view.locale.language
    for country in sorted(view.snapshot.open.audiences, key=lambda each: each != here):
        name = cldr.country_name(country, language) if country else None
        yield name, _items(view.for_locale(Locale(country, language)), kind)


def _items(view: ContentView, kind: AnyContentType) -> list[ListedPage]:
    return view.each(view.resolve_all(kind), lambda target: _item(view, target))


def _item(view: ContentView, target: Resolved) -> ListedPage:
    fields = target.fields
    name = target.pick(fields.name) if isinstance(fields, Named) else None
    return ListedPage(
        title=name or title_of(target),
        path=view.locale.path + page_of(target.entry.kind, target.entry.slug).path,
        description=target.pick(fields.short_description) or None,
    )

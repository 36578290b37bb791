"""The public pages of a locale, grouped under the headings of llms.txt and sorted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import NamedTuple

from knowledge.addresses import Address, file_at
from knowledge.content_types import CITY
from knowledge.content_view import ContentView
from knowledge.layer_resolution import Resolved
from knowledge.page_type import PageGroup
from knowledge.resources.base import title_of
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import SiteMap
from renderers.translation import translate


class PageEntry(NamedTuple):
    """A page of the index; `resolved` is None for a list page without a document."""

    address: Address
    title: str
    resolved: Resolved | None


class Group(NamedTuple):
    """The pages of one group; there is at least one."""

    group: PageGroup
    pages: tuple[PageEntry, ...]


def page_index(view: ContentView, site_map: SiteMap) -> tuple[Group, ...]:
    """Return all pages of the site map in the view's locale, grouped and sorted."""
    entries = view.snapshot.left_out.each(
        site_map.addresses(view.locale), partial(page_entry, view), partial(file_at, view.snapshot)
    )
    return tuple(_groups(entries))


def _groups(entries: Iterable[PageEntry]) -> Iterator[Group]:
    ordered = sorted(entries, key=_sort_key)
    for group, pages in groupby(ordered, key=lambda entry: entry.address.page.group):
        yield Group(group, tuple(pages))


def page_entry(view: ContentView, address: Address) -> PageEntry:
    """Return the page at an address as the index shows it."""
    resolved = resolve_route(view, address)
    return PageEntry(address, _title(view, address, resolved), resolved)


def _title(view: ContentView, address: Address, resolved: Resolved | None) -> str:
    """Return the title of a document, or a generic one for the home page and untitled lists."""
    page = address.page
    if page.is_list:
        title = resolved.pick(resolved.fields.title) if resolved and page.path else None
        return title or translate(page.index_title or page.title, view.locale.language)
    title = title_of(resolved) if resolved else address.slug
    if not page.in_city:
        return title
    city = view.resolve(CITY, address.city)
    return f"{title} ({city.pick(city.fields.name) or title_of(city)})" if city else title


def _sort_key(entry: PageEntry) -> tuple[tuple[PageGroup, int, str], float, float, str]:
    """Sort by type of page, then posts by date, newest first, and other pages by sortOrder."""
    page, slug, city = entry.address
    if entry.resolved is None:
        return page.order, 0, 0, slug
    fields = entry.resolved.fields
    published_at = fields.published_at if page.by_date else None
    age = -published_at.timestamp() if published_at else 0
    order = 1_000_000 if fields.sort_order is None else fields.sort_order
    return page.order, age, order, slug or city

"""A public page as the index of a locale shows it, and its place there."""

from __future__ import annotations

from typing import NamedTuple

from knowledge.addresses.addresses import Address
from knowledge.fields.content_types import CITY
from knowledge.fields.page_type import PageGroup
from knowledge.resources.base import title_of
from knowledge.resources.seo import resolve_route
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import translate

SortKey = tuple[tuple[PageGroup, int, str], float, float, str]


class PageEntry(NamedTuple):
    """A page of the index; `resolved` is None for a list page without a document."""

    address: Address
    title: str
    resolved: Resolved | None


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


def sort_key(entry: PageEntry) -> SortKey:
    """Sort by type of page, then posts by date, newest first, and other pages by sortOrder."""
    page, slug, city = entry.address
    if entry.resolved is None:
        return page.order, 0, 0, slug
    fields = entry.resolved.fields
    published_at = fields.published_at if page.by_date else None
    age = -published_at.timestamp() if published_at else 0
    order = 1_000_000 if fields.sort_order is None else fields.sort_order
    return page.order, age, order, slug or city

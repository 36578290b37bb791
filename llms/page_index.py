"""The public pages of a locale, grouped under the headings of llms.txt and sorted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from knowledge.addresses import Address, Page, file_at, is_list
from knowledge.content_types import CITY
from knowledge.content_view import ContentView
from knowledge.layer_resolution import Resolved
from knowledge.messages import mark as _
from knowledge.resources.base import title_of
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import SiteMap
from renderers.translation import translate

GROUPS: dict[str, tuple[Page, ...]] = {
    _("Company and service"): (Page.HOME, Page.CONTENT, Page.TESTIMONIALS),
    _("Software modules"): (Page.MODULE,),
    _("Industries"): (Page.INDUSTRY,),
    _("Products", "llms.txt"): (Page.PRODUCTS, Page.PRODUCT),
    _("Cities"): (Page.CITY, Page.CITY_CONTENT),
    _("Blog"): (Page.BLOG, Page.CATEGORY, Page.POST),
}
"""The types of pages under each heading, in the order of the file."""

_LIST_TITLES = {
    Page.HOME: _("Home", "llms.txt"),
    Page.BLOG: _("Blog"),
    Page.TESTIMONIALS: _("Testimonials"),
    Page.PRODUCTS: _("Products", "llms.txt"),
}

_RANKS = {page: rank for pages in GROUPS.values() for rank, page in enumerate(pages)}


class PageEntry(NamedTuple):
    """A page of the index; `resolved` is None for a list page without a document."""

    address: Address
    title: str
    resolved: Resolved | None


class Group(NamedTuple):
    """The pages under one heading; there is at least one."""

    heading: str
    pages: tuple[PageEntry, ...]


def page_index(view: ContentView, site_map: SiteMap) -> tuple[Group, ...]:
    """Return all pages of the site map in the view's locale, grouped and sorted."""
    entries = view.snapshot.left_out.each(
        site_map.addresses(view.locale), partial(_entry, view), partial(file_at, view.snapshot)
    )
    return tuple(_groups(list(entries)))


def _groups(entries: list[PageEntry]) -> Iterator[Group]:
    for heading, page_types in GROUPS.items():
        pages = [entry for entry in entries if entry.address.page in page_types]
        if pages:
            yield Group(heading, tuple(sorted(pages, key=_sort_key)))


def _entry(view: ContentView, address: Address) -> PageEntry:
    resolved = resolve_route(view, address)
    return PageEntry(address, _title(view, address, resolved), resolved)


def _title(view: ContentView, address: Address, resolved: Resolved | None) -> str:
    """Return the title of a document, or a generic one for the home page and untitled lists."""
    if is_list(address):
        list_title = resolved.text("title") if resolved and address.page is not Page.HOME else None
        return list_title or translate(_LIST_TITLES[address.page], view.locale.language)
    title = title_of(resolved) if resolved else address.slug
    if address.page is not Page.CITY_CONTENT:
        return title
    city = view.resolve(CITY, address.city)
    return f"{title} ({city.text('name') or title_of(city)})" if city else title


def _sort_key(entry: PageEntry) -> tuple[int, float, float, str]:
    """Sort by type of page, then posts by date, newest first, and other pages by sortOrder."""
    page, slug, city = entry.address
    rank = _RANKS[page]
    if entry.resolved is None:
        return rank, 0, 0, slug
    published_at = entry.resolved.published_at if page is Page.POST else None
    age = -published_at.timestamp() if published_at else 0
    return rank, age, entry.resolved.metadata.get("sort_order", 1_000_000), slug or city

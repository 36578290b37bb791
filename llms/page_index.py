"""The listing: one locale's public pages under the headings of llms.txt, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from knowledge.addresses import Address, Page, file_at, is_list
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.resolution import Resolved
from knowledge.resources.base import title_of
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import SiteMap
from llms.messages import MESSAGES, Heading

GROUPS: dict[Heading, tuple[Page, ...]] = {
    Heading.COMPANY: (Page.HOME, Page.CONTENT, Page.TESTIMONIALS),
    Heading.MODULES: (Page.MODULE,),
    Heading.INDUSTRIES: (Page.INDUSTRY,),
    Heading.PRODUCTS: (Page.PRODUCTS, Page.PRODUCT),
    Heading.CITIES: (Page.CITY, Page.CITY_CONTENT),
    Heading.BLOG: (Page.BLOG, Page.CATEGORY, Page.POST),
}
"""Which pages stand under which heading, and the order of both."""

_RANKS = {page: rank for pages in GROUPS.values() for rank, page in enumerate(pages)}


class PageEntry(NamedTuple):
    """One page of the listing; a list page may have no document of its own."""

    address: Address
    title: str
    resolved: Resolved | None


class Group(NamedTuple):
    """The pages under one heading; never none."""

    heading: Heading
    pages: tuple[PageEntry, ...]


def page_index(view: ContentView, site_map: SiteMap) -> tuple[Group, ...]:
    """Every page of the site map that the view's readers have, grouped and sorted."""
    entry = view.snapshot.left_out.each(
        site_map.addresses(view.locale), partial(_entry, view), partial(file_at, view.snapshot)
    )
    return tuple(_groups(list(entry)))


def _groups(entry: list[PageEntry]) -> Iterator[Group]:
    for heading, kinds in GROUPS.items():
        pages = [each for each in entry if each.address.page in kinds]
        if pages:
            yield Group(heading, tuple(sorted(pages, key=_position)))


def _entry(view: ContentView, address: Address) -> PageEntry:
    resolved = resolve_route(view, address)
    return PageEntry(address, _title(view, address, resolved), resolved)


def _title(view: ContentView, address: Address, resolved: Resolved | None) -> str:
    """The document's title; the home page and lists without one are named for what they are."""
    if is_list(address):
        own = resolved.text("title") if resolved and address.page is not Page.HOME else None
        return own or MESSAGES[view.locale.language].list_titles[address.page]
    title = title_of(resolved) if resolved else address.slug
    if address.page is not Page.CITY_CONTENT:
        return title
    city = view.resolve(ContentType.CITY, address.city)
    return f"{title} ({city.text('name') or title_of(city)})" if city else title


def _position(entry: PageEntry) -> tuple[int, float, float, str]:
    """Kind by kind; posts the newest first, all else as its authors sorted it."""
    page, slug, city = entry.address
    rank = _RANKS[page]
    if entry.resolved is None:
        return rank, 0, 0, slug
    published_at = entry.resolved.published_at if page is Page.POST else None
    age = -published_at.timestamp() if published_at else 0
    return rank, age, entry.resolved.metadata.get("sort_order", 1_000_000), slug or city

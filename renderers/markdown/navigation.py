"""Navigation: links to other pages of the locale, the position in a list, suggested searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address, page_of
from knowledge.fields.content_types import CITY, NAVIGATION, PAGE, AnyContentType
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Pagination
from knowledge.resources.document_page import title_of
from knowledge.resources.listing import listed_locales
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.places import CityItem, city_list
from knowledge.resources.search import PopularCategory
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site import NavigationLink
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.l10n.translation import translate
from renderers.markdown.context import MarkdownContext, bullets, link, link_text
from renderers.representation import MediaType, suffixed_path

_MAX_MENU = 7


class NavLink(NamedTuple):
    """A link: its title, its site path, and whether it is the current page."""

    title: str
    path: str
    current: bool = False


@cached_per_snapshot
def global_links(view: ContentView) -> dict[str, str | None]:
    """Return the paths that every page may link to, None for a page that does not exist."""
    return {
        "contact_path": content_path(view, "contact"),
        "privacy_path": content_path(view, "privacy"),
    }


@cached_per_snapshot
def default_menu(view: ContentView) -> list[NavigationLink]:
    """Return the menu of a site without `site/navigation.md`: its lists, then its pages."""
    if view.snapshot.singleton(NAVIGATION) is not None:
        return []
    listed = [Address(page) for page in PAGE_TYPES.listed if page.lists]
    lists = [
        NavLink(translate(each.page.title, view.locale.language), view.locale.path + each.path)
        for each in listed
        if view.locale in listed_locales(view.snapshot, each, view.now)
    ]
    links = [*lists, *links_to(view, PAGE, exclude="privacy")][:_MAX_MENU]
    return [NavigationLink(id=link.path, label=link.title, href=link.path) for link in links]


def has_posts(view: ContentView) -> bool:
    """Return whether there is a post in the view's locale, published or not."""
    return not view.snapshot.posts(view.locale).is_empty


def city_links(view: ContentView) -> list[NavLink]:
    """Return links to the city pages of the view's country, titled by city name."""
    links = view.snapshot.left_out.each(
        city_list(view).cities,
        partial(city_link, view),
        lambda city: f"{CITY}/{city.slug}",
    )
    return list(links)


def city_link(view: ContentView, city: CityItem) -> NavLink:
    """Return the link to a city's page."""
    name = localized_text(city.name, view.locale.language) or city.slug
    return NavLink(name, view.locale.path + page_of(CITY, city.slug).path)


def content_path(view: ContentView, slug: str) -> str | None:
    """Return the site path of a content page, or None if the locale does not have it."""
    address = Address(CONTENT_PAGE, slug)
    return view.locale.path + address.path if is_visible_route(view, address) else None


def links_to(
    view: ContentView, kind: AnyContentType, only: Iterable[str] | None = None, exclude: str = ""
) -> list[NavLink]:
    """Return links to the documents of a type: all, or `only` some, without `exclude`."""
    slugs = None if only is None else set(only)
    targets = (
        target
        for target in view.resolve_all(kind)
        if target.entry.slug != exclude and (slugs is None or target.entry.slug in slugs)
    )

    def nav_link(target: Resolved) -> NavLink:
        path = page_of(kind, target.entry.slug).path
        return NavLink(title_of(target), view.locale.path + path)

    return view.each(targets, nav_link)


def link_list(links: Sequence[NavLink]) -> str:
    """Return links as a markdown list."""
    return bullets(link(nav_link.title, nav_link.path) for nav_link in links)


def page_position(pagination: Pagination, context: MarkdownContext) -> str:
    """Return the page number and the number of pages."""
    return f"{context.gettext('Page')} {pagination.page}/{pagination.total_pages}"


def search_suggestion(
    query: str | None, address: Address, parameter: str, context: MarkdownContext
) -> str:
    """Return a link to the suggested search, or `""` without a suggestion."""
    if not query:
        return ""
    path = suffixed_path(context.locale.path + address.path, MediaType.MARKDOWN)
    title = link_text(query)
    return f"{context.gettext('Did you mean')}: [{title}]({path}?{urlencode({parameter: query})})"


def popular(categories: Iterable[PopularCategory], context: MarkdownContext) -> str:
    """Return categories with the number of their posts and their newest post."""
    return bullets(
        f"{link(category.name, category.path)} ({category.count}):"
        f" {link(category.newest, category.newest_path)}"
        for category in categories
    )

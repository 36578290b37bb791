"""Surroundings: what a page shows beside its own resource, taken from the same view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from knowledge.addresses import PAGES, Address, Page
from knowledge.content_path import ContentType, slugify
from knowledge.content_view import ContentView, cached_per_snapshot
from knowledge.layers import Scope
from knowledge.locale import localized_text
from knowledge.resolution import Resolved
from knowledge.resources import testimonials
from knowledge.resources.base import Resource, title_of
from knowledge.resources.blog import PostDetail, PostList, blog_homepage, category_list
from knowledge.resources.cities import CityItem, city_list
from knowledge.resources.search import popular_categories
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site_page import PageModel

_HOME_POSTS = 2


class NavLink(NamedTuple):
    """A title and the path it leads to."""

    title: str
    path: str
    current: bool = False


@cached_per_snapshot
def global_links(view: ContentView) -> dict[str, Any]:
    """Where every page may lead."""
    return {
        "contact_path": _path(view, "contact"),
        "privacy_path": _path(view, "privacy"),
    }


def page_context(page: PageModel[Resource]) -> Mapping[str, Any]:
    """The names a page's template knows beside `page` and the frame's."""
    maker = _BUILDERS.get(page.address.page)
    return maker(page) if maker else {}


def city_links(view: ContentView) -> list[NavLink]:
    """The city pages of the view's country, by the cities' names."""
    found = view.snapshot.left_out.each(
        city_list(view).cities,
        partial(_city_link, view),
        lambda city: f"{ContentType.CITY}/{city.slug}",
    )
    return list(found)


def _city_link(view: ContentView, city: CityItem) -> NavLink:
    name = localized_text(city.name, view.locale.language) or city.slug
    return NavLink(name, view.locale.path + Address(Page.CITY, city=city.slug).path)


def _path(view: ContentView, slug: str) -> str | None:
    address = Address(Page.CONTENT, slug)
    return view.locale.path + address.path if is_visible_route(view, address) else None


def _home(page: PageModel[Resource]) -> Mapping[str, Any]:
    view = page.view
    stories = testimonials.testimonial_list(view)
    return {
        "posts": blog_homepage(view, _HOME_POSTS),
        "stories": stories.section,
        "featured": [item for item in stories.items if item.featured_on_homepage],
        "erp_path": _path(view, "erp"),
    }


def _siblings(kind: ContentType) -> Callable[[PageModel[Resource]], Mapping[str, Any]]:
    def links(page: PageModel[Resource]) -> Mapping[str, Any]:
        return {"siblings": _links_to(page.view, kind, leaving_out=page.address.slug)}

    return links


def _links_to(
    view: ContentView, kind: ContentType, only: Iterable[str] | None = None, leaving_out: str = ""
) -> list[NavLink]:
    wanted = None if only is None else set(only)
    found = (
        each
        for each in view.resolve_all(kind)
        if each.entry.slug != leaving_out and (wanted is None or each.entry.slug in wanted)
    )

    def nav_link(to: Resolved) -> NavLink:
        path = Address(PAGES[kind], to.entry.slug).path
        return NavLink(title_of(to), view.locale.path + path)

    return view.each(found, nav_link)


def _city(page: PageModel[Resource]) -> Mapping[str, Any]:
    view, slug = page.view, page.address.city
    city = next(each for each in city_list(view).cities if each.slug == slug)
    return {
        "city": city,
        "city_name": _city_link(view, city).title,
        "services": _links_to(view, ContentType.MODULE, only=city.services or ()),
        "industries": _links_to(view, ContentType.INDUSTRY, only=city.industries or ()),
        "local_pages": _local_pages(view, slug),
    }


def _local_pages(view: ContentView, city: str) -> list[NavLink]:
    """The pages that say something of their own for the city."""
    return [
        NavLink(
            title_of(resolved),
            view.locale.path + Address(Page.CITY_CONTENT, resolved.entry.slug, city).path,
        )
        for kind in (ContentType.REGISTRY, ContentType.PAGE)
        for entry in view.snapshot.all(kind)
        if (resolved := view.resolve_entry(entry, city)) is not None
        and any(each.layer.scope is Scope.CITY_OVERRIDE for each in resolved.documents)
    ]


def _city_content(page: PageModel[Resource]) -> Mapping[str, Any]:
    return {"general_path": _path(page.view, page.address.slug)}


def _blog(page: PageModel[Resource]) -> Mapping[str, Any]:
    view, current = page.view, page.address.slug
    categories = category_list(view).items
    return {
        "categories": [
            NavLink(each.name, _category_path(view, each.slug), each.slug == current)
            for each in categories
        ],
        "category": next((each for each in categories if each.slug == current), None),
        "blog_path": view.locale.path + Address(Page.BLOG).path,
        "popular": popular_categories(view) if _found_nothing(page) else [],
    }


def _found_nothing(page: PageModel[Resource]) -> bool:
    found = page.answer.resource
    return bool(page.query.search) and isinstance(found, PostList) and not found.pagination.total


def _category_path(view: ContentView, slug: str) -> str:
    return view.locale.path + Address(Page.CATEGORY, slug).path


def _post(page: PageModel[Resource]) -> Mapping[str, Any]:
    """A post's category, the words for its cover, and whether its own text shows the cover."""
    view, detail = page.view, page.answer.resource
    resolved = resolve_route(view, page.address)
    if resolved is None or not isinstance(detail, PostDetail):
        return {"category": None, "cover_alt": "", "cover_in_text": False}
    wanted = slugify(resolved.metadata.get("category") or "")
    found = next((each for each in category_list(view).items if each.slug == wanted), None)
    cover = detail.post.cover_image
    return {
        "category": NavLink(found.name, _category_path(view, found.slug)) if found else None,
        "cover_alt": resolved.text("cover_image_alt") or "",
        "cover_in_text": bool(cover) and any(str(cover) in each.text for each in detail.post.body),
    }


_BUILDERS: Mapping[Page, Callable[[PageModel[Resource]], Mapping[str, Any]]] = {
    Page.HOME: _home,
    Page.MODULE: _siblings(ContentType.MODULE),
    Page.INDUSTRY: _siblings(ContentType.INDUSTRY),
    Page.CITY: _city,
    Page.CITY_CONTENT: _city_content,
    Page.BLOG: _blog,
    Page.CATEGORY: _blog,
    Page.POST: _post,
}

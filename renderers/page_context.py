"""Template variables that a page needs in addition to its own resource."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from knowledge.addresses import PAGES, Address, Page
from knowledge.content_path import ContentType, slugify
from knowledge.content_view import ContentView, cached_per_snapshot
from knowledge.layer_resolution import Resolved
from knowledge.layers import Scope
from knowledge.locale import localized_text
from knowledge.resources import testimonials
from knowledge.resources.base import Resource, title_of
from knowledge.resources.blog import PostDetail, PostList, blog_homepage, category_list
from knowledge.resources.cities import CityItem, city_list
from knowledge.resources.search import popular_categories
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.resources.site_page import PageModel

HOME_POSTS = 2
"""The number of posts on the home page, besides the newest."""


class NavLink(NamedTuple):
    """A link: its title, its site path, and whether it is the current page."""

    title: str
    path: str
    current: bool = False


@cached_per_snapshot
def global_links(view: ContentView) -> dict[str, Any]:
    """Return the paths that every page may link to, None for a page that does not exist."""
    return {
        "contact_path": _path(view, "contact"),
        "privacy_path": _path(view, "privacy"),
    }


def page_context(page: PageModel[Resource]) -> Mapping[str, Any]:
    """Return the template variables that only this type of page uses."""
    builder = _BUILDERS.get(page.address.page)
    return builder(page) if builder else {}


def city_links(view: ContentView) -> list[NavLink]:
    """Return links to the city pages of the view's country, titled by city name."""
    links = view.snapshot.left_out.each(
        city_list(view).cities,
        partial(_city_link, view),
        lambda city: f"{ContentType.CITY}/{city.slug}",
    )
    return list(links)


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
        "posts": blog_homepage(view, HOME_POSTS),
        "stories": stories.section,
        "featured": [item for item in stories.items if item.featured_on_homepage],
        "erp_path": _path(view, "erp"),
    }


def _siblings(kind: ContentType) -> Callable[[PageModel[Resource]], Mapping[str, Any]]:
    def links(page: PageModel[Resource]) -> Mapping[str, Any]:
        return {"siblings": _links_to(page.view, kind, exclude=page.address.slug)}

    return links


def _links_to(
    view: ContentView, kind: ContentType, only: Iterable[str] | None = None, exclude: str = ""
) -> list[NavLink]:
    slugs = None if only is None else set(only)
    targets = (
        target
        for target in view.resolve_all(kind)
        if target.entry.slug != exclude and (slugs is None or target.entry.slug in slugs)
    )

    def nav_link(target: Resolved) -> NavLink:
        path = Address(PAGES[kind], target.entry.slug).path
        return NavLink(title_of(target), view.locale.path + path)

    return view.each(targets, nav_link)


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
    """Return links to the pages that the city overrides."""
    return [
        NavLink(
            title_of(resolved),
            view.locale.path + Address(Page.CITY_CONTENT, resolved.entry.slug, city).path,
        )
        for kind in (ContentType.REGISTRY, ContentType.PAGE)
        for entry in view.snapshot.all(kind)
        if (resolved := view.resolve_entry(entry, city)) is not None
        and any(document.layer.scope is Scope.CITY_OVERRIDE for document in resolved.documents)
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
        "popular": popular_categories(view) if _has_no_results(page) else [],
    }


def _has_no_results(page: PageModel[Resource]) -> bool:
    posts = page.answer.resource
    return bool(page.query.search) and isinstance(posts, PostList) and not posts.pagination.total


def _category_path(view: ContentView, slug: str) -> str:
    return view.locale.path + Address(Page.CATEGORY, slug).path


def _post(page: PageModel[Resource]) -> Mapping[str, Any]:
    """Return a post's category, its cover's alt text, and whether its body shows the cover."""
    view, detail = page.view, page.answer.resource
    resolved = resolve_route(view, page.address)
    if resolved is None or not isinstance(detail, PostDetail):
        return {"category": None, "cover_alt": "", "cover_in_text": False}
    slug = slugify(resolved.metadata.get("category") or "")
    category = next((each for each in category_list(view).items if each.slug == slug), None)
    category_link = (
        NavLink(category.name, _category_path(view, category.slug)) if category else None
    )
    cover = detail.post.cover_image
    return {
        "category": category_link,
        "cover_alt": resolved.text("cover_image_alt") or "",
        "cover_in_text": bool(cover)
        and any(str(cover) in block.text for block in detail.post.body),
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

"""Markdown of the links that the HTML page shows besides the resource itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from knowledge.addresses import Page
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostDetail
from knowledge.resources.site import Homepage
from knowledge.resources.site_page import PageModel
from renderers.markdown.blog import post_lines
from renderers.markdown.context import MarkdownContext, bullets, chapter, link, paragraphs
from renderers.markdown.search import popular
from renderers.page_context import NavLink, page_context

PageContext = Mapping[str, Any]
Chapters = Iterator[tuple[str, str]]


def related_links(page: PageModel[Resource], context: MarkdownContext) -> str:
    """Return the chapters of links that follow the text of a page."""
    builder = _BUILDERS.get(page.address.page)
    if builder is None:
        return ""
    return paragraphs(chapter(title, text) for title, text in builder(page_context(page), context))


def strip_related_links(resource: Resource) -> Resource:
    """Return a copy of the resource without its lists of links to other pages."""
    match resource:
        case Homepage():
            modules = resource.modules.model_copy(update={"items": []})
            industries = resource.industries.model_copy(update={"items": []})
            return resource.model_copy(update={"modules": modules, "industries": industries})
        case PostDetail():
            return resource.model_copy(update={"related": [], "prev": None, "next": None})
        case _:
            return resource


def _home(variables: PageContext, context: MarkdownContext) -> Chapters:
    posts = variables["posts"]
    if posts.enabled and posts.featured:
        lines = post_lines([posts.featured, *posts.items], context)
        yield posts.title or context.gettext("From the blog"), lines


def _siblings(variables: PageContext, context: MarkdownContext) -> Chapters:
    yield context.gettext("See also"), _links(variables["siblings"])


def _city(variables: PageContext, context: MarkdownContext) -> Chapters:
    city = variables["city_name"]
    yield (
        context.gettext("Especially for %(city)s") % {"city": city},
        _links(variables["local_pages"]),
    )
    yield (
        context.gettext("Modules used in %(city)s") % {"city": city},
        _links(variables["services"]),
    )
    yield (
        context.gettext("Industries in %(city)s") % {"city": city},
        _links(variables["industries"]),
    )


def _blog(variables: PageContext, context: MarkdownContext) -> Chapters:
    yield context.gettext("Popular by category"), popular(variables["popular"], context)
    others = [nav_link for nav_link in variables["categories"] if not nav_link.current]
    yield context.gettext("Categories"), _links(others)


def _links(links: Sequence[NavLink]) -> str:
    return bullets(link(nav_link.title, nav_link.path) for nav_link in links)


_BUILDERS: Mapping[Page, Callable[[PageContext, MarkdownContext], Chapters]] = {
    Page.HOME: _home,
    Page.MODULE: _siblings,
    Page.INDUSTRY: _siblings,
    Page.CITY: _city,
    Page.BLOG: _blog,
    Page.CATEGORY: _blog,
}

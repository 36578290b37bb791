"""Ways on from a page in markdown: the links that the HTML form shows around the same text."""

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


def related_links(page: PageModel[Resource], writer: MarkdownContext) -> str:
    """The chapters after a page's own text."""
    maker = _BUILDERS.get(page.address.page)
    if maker is None:
        return ""
    return paragraphs(chapter(title, text) for title, text in maker(page_context(page), writer))


def strip_related_links(resource: Resource) -> Resource:
    """The resource without its own links to other pages."""
    match resource:
        case Homepage():
            modules = resource.modules.model_copy(update={"items": []})
            industries = resource.industries.model_copy(update={"items": []})
            return resource.model_copy(update={"modules": modules, "industries": industries})
        case PostDetail():
            return resource.model_copy(update={"related": [], "prev": None, "next": None})
        case _:
            return resource


def _home(context: PageContext, writer: MarkdownContext) -> Chapters:
    posts = context["posts"]
    if posts.enabled and posts.featured:
        shown = post_lines([posts.featured, *posts.items], writer)
        yield posts.title or writer.say("From the blog"), shown


def _siblings(context: PageContext, writer: MarkdownContext) -> Chapters:
    yield writer.say("See also"), _links(context["siblings"])


def _city(context: PageContext, writer: MarkdownContext) -> Chapters:
    city = context["city_name"]
    yield writer.say("Especially for %(city)s") % {"city": city}, _links(context["local_pages"])
    yield writer.say("Modules used in %(city)s") % {"city": city}, _links(context["services"])
    yield writer.say("Industries in %(city)s") % {"city": city}, _links(context["industries"])


def _blog(context: PageContext, writer: MarkdownContext) -> Chapters:
    yield writer.say("Popular by category"), popular(context["popular"], writer)
    others = [nav_link for nav_link in context["categories"] if not nav_link.current]
    yield writer.say("Categories"), _links(others)


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

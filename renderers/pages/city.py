"""A city's landing page, and other pages as the city's readers see them."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address
from knowledge.content_types import INDUSTRY, MODULE
from knowledge.content_view import ContentView
from knowledge.layers import Scope
from knowledge.passages import Part
from knowledge.resources.base import Resource, title_of
from knowledge.resources.cities import city_list
from knowledge.resources.localized import CITY_CONTENT_PAGE, CITY_PAGE
from knowledge.resources.site_page import PageModel
from renderers.markdown.context import MarkdownContext
from renderers.nav_links import NavLink, city_link, content_path, link_list, links_to
from renderers.page_rendering import Chapters, PageRendering, Variables, declare_rendering
from renderers.passage_parts import PassageContext, document_parts


def _variables(page: PageModel[Resource]) -> Variables:
    view, slug = page.view, page.address.city
    city = next(each for each in city_list(view).cities if each.slug == slug)
    return {
        "city": city,
        "city_name": city_link(view, city).title,
        "services": links_to(view, MODULE, only=city.services or ()),
        "industries": links_to(view, INDUSTRY, only=city.industries or ()),
        "local_pages": _local_pages(view, slug),
    }


def _local_pages(view: ContentView, city: str) -> list[NavLink]:
    """Return links to the pages that the city overrides."""
    return [
        NavLink(
            title_of(resolved),
            view.locale.path + Address(CITY_CONTENT_PAGE, resolved.entry.slug, city).path,
        )
        for kind in CITY_CONTENT_PAGE.content_types
        for entry in view.snapshot.all(kind)
        if (resolved := view.resolve_entry(entry, city)) is not None
        and any(document.layer.scope is Scope.CITY_OVERRIDE for document in resolved.documents)
    ]


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    city = variables["city_name"]
    yield (
        context.gettext("Especially for %(city)s") % {"city": city},
        link_list(variables["local_pages"]),
    )
    yield (
        context.gettext("Modules used in %(city)s") % {"city": city},
        link_list(variables["services"]),
    )
    yield (
        context.gettext("Industries in %(city)s") % {"city": city},
        link_list(variables["industries"]),
    )


def _parts(resource: Resource, context: PassageContext) -> Iterator[Part]:
    """Return the parts of the document, with the city's focus."""
    cities = (city for city in city_list(context.view).cities if city.slug == context.address.city)
    return document_parts(resource, context, *(context.localized(city.focus) for city in cities))


declare_rendering(PageRendering(variables=_variables, links=_links, parts=_parts), CITY_PAGE)
declare_rendering(
    PageRendering(
        template="content.html",
        variables=lambda page: {"general_path": content_path(page.view, page.address.slug)},
    ),
    CITY_CONTENT_PAGE,
)

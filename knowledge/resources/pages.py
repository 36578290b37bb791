"""CMS pages: the list and the single page."""

from __future__ import annotations

from knowledge.addresses import Address, Page
from knowledge.content_types import PAGE
from knowledge.content_view import ContentView
from knowledge.fields import Omittable
from knowledge.layer_resolution import Resolved
from knowledge.resources.base import (
    LocalizedResource,
    PageSection,
    Resource,
    heading_of,
    localized_resource,
    page_sections,
    title_of,
)
from knowledge.resources.missing import missing_page
from knowledge.resources.shown import shown_values, shows
from knowledge.schemas import PageFields, PageSeo


class PageItem(Resource):
    """A page in the list."""

    id: str
    slug: str
    title: str
    template: Omittable[str] = None
    published: bool = True


class PageList(Resource):
    """All published CMS pages."""

    items: list[PageItem]


@shows(PageFields)
class PageBody(Resource):
    """One CMS page."""

    id: str
    slug: str
    title: str
    heading: str
    short_description: str
    sections: list[PageSection]
    seo: Omittable[PageSeo] = None


class PageDetail(Resource):
    """The response wrapper of one CMS page."""

    page: PageBody


def page_list(view: ContentView) -> PageList:
    """Return the CMS pages published for the locale."""
    return PageList(items=view.each(view.resolve_all(PAGE), _item))


def _item(resolved: Resolved) -> PageItem:
    return PageItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title_of(resolved),
        template=resolved.fields.template,
    )


def page_detail(view: ContentView, slug: str) -> LocalizedResource[PageDetail]:
    """Return one CMS page; raise NotFound if it is not published."""
    resolved = view.resolve(PAGE, slug)
    if resolved is None:
        raise missing_page(view, Address(Page.CONTENT, slug), "page")
    sections, _ = page_sections(view, resolved)
    body = PageBody(
        id=resolved.id,
        slug=slug,
        title=title_of(resolved),
        heading=heading_of(resolved),
        short_description=resolved.pick(resolved.fields.short_description) or "",
        sections=sections,
        seo=resolved.fields.seo,
        **shown_values(resolved),
    )
    return localized_resource(PageDetail(page=body), resolved)

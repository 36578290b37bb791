"""CMS pages: the list and the single page."""

from collections.abc import Iterable
from typing import ClassVar

from knowledge.addresses.addresses import (
    Address,
    LocalizedAddress,
    localized_addresses,
)
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import FORM, PAGE, REGISTRY
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.resources import document_page, localized, queries
from knowledge.resources.base import LocalizedResource, Resource, localized_resource
from knowledge.resources.own_values import OwnBody, own_body
from knowledge.resources.queries import PageQuery, declare_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class PageItem(Resource):
    """A page in the list."""

    id: str
    """Id of the page."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    template: str
    """Name of the template, `default` if the author chose none."""
    published: bool = True
    """Always true, as others are not listed."""


class PageList(Resource):
    """All published CMS pages."""

    items: list[PageItem]
    """The pages in their order."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the listed pages."""
        return view.pages_of(PAGE, (each.slug for each in self.items))


class PageBody(OwnBody, document_page.DocumentBody):
    """One CMS page."""

    template: str
    """Name of the template, `default` if the author chose none."""
    published: bool = True
    """Always true, as others are not found."""


class PageDetail(document_page.DocumentPage):
    """The response wrapper of one CMS page.

    `listing` is what a page above the documents of a kind leads to, besides its own links.
    """

    always_has_blocks: ClassVar[bool] = True

    page: PageBody
    """The page."""
    listing: Omittable[list[localized.ListedGroup]] = None
    """The pages to which this page leads besides its own links."""

    @property
    def document(self) -> PageBody:
        """The page itself."""
        return self.page

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages that the page lists."""
        listed = localized.pages_listed_by(view, self.page.slug)
        return localized_addresses(listed, view.snapshot)


def page_list(view: ContentView) -> PageList:
    """Return the CMS pages published for the locale."""

    def item(page: Resolved) -> PageItem:
        title, template = document_page.title_of(page), document_page.template_of(page)
        return PageItem(id=page.id, slug=page.entry.slug, title=title, template=template)

    return PageList(items=view.each(view.resolve_all(PAGE), item))


def page_detail(view: ContentView, slug: str) -> LocalizedResource[PageDetail]:
    """Return one CMS page; raise NotFound if it is not published."""
    resolved = document_page.published(view, PAGE, slug, "page")
    own = {
        "template": document_page.template_of(resolved),
        **own_body(view, resolved),
    }
    body = PageBody.model_validate({**document_page.document_fields(view, resolved), **own})
    listing = localized.page_listing(view, slug, body.sections)
    return localized_resource(PageDetail(page=body, listing=listing), resolved)


def _content_page(view: ContentView, address: Address, _: PageQuery) -> LocalizedResource[Resource]:
    if view.snapshot.entry(REGISTRY, address.slug):
        return localized.registry_page(view, address.slug)
    if view.snapshot.entry(FORM, address.slug) and not view.snapshot.entry(PAGE, address.slug):
        return localized.form_page(view, address.slug)
    return page_detail(view, address.slug)


CONTENT_PAGE = declare_page(
    PageType(
        name="content",
        path="/{slug}",
        content_types=(REGISTRY, PAGE, FORM),
        group=queries.COMPANY,
        reason=_("its title fits the question"),
        slug_reasons={
            "erp": _("someone asks what the ERP system does and for whom"),
            "solutions": _("someone has a task in mind and asks what solves it"),
            "business-models": _("someone asks how software and hardware are bought or rented"),
            "faqs": _("the question is a common one"),
            "contact": _("someone wants to call, write or visit"),
            "industries": _("you need an overview of the lines of business served"),
            "modules": _("you need an overview of the software modules"),
            "cities": _("someone asks where %(site)s can be reached"),
            "about": _("someone asks who stands behind %(site)s"),
            "pricing": _("someone asks what it costs"),
            "support": _("a customer needs help"),
            "privacy": _("someone asks how personal data is treated"),
            "terms": _("someone asks for the conditions of use or supply"),
        },
        slug_schema_types={
            "about": "AboutPage",
            "about-us": "AboutPage",
            "contact": "ContactPage",
            **dict.fromkeys(("modules", "industries", "cities"), "CollectionPage"),
        },
        rank=1,
    ),
    _content_page,
)

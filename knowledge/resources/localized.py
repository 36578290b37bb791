"""Localized content: registry pages, software detail and city pages, with their layers."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from knowledge.addresses.addresses import Address, page_of
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import CITY, INDUSTRY, MODULE, PAGE, REGISTRY
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.fields.schemas import CityFields, IndustryFields, PageFields, PageSeo
from knowledge.locales.locale import Locale
from knowledge.markdown.slugs import slugify
from knowledge.resources import queries
from knowledge.resources.base import (
    DocumentPage,
    LocaleMeta,
    LocalizedResource,
    Resource,
    Sections,
    document_fields,
    enum_schema,
    heading_of,
    locale_meta,
    localized_resource,
    page_sections,
    template_of,
    title_of,
)
from knowledge.resources.contact import CityOffice, CompanyContact, city_office, company_contact
from knowledge.resources.errors import InvalidArgument, NotFound
from knowledge.resources.missing import missing_page, not_found
from knowledge.resources.page_listing import ListedGroup, page_listing
from knowledge.resources.queries import declare_page
from knowledge.resources.shown import shown_values, shows
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

SOFTWARE_KINDS = {content_type.singular: content_type for content_type in (MODULE, INDUSTRY)}
CONTACT = "contact"
"""The slug of the registry page that shows how to reach the company."""

LANDING = "index"
"""The page slug of a city's landing page."""


@shows(PageFields, IndustryFields, CityFields)
class LocalePage(Resource):
    """A page resolved for one locale."""

    id: str
    """Id of the document."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    heading: str
    """Heading of level 1."""
    content_type: str
    """Content type of the document."""
    global_identity: str
    """Identity of the document that is the same in all locales."""
    template: str
    """Name of the template, `default` if the author chose none."""
    published: bool = True
    """Always true, as others are not found."""
    short_description: Omittable[str] = None
    """Text below the heading."""
    sections: Sections
    """The sections of the page in their order."""
    seo: Omittable[PageSeo] = None
    """Metadata for search engines."""
    sort_order: Omittable[int] = None
    """Position of the page among its siblings."""
    city_slug: str | None = None
    """Slug of the city that the page is about; null on other pages."""
    locale_meta: Annotated[LocaleMeta, Field(alias="_locale")]
    """How the page was resolved for the locale."""


class LocalizedContent(DocumentPage):
    """A page, and how it was resolved for the locale.

    `contact` is on the contact page only, `office` on that of a city. `listing` is what the page
    `modules`, `industries` or `cities` leads to, besides its own links.
    """

    page: LocalePage
    """The page."""
    meta: LocaleMeta
    """How the page was resolved for the locale."""
    contact: Omittable[CompanyContact] = None
    """Contact data of the company, on the contact page."""
    office: Omittable[CityOffice] = None
    """The office in the city, on the page of a city."""
    listing: Omittable[list[ListedGroup]] = None
    """The pages to which this page leads besides its own links."""

    @property
    def document(self) -> LocalePage:
        """The page itself."""
        return self.page


class SoftwareDetail(DocumentPage):
    """A module or industry in the format of the legacy endpoint."""

    kind: Annotated[str, enum_schema(SOFTWARE_KINDS)]
    """Kind of the page."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    heading: str
    """Heading of level 1."""
    short_description: str
    """Text below the heading."""
    sections: Sections
    """The sections of the page in their order."""
    seo: Omittable[PageSeo] = None
    """Metadata for search engines."""

    @property
    def document(self) -> SoftwareDetail:
        """The response itself."""
        return self


def registry_page(view: ContentView, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return one of the six registry pages; raise NotFound if it is missing."""
    resolved = view.resolve(REGISTRY, slug) if slug in REGISTRY.page_slugs else None
    if resolved is None:
        if slug not in REGISTRY.page_slugs:
            raise not_found("registry page", slug)
        raise missing_page(view, page_of(REGISTRY, slug), "registry page")
    answer = localized(view, resolved)
    own: dict[str, object] = {"listing": page_listing(view, slug, answer.resource.page.sections)}
    if slug == CONTACT:
        own["contact"] = company_contact(view)
    return replace(answer, resource=answer.resource.model_copy(update=own))


def software_page(view: ContentView, kind: str, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return a module or industry; raise InvalidArgument for an unknown kind or malformed slug."""
    return localized(view, _software(view, kind, slug))


def software_detail(view: ContentView, kind: str, slug: str) -> LocalizedResource[SoftwareDetail]:
    """Return a module or industry in the legacy format; raise NotFound for whatever is none."""
    try:
        resolved = _software(view, kind, slug)
    except InvalidArgument:
        raise not_found("software page", f"{kind}/{slug}") from None
    detail = SoftwareDetail.model_validate({**document_fields(view, resolved), "kind": kind})
    return localized_resource(detail, resolved)


def _software(view: ContentView, kind: str, slug: str) -> Resolved:
    if kind not in SOFTWARE_KINDS:
        raise InvalidArgument("kind", f"unknown kind “{kind}”", "module or industry")
    if slugify(slug) != slug:
        allowed = "lower-case letters, digits and hyphens, such as point-of-sale"
        raise InvalidArgument("slug", f"malformed slug “{slug}”", allowed)
    resolved = view.resolve(SOFTWARE_KINDS[kind], slug)
    if resolved is None:
        raise missing_page(view, page_of(SOFTWARE_KINDS[kind], slug), kind)
    return resolved


def city_page(view: ContentView, city: str, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return a page for a city, in the city's own country; raise NotFound if it is missing."""
    country = view.snapshot.cities.get(city)
    default = view.snapshot.locales.default.country
    view = view.for_locale(Locale(country or default, view.locale.language))
    if slug == LANDING:
        return _landing_page(view, city)
    resolved = _city_layered(view, city, slug) if country else None
    if resolved is None:
        raise missing_page(view, Address(CITY_CONTENT_PAGE, slug, city), "city page")
    return localized(view, resolved)


def _landing_page(view: ContentView, city: str) -> LocalizedResource[LocalizedContent]:
    """Return the page of a city, with its office."""
    resolved = view.resolve(CITY, city)
    if resolved is None:
        raise missing_page(view, Address(CITY_PAGE, city=city), "city page")
    answer, office = localized(view, resolved), city_office(view, resolved)
    return replace(answer, resource=answer.resource.model_copy(update={"office": office}))


def _city_layered(view: ContentView, city: str, slug: str) -> Resolved | None:
    registry = view.resolve(REGISTRY, slug, city)
    return registry or view.resolve(PAGE, slug, city)


def localized(view: ContentView, resolved: Resolved) -> LocalizedResource[LocalizedContent]:
    """Convert a resolved document to its public model, with its locale flags."""
    sections, scopes = page_sections(view, resolved)
    meta = locale_meta(resolved, scopes)
    page = LocalePage(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title_of(resolved),
        heading=heading_of(resolved),
        content_type=resolved.entry.kind.singular,
        global_identity=resolved.entry.identity,
        template=template_of(resolved),
        short_description=resolved.pick(resolved.fields.short_description),
        sections=sections,
        seo=resolved.fields.seo,
        sort_order=resolved.fields.sort_order,
        city_slug=_city_slug(resolved),
        locale_meta=meta,
        **shown_values(resolved),
    )
    return localized_resource(LocalizedContent(page=page, meta=meta), resolved)


def _city_slug(resolved: Resolved) -> str | None:
    return resolved.entry.slug if resolved.entry.kind is CITY else resolved.city


def _in_its_country(
    view: ContentView, address: Address, slug: str
) -> LocalizedResource[LocalizedContent]:
    """Return a city's page; raise NotFound under the path of another country."""
    country = view.snapshot.cities.get(address.city)
    if country is None or country != view.locale.country:
        raise NotFound(
            f"There is no city “{address.city}” in this country.", "See the list of cities."
        )
    return city_page(view, address.city, slug)


MODULE_PAGE = declare_page(
    PageType(
        name="module",
        path="/modules/{slug}",
        content_types=(MODULE,),
        parent="/modules",
        above_parent="/erp",
        group=queries.MODULES,
        reason=_("the question is about the software module %(title)s"),
    ),
    lambda view, address, _: software_page(view, "module", address.slug),
)
INDUSTRY_PAGE = declare_page(
    PageType(
        name="industry",
        path="/industries/{slug}",
        content_types=(INDUSTRY,),
        parent="/industries",
        group=queries.INDUSTRIES,
        reason=_("someone in this line of business asks what fits: %(title)s"),
    ),
    lambda view, address, _: software_page(view, "industry", address.slug),
)
CITY_PAGE = declare_page(
    PageType(
        name="city",
        path="/cities/{city}",
        content_types=(CITY,),
        parent="/cities",
        group=queries.CITIES,
        reason=_("the reader is in this city: %(title)s"),
    ),
    lambda view, address, _: _in_its_country(view, address, LANDING),
)
CITY_CONTENT_PAGE = declare_page(
    PageType(
        name="city_content",
        path="/cities/{city}/{slug}",
        content_types=(REGISTRY, PAGE),
        parent="/cities/{city}",
        group=queries.CITIES,
        reason=_("the reader is in this city and the question is about “%(title)s”"),
    ),
    lambda view, address, _: _in_its_country(view, address, address.slug),
)

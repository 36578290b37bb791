"""Localized content: registry and city pages with their layers, and the pages that they list."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field

from knowledge.addresses.addresses import (
    Address,
    LocalizedAddress,
    address_of,
    localized_addresses,
    page_of,
)
from knowledge.blocks.section import DocumentSection
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import (
    CITY,
    FORM,
    PAGE,
    REGISTRY,
    AnyContentType,
)
from knowledge.fields.field_types import Omittable
from knowledge.fields.front_matter import PageSeo
from knowledge.fields.page_type import PageType
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.resources import document_page, queries
from knowledge.resources.base import (
    LocaleMeta,
    LocalizedResource,
    Resource,
    locale_meta,
    localized_resource,
)
from knowledge.resources.described_things import described_thing
from knowledge.resources.errors import NotFound
from knowledge.resources.forms import site_form
from knowledge.resources.own_values import OwnBody, contract_values, own_body
from knowledge.resources.page_sections import Sections, form_section, page_sections
from knowledge.resources.queries import declare_page
from knowledge.resources.site_chrome import (
    CityOffice,
    CompanyContact,
    company_contact,
    web_url,
)
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

CONTACT = "contact"
"""The slug of the registry page that shows how to reach the company."""

LANDING = "index"
"""The page slug of a city's landing page."""


class LocalePage(OwnBody):
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


class ListedPage(Resource):
    """One page of a list; `path` is its site path."""

    title: str
    """Title of the page."""
    path: str
    """Site path of the page."""
    description: Omittable[str] = None
    """Short description of the page."""


class ListedGroup(Resource):
    """A part of a list: the pages of one country, or without a title all of them."""

    title: Omittable[str] = None
    """Title of the group; absent if there is only one."""
    items: list[ListedPage]
    """The pages of the group."""


class LocalizedContent(document_page.DocumentPage):
    """A page, and how it was resolved for the locale.

    `contact` is on the contact page only, `office` on that of a city. `listing` is what a page
    above the documents of a kind leads to, besides its own links.
    """

    always_has_blocks: ClassVar[bool] = True

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

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages that the page lists."""
        is_of_any_slug = self.page.content_type in (REGISTRY.singular, PAGE.singular)
        listed = pages_listed_by(view, self.page.slug) if is_of_any_slug else ()
        return localized_addresses(listed, view.snapshot)


def registry_page(view: ContentView, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return one of the six registry pages; raise NotFound if it is missing."""
    if slug not in REGISTRY.page_slugs:
        raise document_page.not_found("registry page", slug)
    answer = localized(view, document_page.published(view, REGISTRY, slug, "registry page"))
    own: dict[str, object] = {"listing": page_listing(view, slug, answer.resource.page.sections)}
    if slug == CONTACT:
        own["contact"] = company_contact(view)
    return replace(answer, resource=answer.resource.model_copy(update=own))


def form_page(view: ContentView, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return the page of a form, which stands below the text; raise NotFound if it is missing."""
    resolved, form = view.resolve(FORM, slug), site_form(view, slug)
    if resolved is None or form is None:
        raise document_page.missing_page(view, page_of(FORM, slug, view.snapshot), "form")
    answer = localized(view, resolved)
    page = answer.resource.page
    if any(each.form and each.form.name == slug for each in page.sections):
        return answer
    page = page.model_copy(update={"sections": [*page.sections, form_section(form)]})
    return replace(answer, resource=answer.resource.model_copy(update={"page": page}))


def city_page(view: ContentView, city: str, slug: str) -> LocalizedResource[LocalizedContent]:
    """Return a page for a city, in the city's own country; raise NotFound if it is missing."""
    country = view.snapshot.cities.get(city)
    view = view.for_locale(Locale(country or view.locale.country, view.locale.language))
    if slug == LANDING:
        return _landing_page(view, city)
    resolved: Resolved | None = None
    if country:
        resolved = view.resolve(REGISTRY, slug, city) or view.resolve(PAGE, slug, city)
    if resolved is None:
        raise document_page.missing_page(
            view, address_of(view.snapshot, CITY_CONTENT_PAGE, slug, city), "city page"
        )
    return localized(view, resolved)


def _landing_page(view: ContentView, city: str) -> LocalizedResource[LocalizedContent]:
    """Return the page of a city, with its office."""
    resolved = view.resolve(CITY, city)
    if city not in view.snapshot.cities:
        raise _no_city(view, city)
    if resolved is None:
        raise document_page.missing_page(
            view, address_of(view.snapshot, CITY_PAGE, city=city), "city page"
        )
    answer, office = localized(view, resolved), city_office(view, resolved)
    return replace(answer, resource=answer.resource.model_copy(update={"office": office}))


def city_office(view: ContentView, city: Resolved) -> CityOffice | None:
    """Return how to reach the company in a city, in the reader's language; None if unknown."""
    own = {"people": [], "profiles": [], **contract_values(view, city)}
    office = CityOffice.model_validate({**own, "map_url": web_url(own.get("map_url"))})
    is_known = office.phone or office.whatsapp or office.address or office.people
    return office if is_known else None


def _in_its_country(
    view: ContentView, address: Address, slug: str
) -> LocalizedResource[LocalizedContent]:
    """Return a city's page; raise NotFound under the path of another country."""
    country = view.snapshot.cities.get(address.city)
    if country is None or country != view.locale.country:
        raise _no_city(view, address.city)
    return city_page(view, address.city, slug)


def _no_city(view: ContentView, city: str) -> NotFound:
    country = view.locale.country
    place = cldr.country_name(country, Language.EN) if country else "the site"
    return NotFound(f"There is no city “{city}” in {place}.", "See the list of cities.")


def localized(view: ContentView, resolved: Resolved) -> LocalizedResource[LocalizedContent]:
    """Convert a resolved document to its public model, with its locale flags."""
    sections, scopes = page_sections(view, resolved)
    meta = locale_meta(resolved, scopes)
    page = LocalePage(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=document_page.title_of(resolved),
        heading=document_page.heading_of(resolved),
        content_type=resolved.entry.kind.singular,
        global_identity=resolved.entry.identity,
        template=document_page.template_of(resolved),
        short_description=resolved.pick(resolved.fields.short_description),
        sections=sections,
        seo=resolved.fields.seo,
        sort_order=resolved.fields.sort_order,
        city_slug=resolved.entry.slug if resolved.entry.kind == CITY else resolved.city,
        locale_meta=meta,
        **own_body(view, resolved),
    )
    thing = described_thing(view, resolved, page.own)
    content = LocalizedContent(page=page, meta=meta, thing=thing)
    return localized_resource(content, resolved)


def page_listing(
    view: ContentView, slug: str, sections: Iterable[DocumentSection]
) -> list[ListedGroup] | None:
    """Return what a page lists below its text, without the pages that its text links to.

    Cities are grouped by country, those of the reader's country first. None for other pages, and
    if nothing is left to list.
    """
    kind = listed_kind(view, slug)
    if kind is None:
        return None
    text = "\n".join(section.body or "" for section in sections)
    groups = [
        ListedGroup(title=title, items=[item for item in items if f"({item.path})" not in text])
        for title, items in _groups(view, kind)
    ]
    return [group for group in groups if group.items] or None


def listed_kind(view: ContentView, slug: str) -> AnyContentType | None:
    """Return the built-in type whose documents a page lists, as it stands above them."""
    return view.snapshot.kinds.listed_at(page_of(PAGE, slug, view.snapshot).path)


def pages_listed_by(view: ContentView, slug: str) -> list[str]:
    """Return the site paths of all pages that a page leads to: its text links to some of them."""
    kind = listed_kind(view, slug)
    groups = _groups(view, kind) if kind else ()
    return [item.path for _, items in groups for item in items]


def _groups(
    view: ContentView, kind: AnyContentType
) -> Iterator[tuple[str | None, list[ListedPage]]]:
    if kind != CITY:
        yield None, _items(view, kind)
        return
    here, language = view.locale.country, view.locale.language
    for country in sorted(view.snapshot.open.audiences, key=lambda each: each != here):
        name = cldr.country_name(country, language) if country else None
        yield name, _items(view.for_locale(Locale(country, language)), kind)


def _items(view: ContentView, kind: AnyContentType) -> list[ListedPage]:
    return view.each(view.resolve_all(kind), lambda target: listed_page(view, target))


def listed_page(view: ContentView, target: Resolved) -> ListedPage:
    """Return the page of a document, by its name or title."""
    fields = target.fields
    return ListedPage(
        title=target.pick(fields.short_title) or document_page.title_of(target),
        path=view.locale.path + page_of(target.entry.kind, target.entry.slug, view.snapshot).path,
        description=target.pick(fields.short_description) or None,
    )


CITY_PAGE = declare_page(
    PageType(
        name="city",
        path="/cities/{city}",
        content_types=(CITY,),
        parent="/cities",
        group=queries.CITIES,
        reason=_("the reader is in that city"),
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
        reason=_("the reader is in that city"),
    ),
    lambda view, address, _: _in_its_country(view, address, address.slug),
)

"""Site pages: one public page as a value that every renderer takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Generic, Protocol

from knowledge.addresses import Address, Page, is_list
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.locale import Language, Locale
from knowledge.resources import blog, localized, pages, products, search, site, testimonials
from knowledge.resources.base import Body_co, LocalizedResource, Resource, resource_in, title_of
from knowledge.resources.blog import PostQuery
from knowledge.resources.missing import missing_page
from knowledge.resources.search import SiteQuery
from knowledge.resources.seo import Alternate, SeoPage, alternates, resolve_route, seo_page
from knowledge.resources.site_chrome import SiteChrome, site_chrome


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """One breadcrumb; if it has no title, the renderer names it by its page type."""

    page: Page
    path: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The query parameters of a page's URL; only lists use them."""

    posts: PostQuery = field(default_factory=PostQuery)
    search: str | None = None
    site: SiteQuery = field(default_factory=SiteQuery)
    highlights: Callable[[str], Sequence[tuple[int, int]]] | None = None
    """Finds the words of the search in a text: returns the start and end of each."""


class PageMeta(Protocol):
    """The properties of a public page that headers and front matter use."""

    @property
    def view(self) -> ContentView:
        """The content view that the page was built from."""
        ...

    @property
    def path(self) -> str:
        """The canonical site path, without query."""
        ...

    @property
    def language(self) -> Language:
        """The language of the main text."""
        ...

    @property
    def updated_at(self) -> datetime | None:
        """When the text last changed, if known."""
        ...

    @property
    def seo(self) -> SeoPage:
        """The metadata for search engines."""
        ...

    @property
    def alternates(self) -> Sequence[Alternate]:
        """The same page in other locales."""
        ...

    @property
    def index_path(self) -> str:
        """The path of the llms.txt that lists the page."""
        ...


@dataclass(frozen=True, slots=True)
class PageModel(Generic[Body_co]):
    """A public page: its resource, address, metadata, header, footer and breadcrumbs."""

    view: ContentView
    address: Address
    query: PageQuery
    answer: LocalizedResource[Body_co]
    seo: SeoPage
    chrome: SiteChrome
    breadcrumbs: tuple[Breadcrumb, ...]

    @property
    def locale(self) -> Locale:
        """The requested locale; the text may be in the other language."""
        return self.view.locale

    @property
    def language(self) -> Language:
        """The language of the main text."""
        return self.answer.language or self.view.locale.language

    @property
    def path(self) -> str:
        """The canonical site path in the requested locale, without query."""
        return self.view.locale.path + self.address.path

    @property
    def updated_at(self) -> datetime | None:
        """The author's date of the last change, if there is one."""
        return self.answer.updated_at

    @property
    def alternates(self) -> Sequence[Alternate]:
        """All listed variants of the page, this one included."""
        return alternates(self.view, self.address)

    @property
    def index_path(self) -> str:
        """The path of the llms.txt of the page's locale."""
        return f"{self.view.locale.path}/llms.txt"


def site_page(view: ContentView, address: Address, query: PageQuery) -> PageModel[Resource]:
    """Return the page at an address in the view's locale; raise NotFound if it is missing."""
    return PageModel(
        view=view,
        address=address,
        query=query,
        answer=page_resource(view, address, query),
        seo=seo_page(view, view.locale.path + address.path),
        chrome=site_chrome(view, address),
        breadcrumbs=tuple(_breadcrumbs(view, address)),
    )


def page_resource(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[Resource]:
    """Return the resource of the page at an address; raise NotFound if it is missing."""
    if view.locale not in view.snapshot.open_locales:
        raise missing_page(view, address, "page")
    return _BUILDERS[address.page](view, address, query)


Builder = Callable[[ContentView, Address, PageQuery], LocalizedResource[Resource]]


def _content(view: ContentView, address: Address, _: PageQuery) -> LocalizedResource[Resource]:
    if view.snapshot.entry(ContentType.REGISTRY, address.slug):
        return localized.registry_page(view, address.slug)
    return pages.page_detail(view, address.slug)


def _city(view: ContentView, address: Address, slug: str) -> LocalizedResource[Resource]:
    """Return a city's page; raise NotFound under the path of another country."""
    if view.snapshot.cities.get(address.city) is not view.locale.country:
        raise NotFound(
            f"There is no city “{address.city}” in this country.", "See the list of cities."
        )
    return localized.city_page(view, address.city, slug)


def _blog(view: ContentView, _: Address, query: PageQuery) -> LocalizedResource[Resource]:
    return resource_in(view.locale, blog.post_list(view, query.posts))


def _category(view: ContentView, address: Address, query: PageQuery) -> LocalizedResource[Resource]:
    category = view.resolve(ContentType.CATEGORY, address.slug)
    if category is None:
        raise NotFound(f"There is no category “{address.slug}”.", "See /blog for the categories.")
    posts = replace(query.posts, category=address.slug)
    return resource_in(view.locale, blog.post_list(view, posts))


_BUILDERS: Mapping[Page, Builder] = {
    Page.HOME: lambda view, _, __: site.homepage(view),
    Page.CONTENT: _content,
    Page.MODULE: lambda view, address, _: localized.software_page(view, "module", address.slug),
    Page.INDUSTRY: lambda view, address, _: localized.software_page(view, "industry", address.slug),
    Page.CITY: lambda view, address, _: _city(view, address, localized.LANDING),
    Page.CITY_CONTENT: lambda view, address, _: _city(view, address, address.slug),
    Page.BLOG: _blog,
    Page.CATEGORY: _category,
    Page.POST: lambda view, address, _: blog.post_detail(view, address.slug),
    Page.TESTIMONIALS: lambda view, _, __: resource_in(
        view.locale, testimonials.testimonial_list(view)
    ),
    Page.PRODUCTS: lambda view, _, __: resource_in(view.locale, products.product_list(view)),
    Page.PRODUCT: lambda view, address, _: products.product_detail(view, address.slug),
    Page.SEARCH: lambda view, _, query: resource_in(
        view.locale, search.search_results(view, query.site)
    ),
}

_PARENTS: Mapping[Page, tuple[Address, ...]] = {
    Page.MODULE: (Address(Page.CONTENT, "erp"),),
    Page.INDUSTRY: (Address(Page.CONTENT, "industries"),),
    Page.CATEGORY: (Address(Page.BLOG),),
    Page.POST: (Address(Page.BLOG),),
    Page.PRODUCT: (Address(Page.PRODUCTS),),
}


def _breadcrumbs(view: ContentView, address: Address) -> list[Breadcrumb]:
    """Return the breadcrumbs from the home page to this page, without missing parents."""
    if address.page is Page.HOME:
        return []
    parents = _PARENTS.get(address.page, ())
    if address.page is Page.CITY_CONTENT:
        parents = (Address(Page.CITY, city=address.city),)
    trail = (Address(Page.HOME), *parents, address)
    breadcrumbs = [_breadcrumb(view, step) for step in trail]
    return [breadcrumb for breadcrumb in breadcrumbs if breadcrumb is not None]


def _breadcrumb(view: ContentView, address: Address) -> Breadcrumb | None:
    path = view.locale.path + address.path
    resolved = resolve_route(view, address)
    if address.page is Page.HOME or resolved is None:
        return Breadcrumb(address.page, path) if is_list(address) else None
    title = resolved.text("title") if is_list(address) else title_of(resolved)
    return Breadcrumb(address.page, path, title)

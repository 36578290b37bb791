"""Site pages: one public page as a value, from which each renderer makes its form."""

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
    """One step of the way from the home page; without a title its page kind names it."""

    page: Page
    path: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What a page's URL asks for beside its path: lists only."""

    posts: PostQuery = field(default_factory=PostQuery)
    search: str | None = None
    site: SiteQuery = field(default_factory=SiteQuery)
    highlights: Callable[[str], Sequence[tuple[int, int]]] | None = None
    """Where the words of the search stand in a text: start and end of each."""


class PageMeta(Protocol):
    """What headers and front matter tell of any public page."""

    @property
    def view(self) -> ContentView:
        """The content, and the readers it is for."""
        ...

    @property
    def path(self) -> str:
        """The canonical site path, without query."""
        ...

    @property
    def language(self) -> Language:
        """The language the main text is in."""
        ...

    @property
    def updated_at(self) -> datetime | None:
        """When the text last changed, where that is known."""
        ...

    @property
    def seo(self) -> SeoPage:
        """What search engines are told."""
        ...

    @property
    def alternates(self) -> Sequence[Alternate]:
        """The same page for other readers."""
        ...

    @property
    def index_path(self) -> str:
        """The llms.txt that lists it."""
        ...


@dataclass(frozen=True, slots=True)
class PageModel(Generic[Body_co]):
    """A public page: its resource, and its place on the site."""

    view: ContentView
    address: Address
    query: PageQuery
    answer: LocalizedResource[Body_co]
    seo: SeoPage
    chrome: SiteChrome
    breadcrumbs: tuple[Breadcrumb, ...]

    @property
    def locale(self) -> Locale:
        """The locale asked for; the text may be in the other language."""
        return self.view.locale

    @property
    def language(self) -> Language:
        """The language the main text is in."""
        return self.answer.language or self.view.locale.language

    @property
    def path(self) -> str:
        """The canonical site path in the locale asked, without query."""
        return self.view.locale.path + self.address.path

    @property
    def updated_at(self) -> datetime | None:
        """When the document was last changed, as its author says."""
        return self.answer.updated_at

    @property
    def alternates(self) -> Sequence[Alternate]:
        """Every published variant of it, itself too."""
        return alternates(self.view, self.address)

    @property
    def index_path(self) -> str:
        """The llms.txt of its locale."""
        return f"{self.view.locale.path}/llms.txt"


def site_page(view: ContentView, address: Address, query: PageQuery) -> PageModel[Resource]:
    """The page at an address for the view's readers; raises NotFound."""
    if view.locale not in view.snapshot.open_locales:
        raise missing_page(view, address, "page")
    answer = _BUILDERS[address.page](view, address, query)
    return PageModel(
        view=view,
        address=address,
        query=query,
        answer=answer,
        seo=seo_page(view, view.locale.path + address.path),
        chrome=site_chrome(view, address),
        breadcrumbs=tuple(_breadcrumbs(view, address)),
    )


Builder = Callable[[ContentView, Address, PageQuery], LocalizedResource[Resource]]


def _content(view: ContentView, address: Address, _: PageQuery) -> LocalizedResource[Resource]:
    if view.snapshot.entry(ContentType.REGISTRY, address.slug):
        return localized.registry_page(view, address.slug)
    return pages.page_detail(view, address.slug)


def _city(view: ContentView, address: Address, slug: str) -> LocalizedResource[Resource]:
    """A city's page, under its own country's paths only."""
    if view.snapshot.cities.get(address.city) is not view.locale.country:
        raise NotFound(f"There is no city “{address.city}” here.", "See the list of cities.")
    return localized.city_page(view, address.city, slug)


def _blog(view: ContentView, _: Address, query: PageQuery) -> LocalizedResource[Resource]:
    return resource_in(view.locale, blog.post_list(view, query.posts))


def _category(view: ContentView, address: Address, query: PageQuery) -> LocalizedResource[Resource]:
    category = view.resolve(ContentType.CATEGORY, address.slug)
    if category is None:
        raise NotFound(f"There is no category “{address.slug}”.", "See /blog for what there is.")
    posts = replace(query.posts, category=address.slug)
    return resource_in(view.locale, blog.post_list(view, posts))


_BUILDERS: Mapping[Page, Builder] = {
    Page.HOME: lambda view, _, __: site.homepage(view),
    Page.CONTENT: _content,
    Page.MODULE: lambda view, at, _: localized.software_page(view, "module", at.slug),
    Page.INDUSTRY: lambda view, at, _: localized.software_page(view, "industry", at.slug),
    Page.CITY: lambda view, at, _: _city(view, at, localized.LANDING),
    Page.CITY_CONTENT: lambda view, at, _: _city(view, at, at.slug),
    Page.BLOG: _blog,
    Page.CATEGORY: _category,
    Page.POST: lambda view, at, _: blog.post_detail(view, at.slug),
    Page.TESTIMONIALS: lambda view, _, __: resource_in(
        view.locale, testimonials.testimonial_list(view)
    ),
    Page.PRODUCTS: lambda view, _, __: resource_in(view.locale, products.product_list(view)),
    Page.PRODUCT: lambda view, at, _: products.product_detail(view, at.slug),
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
    """From the home page down to the page itself; a parent that is not there is left out."""
    if address.page is Page.HOME:
        return []
    parents = _PARENTS.get(address.page, ())
    if address.page is Page.CITY_CONTENT:
        parents = (Address(Page.CITY, city=address.city),)
    trail = (Address(Page.HOME), *parents, address)
    crumbs = [_breadcrumb(view, step) for step in trail]
    return [breadcrumb for breadcrumb in crumbs if breadcrumb is not None]


def _breadcrumb(view: ContentView, address: Address) -> Breadcrumb | None:
    path = view.locale.path + address.path
    resolved = resolve_route(view, address)
    if address.page is Page.HOME or resolved is None:
        return Breadcrumb(address.page, path) if is_list(address) else None
    title = resolved.text("title") if is_list(address) else title_of(resolved)
    return Breadcrumb(address.page, path, title)

"""Listed pages: the public pages that a resource shows or lists, which its sitemap names.

A list has all its pages, whichever part of it the resource shows. A resource that is about no
pages, such as a hint, has no function here and no sitemap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from knowledge.addresses.addresses import Address, entry_at, page_of, parse_address, split_locale
from knowledge.fields.content_types import (
    CITY,
    INDUSTRY,
    MODULE,
    PAGE,
    PRODUCT,
    REGISTRY,
    AnyContentType,
)
from knowledge.locales.locale import Locale
from knowledge.resources.answers import Answers
from knowledge.resources.base import Resource
from knowledge.resources.blog import (
    CATEGORY_PAGE,
    POST_PAGE,
    BlogCategoryList,
    BlogHomepage,
    PostDetail,
    PostList,
)
from knowledge.resources.localized import (
    CITY_CONTENT_PAGE,
    SOFTWARE_KINDS,
    LocalizedContent,
    SoftwareDetail,
)
from knowledge.resources.page_listing import LISTED
from knowledge.resources.pages import CONTENT_PAGE, PageDetail, PageList
from knowledge.resources.places import CityList, CountryList
from knowledge.resources.product_list import ProductList
from knowledge.resources.products import ProductDetail
from knowledge.resources.search import SearchResults
from knowledge.resources.site import HOME_PAGE, Homepage, Navigation
from knowledge.resources.site_map import LocalizedAddress, site_map
from knowledge.resources.testimonials import TESTIMONIALS_PAGE, TestimonialList
from knowledge.views.content_view import ContentView

Pages = Iterable[LocalizedAddress]

_KINDS = {kind.singular: kind for kind in (REGISTRY, PAGE, MODULE, INDUSTRY, CITY)}


@singledispatch
def pages_of(resource: Resource, view: ContentView) -> Pages:
    """Yield the pages of a resource, first the one that it shows itself."""
    return ()


_no_pages = pages_of.dispatch(Resource)


def has_pages(resource: type[Resource]) -> bool:
    """Return whether resources of a class are about pages.

    >>> has_pages(PostList), has_pages(Resource)
    (True, False)
    """
    return pages_of.dispatch(resource) is not _no_pages


def at_path(path: str) -> Pages:
    """Yield the page at a site path, if a page can stand there."""
    locale, rest = split_locale(path)
    address = parse_address(rest)
    if locale is not None and address is not None:
        yield LocalizedAddress(locale, address)


def pictures_at(view: ContentView, address: Address) -> Iterator[str]:
    """Yield the URLs of the pictures that the front matter of a page names."""
    entry = entry_at(view.snapshot, address)
    resolved = view.resolve_entry(entry, address.city or None) if entry else None
    if resolved is not None:
        for name in resolved.fields.images():
            picture = getattr(resolved.fields, name) or ""
            url = view.absolute(view.path(picture, resolved.documents[0].path)) if picture else ""
            if url.startswith(("https://", "http://")):
                yield url


def _here(view: ContentView, addresses: Iterable[Address]) -> Pages:
    return (LocalizedAddress(view.locale, address) for address in addresses)


@pages_of.register(Homepage)
@pages_of.register(Navigation)
def _(resource: Homepage | Navigation, view: ContentView) -> Pages:
    return _here(view, site_map(view.snapshot, view.now).addresses(view.locale))


@pages_of.register
def _(resource: PostList, view: ContentView) -> Pages:
    return _here(view, (Address(POST_PAGE, record.slug) for record in resource.matching))


@pages_of.register
def _(resource: PostDetail, view: ContentView) -> Pages:
    return _here(view, [Address(POST_PAGE, resource.post.slug)])


@pages_of.register
def _(resource: BlogHomepage, view: ContentView) -> Pages:
    shown = (resource.featured, *resource.items)
    return _here(view, (Address(POST_PAGE, post.slug) for post in shown if post))


@pages_of.register
def _(resource: BlogCategoryList, view: ContentView) -> Pages:
    return _here(view, (Address(CATEGORY_PAGE, each.slug) for each in resource.items))


@pages_of.register
def _(resource: PageList, view: ContentView) -> Pages:
    return _here(view, (Address(CONTENT_PAGE, each.slug) for each in resource.items))


@pages_of.register
def _(resource: PageDetail, view: ContentView) -> Pages:
    yield from _here(view, [Address(CONTENT_PAGE, resource.page.slug)])
    yield from _listed_by(resource.page.slug, view)


@pages_of.register
def _(resource: LocalizedContent, view: ContentView) -> Pages:
    page, kind = resource.page, _KINDS[resource.page.content_type]
    if page.city_slug and kind is not CITY:
        yield from _here(view, [Address(CITY_CONTENT_PAGE, page.slug, page.city_slug)])
    else:
        yield from _here(view, [page_of(kind, page.slug)])
        yield from _listed_by(page.slug, view) if kind in (REGISTRY, PAGE) else ()


@pages_of.register
def _(resource: SoftwareDetail, view: ContentView) -> Pages:
    return _here(view, [page_of(SOFTWARE_KINDS[resource.kind], resource.slug)])


@pages_of.register
def _(resource: CityList, view: ContentView) -> Pages:
    return _here(view, (page_of(CITY, each.slug) for each in resource.cities))


@pages_of.register
def _(resource: CountryList, view: ContentView) -> Pages:
    for each in resource.items:
        yield LocalizedAddress(Locale(each.code, view.locale.language), Address(HOME_PAGE))


@pages_of.register
def _(resource: ProductList, view: ContentView) -> Pages:
    return _here(view, (page_of(PRODUCT, each.slug) for each in resource.items))


@pages_of.register
def _(resource: ProductDetail, view: ContentView) -> Pages:
    return _here(view, [page_of(PRODUCT, resource.product.slug)])


@pages_of.register
def _(resource: TestimonialList, view: ContentView) -> Pages:
    return _here(view, [Address(TESTIMONIALS_PAGE)])


@pages_of.register
def _(resource: Answers, view: ContentView) -> Pages:
    for each in resource.items:
        yield from at_path(each.page.path)


@pages_of.register
def _(resource: SearchResults, view: ContentView) -> Pages:
    for each in resource.items:
        yield from at_path(each.path)


def _listed_by(slug: str, view: ContentView) -> Iterator[LocalizedAddress]:
    """Yield what the page of a slug lists: modules, industries or the cities of all countries."""
    kind: AnyContentType | None = LISTED.get(slug)
    if kind is CITY:
        language = view.locale.language
        for city, country in view.snapshot.cities.items():
            yield LocalizedAddress(Locale(country, language), page_of(CITY, city))
    elif kind is not None:
        yield from _here(view, (page_of(kind, each.entry.slug) for each in view.resolve_all(kind)))

"""Site pages: one public page as a value that every renderer takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol

from knowledge.addresses.addresses import Address, parse_address
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Locale, TextLanguage
from knowledge.resources.base import Body_co, LocalizedResource, Resource, title_of
from knowledge.resources.missing import missing_page
from knowledge.resources.queries import BUILDERS, PageQuery
from knowledge.resources.seo import Alternate, SeoPage, alternates, resolve_route, seo_at
from knowledge.resources.site_chrome import SiteChrome, site_chrome
from knowledge.views.content_view import ContentView


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """One breadcrumb; if it has no title, the renderer names it by its page type."""

    page: PageType
    path: str
    title: str | None = None


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
    def language(self) -> TextLanguage:
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
class PreviewNote:
    """What the reader of a preview is told: until when the link is valid, and what it shows.

    `at` is the instant at which the page is shown, None for the present one. `site` is the view
    of what is public then, from which header and footer come.
    """

    valid_until: datetime
    at: datetime | None
    is_public: bool
    site: ContentView


@dataclass(frozen=True, slots=True)
class PageModel(Generic[Body_co]):
    """A page: its resource, address, metadata, header, footer and breadcrumbs.

    `preview` is set if the page is shown before it is published.
    """

    view: ContentView
    address: Address
    query: PageQuery
    answer: LocalizedResource[Body_co]
    seo: SeoPage
    chrome: SiteChrome
    breadcrumbs: tuple[Breadcrumb, ...]
    preview: PreviewNote | None = None

    @property
    def locale(self) -> Locale:
        """The requested locale; the text may be in the other language."""
        return self.view.locale

    @property
    def language(self) -> TextLanguage:
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
        """All listed variants of the page, this one included; a preview has none."""
        if self.preview:
            return ()
        return self.seo.alternates or alternates(self.view, self.address)

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
        seo=seo_at(view, view.locale.path + address.path, address),
        chrome=site_chrome(view, address),
        breadcrumbs=tuple(_breadcrumbs(view, address)),
    )


def page_resource(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[Resource]:
    """Return the resource of the page at an address; raise NotFound if it is missing."""
    if view.locale not in view.snapshot.open_locales:
        raise missing_page(view, address, "page")
    return BUILDERS[address.page](view, address, query)


def _breadcrumbs(view: ContentView, address: Address) -> list[Breadcrumb]:
    """Return the breadcrumbs from the home page to this page, without missing parents."""
    if not address.page.path:
        return []
    above = (address.page.above_parent, address.page.parent)
    parents = [parse_address(path.format(city=address.city)) for path in above if path]
    trail = (parse_address(""), *parents, address)
    breadcrumbs = [_breadcrumb(view, step) for step in trail if step]
    return [breadcrumb for breadcrumb in breadcrumbs if breadcrumb is not None]


def _breadcrumb(view: ContentView, address: Address) -> Breadcrumb | None:
    page, path = address.page, view.locale.path + address.path
    resolved = resolve_route(view, address)
    if not page.path or resolved is None:
        return Breadcrumb(page, path) if page.is_list else None
    title = resolved.pick(resolved.fields.title) if page.is_list else title_of(resolved)
    return Breadcrumb(page, path, title)

"""Site pages: one public page as a value that every renderer takes, also before it is public."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Generic, cast

from knowledge.addresses.addresses import Address, entry_at, is_visible, parse_address
from knowledge.documents.document import Document
from knowledge.edits import SharedResults
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import POST
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Language, Locale, TextLanguage
from knowledge.resources.base import Body_co, LocalizedResource, Resource
from knowledge.resources.document_page import missing_page, title_of
from knowledge.resources.queries import BUILDERS, PageQuery
from knowledge.resources.seo import Alternate, SeoPage, alternates, resolve_route, seo_at, seo_page
from knowledge.resources.site_chrome import SiteChrome, site_chrome
from knowledge.resources.site_map import BuiltinPage
from knowledge.snapshot.layer_resolution import Entry, resolve_uncached
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """One breadcrumb; if it has no title, the renderer names it by its page type."""

    page: PageType
    path: str
    title: str | None = None


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
class PageContent(Generic[Body_co]):
    """What a page shows between header and footer: the resource at an address."""

    view: ContentView
    address: Address
    query: PageQuery
    answer: LocalizedResource[Body_co]

    @property
    def resource(self) -> Body_co:
        """The body of the response."""
        return self.answer.resource

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


@dataclass(frozen=True, slots=True)
class PageModel(PageContent[Body_co]):
    """A page: its content, metadata, header, footer and breadcrumbs.

    `preview` is set if the page is shown before it is published.
    """

    seo: SeoPage
    chrome: SiteChrome
    breadcrumbs: tuple[Breadcrumb, ...]
    preview: PreviewNote | None = None

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


@dataclass(frozen=True, slots=True)
class DocumentationPage:
    """A documentation page in one language; `text` is CommonMark without the title."""

    view: ContentView
    page: BuiltinPage
    text: str
    language: Language = Language.EN
    updated_at: datetime | None = None
    alternates: Sequence[Alternate] = ()
    index_path: str = "/llms.txt"

    @property
    def path(self) -> str:
        """The canonical site path."""
        return self.page.path

    @property
    def seo(self) -> SeoPage:
        """The metadata for search engines."""
        return seo_page(self.view, self.path)


PageMeta = PageModel[Resource] | DocumentationPage
"""A public page, with what headers and front matter tell of it."""


def site_page(view: ContentView, address: Address, query: PageQuery) -> PageModel[Resource]:
    """Return the page at an address in the view's locale; raise NotFound if it is missing."""
    return PageModel(
        view=view,
        address=address,
        query=query,
        answer=page_resource(view, address, query),
        seo=seo_at(view, view.locale.path + address.path, address),
        chrome=site_chrome(view, address),
        breadcrumbs=tuple(breadcrumbs(view, address)),
    )


def page_resource(
    view: ContentView, address: Address, query: PageQuery
) -> LocalizedResource[Resource]:
    """Return the resource of the page at an address; raise NotFound if it is missing."""
    if view.locale not in view.snapshot.open_locales:
        raise missing_page(view, address, "page")
    return BUILDERS[address.page.form](view, address, query)


def breadcrumbs(view: ContentView, address: Address) -> list[Breadcrumb]:
    """Return the breadcrumbs from the home page to this page, without missing parents."""
    if not address.page.path:
        return []
    above = (_above_list(view, address) or address.page.above_parent, address.page.parent)
    parents = [
        parse_address(path.format(city=address.city), view.snapshot) for path in above if path
    ]
    parents += _folders(view, address) if address.page.is_nested else ()
    trail = (parse_address(""), *parents, address)
    steps = [_breadcrumb(view, step) for step in trail if step]
    return [breadcrumb for breadcrumb in steps if breadcrumb is not None]


def _above_list(view: ContentView, address: Address) -> str | None:
    """Return what stands above a page in the breadcrumbs of the pages that it lists."""
    types, path = view.snapshot.page_types.all, address.path
    below = (each for each in types if each.above_parent and each.parent == path)
    return next((each.above_parent for each in below), None)


def _folders(view: ContentView, address: Address) -> Iterator[Address]:
    """Yield the pages of the folders of a document."""
    folders = accumulate(address.slug.split("/")[:-1], lambda above, name: f"{above}/{name}")
    pages = (Address(address.page, slug) for slug in folders)
    yield from (each for each in pages if resolve_route(view, each))


def _breadcrumb(view: ContentView, address: Address) -> Breadcrumb | None:
    page, path = address.page, view.locale.path + address.path
    resolved = resolve_route(view, address)
    if not page.path or resolved is None:
        return Breadcrumb(page, path) if page.is_list else None
    title = resolved.pick(resolved.fields.title) if page.is_list else title_of(resolved)
    return Breadcrumb(page, path, title)


def preview_page(
    public: ContentView, address: Address, at: datetime | None, valid_until: datetime
) -> PageModel[Resource]:
    """Return a page, also a draft, as it is at `at`; raises NotFound if it is not there then.

    `public` is what readers see at present. Without `at` the dates of the page itself do not
    matter. Header, footer and links are those of the published pages.
    """
    site = public.at(at)
    view = replace(site, snapshot=_revealed(site.snapshot, address, is_undated=at is None))
    page = site_page(view, address, PageQuery())
    is_public = is_visible(public.snapshot, address, public.locale, public.now)
    hidden = {"no_index": True, "robots": "noindex, nofollow", "alternates": []}
    return replace(
        page,
        seo=page.seo.model_copy(update=hidden),
        chrome=site_chrome(site, address),
        preview=PreviewNote(valid_until, at, is_public, site),
    )


def preview_locales(
    snapshot: Snapshot, document: Document, address: Address, at: datetime | None, now: datetime
) -> Iterator[Locale]:
    """Yield the locales in which a preview of the page shows a document, its language first."""
    entry = entry_at(_revealed(snapshot, address, is_undated=at is None), address)
    country = snapshot.default_locale.country
    locales = sorted(
        snapshot.open_locales,
        key=lambda each: (each.language is not document.language, each.country != country),
    )
    for locale in locales if entry else ():
        resolved = resolve_uncached(cast(Entry, entry), locale, at or now, address.city or None)
        if resolved and any(each.path == document.path for each in resolved.documents):
            yield locale


def _revealed(snapshot: Snapshot, address: Address, *, is_undated: bool) -> Snapshot:
    """Return a snapshot in which the document at an address is no draft."""
    entry = entry_at(snapshot, address)
    if entry is None:
        return snapshot
    documents = tuple(map(_published, entry.documents))
    revealed = replace(entry, documents=documents, is_undated=is_undated)
    entries = {**snapshot.entries.get(entry.kind, {}), entry.slug: revealed}
    indexes = snapshot.post_indexes
    if entry.kind == POST:
        indexes = indexes.next_version(
            cast("Mapping[str, Entry[PostFields]]", entries), snapshot.locales
        )
    return replace(
        snapshot,
        entries={**snapshot.entries, entry.kind: entries},
        post_indexes=indexes,
        cache={},
        shared=SharedResults(),
    )


def _published(document: Document) -> Document:
    if document.fields.published is not False:
        return document
    return replace(document, fields=replace(document.fields, published=None))

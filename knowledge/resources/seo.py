"""SEO metadata of any public site path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from knowledge.addresses import Address, Page, entry_at, is_visible, parse_address, split_locale
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.locale import DEFAULT_LOCALE, Language, Locale
from knowledge.resolution import Resolved
from knowledge.resources.base import Omittable, Resource, Uri, enum_schema, title_of
from knowledge.resources.blog import excerpt_of
from knowledge.resources.builtin_pages import BUILTIN_PAGES, BuiltinPage
from knowledge.resources.site_map import hreflangs, is_noindex, sitemap_entry


class Alternate(Resource):
    """The same page for other readers; `href` is absolute."""

    hreflang: str
    href: Uri


class SeoPage(Resource):
    """What search engines are told of one path."""

    path: str
    canonical: Uri
    no_index: bool
    robots: str
    lang: Language
    dir: Annotated[str, enum_schema(("ltr", "rtl"))]
    title: Omittable[str] = None
    description: Omittable[str] = None
    alternates: list[Alternate]


def seo_page(view: ContentView, path: str) -> SeoPage:
    """Metadata of a site path; one that shows nothing is not to be indexed."""
    path = "/" + path.lstrip("/")
    bare = path.partition("?")[0].partition("#")[0]
    if bare in BUILTIN_PAGES:
        return _own(view, path, BUILTIN_PAGES[bare])
    locale, rest = split_locale(bare)
    view = view.for_locale(locale or DEFAULT_LOCALE)
    address = parse_address(rest)
    if address is None or (locale is None and address.page is not Page.HOME):
        return _unknown(view, path)
    if not is_visible_route(view, address):
        return _unknown(view, path)
    return _known(view, path, address, resolve_route(view, address))


def resolve_route(view: ContentView, address: Address) -> Resolved | None:
    """The document shown at an address, as the view's readers see it."""
    entry = entry_at(view.snapshot, address)
    return view.resolve_entry(entry, address.city or None) if entry else None


def is_visible_route(view: ContentView, address: Address) -> bool:
    """Whether the view's readers find a page at an address."""
    return is_visible(view.snapshot, address, view.locale, view.now)


def _own(view: ContentView, path: str, page: BuiltinPage) -> SeoPage:
    """A page of the service itself: in English, and for all readers the same one."""
    return SeoPage(
        path=path,
        canonical=view.absolute(page.path),
        no_index=False,
        robots="index, follow",
        lang=Language.EN,
        dir=Language.EN.direction,
        title=page.title,
        description=page.description,
        alternates=[],
    )


def _unknown(view: ContentView, path: str) -> SeoPage:
    language = view.locale.language
    return SeoPage(
        path=path,
        canonical=view.absolute(path.partition("#")[0]),
        no_index=True,
        robots="noindex, follow",
        lang=language,
        dir=language.direction,
        alternates=[],
    )


def _known(view: ContentView, path: str, address: Address, resolved: Resolved | None) -> SeoPage:
    seo = resolved.metadata.get("seo", {}) if resolved else {}
    language = resolved.language if resolved else view.locale.language
    # A page that fell back belongs, for search engines, to the language it is in.
    served = Locale(view.locale.country, language)
    no_index = is_noindex(seo) or address.page is Page.SEARCH
    follow = seo.get("robots_follow") or "follow"
    return SeoPage(
        path=path,
        canonical=seo.get("canonical_url") or view.absolute(served.path + address.path),
        no_index=no_index,
        robots=f"{'noindex' if no_index else 'index'}, {follow}",
        lang=language,
        dir=language.direction,
        title=_title(view, resolved, seo),
        description=description_of(resolved),
        alternates=[] if no_index else alternates(view, address),
    )


def _title(view: ContentView, resolved: Resolved | None, seo: Mapping[str, Any]) -> str | None:
    """The title for search engines, of a list's own texts or the site's where it has none."""
    if resolved is None:
        return None
    texts = resolved.metadata.get("page", {})
    written = resolved.spoken(seo.get("title")) or resolved.spoken(texts.get("seo_title"))
    if written or resolved.entry.kind is not ContentType.SITE:
        return written or title_of(resolved)
    settings = view.resolve(ContentType.SITE, "settings")
    site = settings.metadata.get("seo", {}).get("page_title") if settings else None
    return resolved.text("title") or resolved.pick(site)


def description_of(resolved: Resolved | None) -> str | None:
    """What the authors say in short of the document that a page shows."""
    if resolved is None:
        return None
    seo = resolved.metadata.get("seo", {})
    texts = resolved.metadata.get("page", {})
    written = (
        resolved.spoken(seo.get("description"))
        or resolved.spoken(texts.get("seo_description"))
        or resolved.text("short_description")
        or resolved.text("description")  # of a category
    )
    if not written and resolved.entry.kind is ContentType.POST:
        return excerpt_of(resolved) or None
    return written


def alternates(view: ContentView, address: Address) -> list[Alternate]:
    """Every variant that is to be found, itself too, then `en`, `ar` and `x-default`."""
    found = sitemap_entry(view.snapshot, address, view.now)
    return [
        Alternate(hreflang=tag, href=view.absolute(locale.path + address.path))
        for tag, locale in hreflangs(found.locales)
    ]

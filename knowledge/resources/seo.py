"""SEO metadata for any public site path."""

from typing import Annotated

from knowledge.addresses.addresses import Address, entry_at, is_visible, parse_address, split_locale
from knowledge.fields.blog_fields import BlogFields
from knowledge.fields.content_types import POST, SETTINGS, SITE
from knowledge.fields.field_types import LocalizedText, Omittable, enum_schema
from knowledge.fields.front_matter import PageSeo
from knowledge.fields.settings_fields import TestimonialsFields, TestimonialsPage
from knowledge.locales.locale import OtherLanguage
from knowledge.resources.base import LanguageOfText, Resource, Uri
from knowledge.resources.blog import excerpt_of
from knowledge.resources.document_page import short_text, title_of
from knowledge.resources.listing import (
    canonical_address,
    has_posts,
    hreflangs,
    is_noindex,
    listed_locales,
    newest_version,
    private_path,
)
from knowledge.resources.site_map import BUILTIN_PAGES, BuiltinPage, builtin_pages, builtin_variants
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, absolute


class Alternate(Resource):
    """The same page in another locale; `href` is absolute."""

    hreflang: str
    """Language and country of the variant, as in HTML, or `x-default`."""
    href: Uri
    """URL of the variant."""


class SeoPage(Resource):
    """Metadata for search engines about one path."""

    path: str
    """The site path, as requested."""
    canonical: Uri
    """Canonical URL of the page."""
    no_index: bool
    """Whether search engines shall leave the page out."""
    robots: str
    """Value of the meta element `robots`."""
    lang: LanguageOfText
    """Language of the page."""
    dir: Annotated[str, enum_schema(("ltr", "rtl"))]
    """Direction of its script."""
    title: Omittable[str] = None
    """Title for search engines."""
    description: Omittable[str] = None
    """Description for search engines."""
    alternates: list[Alternate]
    """The page in all its locales."""


def seo_page(view: ContentView, path: str) -> SeoPage:
    """Return the metadata of a site path; a path without a page gets `noIndex`."""
    path = "/" + path.lstrip("/")
    bare = path.partition("?")[0].partition("#")[0]
    builtin = BUILTIN_PAGES.get(bare)
    if builtin is not None and builtin in builtin_pages(view.snapshot.locales):
        return _builtin(view, path, builtin)
    locale, rest = split_locale(bare)
    view = view.for_locale(locale or view.snapshot.locales.default)
    address = parse_address(rest, view.snapshot)
    if address is None or (locale is None and address.page.path):
        return _unknown(view, path)
    return seo_at(view, path, address)


def seo_at(view: ContentView, path: str, address: Address) -> SeoPage:
    """Return the metadata of the page at an address, whose site path is `path`."""
    if not is_visible_route(view, address):
        return _unknown(view, path)
    return _known(view, path, address, resolve_route(view, address))


def resolve_route(view: ContentView, address: Address) -> Resolved | None:
    """Return the document shown at an address, resolved for the view's locale."""
    entry = entry_at(view.snapshot, address)
    return view.resolve_entry(entry, address.city or None) if entry else None


def is_visible_route(view: ContentView, address: Address) -> bool:
    """Return whether the address shows a page in the view's locale."""
    return is_visible(view.snapshot, address, view.locale, view.now)


def _builtin(view: ContentView, path: str, page: BuiltinPage) -> SeoPage:
    """Return the metadata of a built-in page, which is the same for all countries."""
    return SeoPage(
        path=path,
        canonical=view.absolute(page.path),
        no_index=False,
        robots="index, follow",
        lang=page.language,
        dir=page.language.direction,
        title=page.title,
        description=page.description,
        alternates=builtin_alternates(view),
    )


def builtin_alternates(view: ContentView) -> list[Alternate]:
    """Return the manual in each of its languages; nothing if there is only one."""
    return [
        Alternate(hreflang=hreflang, href=view.absolute(path))
        for hreflang, path in builtin_variants(view.snapshot.locales)
    ]


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
    seo = resolved.seo if resolved else PageSeo()
    language = resolved.language if resolved else view.locale.language
    text_language = resolved.text_language if resolved else language
    # The canonical URL of a fallback page is the URL in the language of its text, that of a city's
    # page without text of its own is the URL of the country's.
    served = view.locale.in_language(language)
    shown = canonical_address(view.snapshot, address, resolved, view.now) if resolved else address
    shown = newest_version(view.snapshot, shown, served, view.now)
    no_index = is_noindex(seo) or not address.page.is_indexed or _is_thin(view, address)
    no_index = no_index or private_path(view.snapshot, address.path) is not None
    follow = seo.robots_follow or "follow"
    return SeoPage(
        path=path,
        canonical=seo.canonical_url or view.absolute(served.path + shown.path),
        no_index=no_index,
        robots=f"{'noindex' if no_index else 'index'}, {follow}",
        lang=text_language,
        dir=text_language.direction,
        title=_title(view, resolved),
        description=description_of(resolved),
        alternates=[] if no_index else alternates(view, address),
    )


def _is_thin(view: ContentView, address: Address) -> bool:
    """Return whether a list has too few posts to be indexed; one that needs one may be empty."""
    is_short = address.page.needs_posts > 1
    return is_short and not has_posts(view.snapshot, address, view.locale, view.now)


def _title(view: ContentView, resolved: Resolved | None) -> str | None:
    """Return the title for search engines; a list without any takes the site's."""
    if resolved is None:
        return None
    title = resolved.spoken(resolved.seo.title) or resolved.spoken(_list_texts(resolved).seo_title)
    if title or resolved.entry.kind != SITE:
        return title or title_of(resolved)
    settings = view.singleton(SETTINGS)
    site = settings.fields.seo.page_title if settings and settings.fields.seo else None
    fields = resolved.fields
    section = fields.section.title if isinstance(fields, BlogFields) and fields.section else None
    return resolved.pick(fields.title) or resolved.pick(section) or resolved.pick(site)


def _list_texts(resolved: Resolved) -> TestimonialsPage[LocalizedText]:
    """Return the texts of the list of testimonials, which may be empty."""
    fields = resolved.fields
    page = fields.page if isinstance(fields, TestimonialsFields) else None
    return page or TestimonialsPage()


def description_of(resolved: Resolved | None) -> str | None:
    """Return the author's description of a page's document; for a post, else its excerpt."""
    if resolved is None:
        return None
    description = (
        resolved.spoken(resolved.seo.description)
        or resolved.spoken(_list_texts(resolved).seo_description)
        or short_text(resolved)
    )
    if not description and resolved.entry.kind == POST:
        return excerpt_of(resolved) or None
    return description


def alternates(view: ContentView, address: Address) -> list[Alternate]:
    """Return all listed variants, this one included, then `en`, `ar` and `x-default`.

    A text in a third language has none: the languages of the locales are not its own.
    """
    resolved = resolve_route(view, address)
    if resolved and isinstance(resolved.text_language, OtherLanguage):
        return []
    locales, path = listed_locales(view.snapshot, address, view.now), absolute("", address.path)
    return [
        Alternate(hreflang=tag, href=view.base_url + locale.path + path)
        for tag, locale in hreflangs(locales, view.snapshot.locales)
    ]

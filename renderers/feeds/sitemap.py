"""The XML sitemap for search engines, split into parts if it is large; and that of a page.

`/sitemap.xml` is the complete sitemap, or an index of `/sitemap-1.xml`, `/sitemap-2.xml` and so
on. A page and its locale variants are always in the same part. A part is rendered on request, and
so small that this takes milliseconds; which pages it has is found once for each site map.

The sitemap of a page has its own entry in its locale, and that of a list also the entries of all
pages that it lists. What the sitemap of the site leaves out is in none of them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from itertools import islice
from typing import NamedTuple

from knowledge.addresses.addresses import Address, LocalizedAddress, file_at
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.document_page import shown_address
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import SiteMap, SitemapEntry, listed_entries
from knowledge.resources.site_page import DocumentationPage, PageModel
from knowledge.views.content_view import ContentView, absolute
from renderers.feeds import xml_text
from renderers.representation import MediaType, Representation

INDEX_PATH = "/sitemap.xml"

_PLAIN = re.compile(r"[\w/.-]*", re.ASCII).fullmatch
"""Matches a path that is written as it is."""

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_PICTURES = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
_LIST_HEAD = f"{_DECLARATION}<urlset {_NAMESPACE} {_XHTML} {_PICTURES}>\n"


@dataclass(frozen=True, slots=True)
class SitemapLimits:
    """Maximum size of one file; the defaults are within the limits of the sitemap protocol."""

    urls: int = 50_000
    file_bytes: int = 5_000_000


DEFAULT_LIMITS = SitemapLimits()
LIST_LIMITS = SitemapLimits(file_bytes=50_000_000)
"""The limits of the protocol, for the sitemap of a list, which has no parts."""


def part_path(number: int) -> str:
    """Return the path of a part; the first is number 1."""
    return f"/sitemap-{number}.xml"


MEDIA_TYPE = "application/xml; charset=utf-8"


def render(
    site_map: SiteMap, base_url: str, limits: SitemapLimits = DEFAULT_LIMITS
) -> Representation:
    """Render `/sitemap.xml`: all URLs, or the index of the parts."""
    parts = split(site_map, base_url, limits)
    if len(parts) == 1:
        return _urlset(parts[0], _unlocalized(site_map, base_url), base_url)
    numbers = range(1, len(parts) + 1)
    lines = (f"<sitemap><loc>{_url(base_url, part_path(n))}</loc></sitemap>" for n in numbers)
    body = f"{_DECLARATION}<sitemapindex {_NAMESPACE}>\n{''.join(_lines(lines))}</sitemapindex>\n"
    return Representation(MEDIA_TYPE, body.encode())


def prepare(site_map: SiteMap, base_url: str) -> None:
    """Find which pages each part has, which takes long if there are many."""
    split(site_map, base_url, DEFAULT_LIMITS)


def render_part(
    site_map: SiteMap, base_url: str, number: int, limits: SitemapLimits = DEFAULT_LIMITS
) -> Representation | None:
    """Render `/sitemap-{number}.xml`, or return None if there is no such part."""
    parts = split(site_map, base_url, limits)
    if len(parts) == 1 or not 1 <= number <= len(parts):
        return None
    unlocalized = _unlocalized(site_map, base_url) if number == 1 else ()
    return _urlset(parts[number - 1], unlocalized, base_url)


def split(
    site_map: SiteMap, base_url: str, limits: SitemapLimits = DEFAULT_LIMITS
) -> list[Sequence[SitemapEntry]]:
    """Return the parts: slices of the pages, each as long as the limits allow.

    Their sizes in bytes are computed without rendering them.
    """
    return site_map.once(
        (split, base_url, limits), lambda: list(_slices(site_map, base_url, limits))
    )


_HEAD = f"{_DECLARATION}<urlset {_NAMESPACE} {_XHTML}>\n"

_FOOT = "</urlset>\n"


def _slices(
    site_map: SiteMap, base_url: str, limits: SitemapLimits
) -> Iterator[Sequence[SitemapEntry]]:
    shared = _size(_HEAD + _FOOT) + sum(map(_size, _unlocalized(site_map, base_url)))
    urls, size, start = len(site_map.unlocalized), shared, 0
    # Pages share tuples of locales and alternates; to compare them takes longer than all else.
    frames: dict[tuple[int, int], _Frame] = {}
    for position, page in enumerate(site_map.pages):
        key = id(page.locales), id(page.hreflangs)
        if key not in frames:
            frames[key] = _frame(base_url, page)
        frame, dates = frames[key], sum(date is not None for date in page.dates)
        added = frame.size + frame.paths * _path_size(page) + dates * _LASTMOD_BYTES
        is_full = urls + len(page.locales) > limits.urls or size + added > limits.file_bytes
        if is_full and urls:
            yield site_map.pages[start:position]
            urls, size, start = 0, shared, position
        urls += len(page.locales)
        size += added
    yield site_map.pages[start:]


class _Frame(NamedTuple):
    """The bytes of a page without its path and dates, and how often it has the path."""

    size: int
    paths: int


def _frame(base_url: str, page: SitemapEntry) -> _Frame:
    """Return what all pages with the same locales and alternates have in common."""
    alternates = sum(
        _size(f"{_alternate(tag, base_url + locale.path)}\n") for tag, locale in page.hreflangs
    )
    entries = sum(_size(_entry(base_url + locale.path, None, "")) for locale in page.locales)
    count = len(page.locales)
    return _Frame(entries + alternates * count, count * (1 + len(page.hreflangs)))


def render_page(page: PageModel[Resource]) -> Representation:
    """Render the sitemap of a page; that of a preview is empty."""
    own = LocalizedAddress(page.view.locale, page.address)
    pages = () if page.preview else (own, *page.answer.resource.listed_pages(page.view))
    return _listed(pages, page.view, str(page.language))


def render_resource(
    answer: LocalizedResource[Body], view: ContentView, limits: SitemapLimits = LIST_LIMITS
) -> Representation:
    """Render the sitemap of the pages that a resource of the API shows or lists."""
    address = shown_address(view, answer.document) if answer.document else None
    own = [LocalizedAddress(view.locale, address)] if address else []
    pages = (*own, *answer.resource.listed_pages(view))
    return _listed(pages, view, answer.language, limits)


def render_documentation(page: DocumentationPage) -> Representation:
    """Render the sitemap of a page outside the locales."""
    links = [(each.hreflang, escape(each.href)) for each in page.alternates]
    entry = _entry(_url(page.view.base_url, page.path), None, _links(links))
    return Representation(MEDIA_TYPE, f"{_HEAD}{entry}{_FOOT}".encode(), str(page.language))


def _listed(
    pages: Iterable[LocalizedAddress],
    view: ContentView,
    language: str | None,
    limits: SitemapLimits = LIST_LIMITS,
) -> Representation:
    listed = islice(listed_entries(view.snapshot, pages, view.now), limits.urls)
    rendered = view.snapshot.left_out.each(
        listed,
        lambda pair: _entry_with_pictures(pair[1], view.for_locale(pair[0])),
        lambda pair: file_at(view.snapshot, pair[1].address),
    )
    entries, size = [], _size(_LIST_HEAD + _FOOT)
    for entry in rendered:
        size += _size(entry)
        if size > limits.file_bytes:
            break
        entries.append(entry)
    return Representation(MEDIA_TYPE, "".join((_LIST_HEAD, *entries, _FOOT)).encode(), language)


def _entry_with_pictures(page: SitemapEntry, view: ContentView) -> str:
    """Return the entry of a page in the locale of the view, with its pictures."""
    dates = dict(page.variants)
    urls = map(xml_text, _pictures(view, page.address))
    pictures = (f"<image:image><image:loc>{url}</image:loc></image:image>" for url in urls)
    others = f"{_alternates(page, view.base_url)}{''.join(_lines(pictures))}"
    return _entry(view.base_url + view.locale.path + _path(page), dates[view.locale], others)


def _pictures(view: ContentView, address: Address) -> Iterator[str]:
    """Yield the URLs of the pictures that the front matter of a page names."""
    shown = resolve_route(view, address)
    if shown is None:
        return
    for name in shown.fields.images():
        path = view.picture(getattr(shown.fields, name), shown)
        url = view.absolute(path) if path else ""
        if url.startswith(("https://", "http://")):
            yield url


def _size(text: str) -> int:
    return len(text.encode())


def _urlset(
    pages: Sequence[SitemapEntry], unlocalized: Sequence[str], base_url: str
) -> Representation:
    entries = [*unlocalized]
    for page in pages:
        entries.extend(_entries(page, base_url))
    return Representation(MEDIA_TYPE, "".join((_HEAD, *entries, _FOOT)).encode())


def _unlocalized(site_map: SiteMap, base_url: str) -> Sequence[str]:
    """Return the entries of the pages outside the locales."""
    variants = ((tag, _url(base_url, path)) for tag, path in site_map.unlocalized_variants)
    alternates = _links(variants)
    return [_entry(_url(base_url, path), None, alternates) for path in site_map.unlocalized]


def _entries(page: SitemapEntry, base_url: str) -> Iterator[str]:
    path, alternates = _path(page), _alternates(page, base_url)
    for variant in page.variants:
        yield _entry(base_url + variant.locale.path + path, variant.updated_at, alternates)


def _entry(url: str, updated_at: datetime | None, alternates: str) -> str:
    lastmod = _lastmod(updated_at) if updated_at else ""
    return f"<url>\n<loc>{url}</loc>\n{lastmod}{alternates}</url>\n"


def _lastmod(updated_at: datetime) -> str:
    return f"<lastmod>{_in_utc(updated_at)}</lastmod>\n"


def _in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


_LASTMOD_BYTES = len(_lastmod(datetime(2026, 1, 1, tzinfo=UTC)))


def _alternates(page: SitemapEntry, base_url: str) -> str:
    path = _path(page)
    return _links((tag, f"{base_url}{locale.path}{path}") for tag, locale in page.hreflangs)


def _links(variants: Iterable[tuple[str, str]]) -> str:
    return "".join(_lines(_alternate(tag, url) for tag, url in variants))


def _alternate(tag: str, url: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{tag}" href="{url}"/>'


def _path_size(page: SitemapEntry) -> int:
    path = page.address.path
    return len(path) if _PLAIN(path) else _size(_path(page))


def _path(page: SitemapEntry) -> str:
    """Return the path below the locale, escaped for XML."""
    return escape(absolute("", page.address.path)) if page.address.path else ""


def _url(base_url: str, path: str) -> str:
    return escape(absolute(base_url, path))


def _lines(texts: Iterator[str]) -> Iterator[str]:
    return (f"{text}\n" for text in texts)


_TITLE = "# Sitemap\n"


class _ListedUrl(NamedTuple):
    """A URL, when its page changed, and its variants by their hreflang tags."""

    url: str
    updated_at: datetime | None
    alternates: Sequence[tuple[str, str]]


def render_form(
    site_map: SiteMap,
    base_url: str,
    media_type: MediaType,
    number: int | None = None,
    limits: SitemapLimits = DEFAULT_LIMITS,
) -> Representation | None:
    """Render `/sitemap.xml`, or with a number one of its parts; None if there is no such part."""
    parts = split(site_map, base_url, limits)
    if number is None and len(parts) > 1:
        urls = [absolute(base_url, part_path(each)) for each in range(1, len(parts) + 1)]
        if media_type is MediaType.JSON:
            return _json({"sitemaps": urls})
        return _markdown(f"- <{url}>\n" for url in urls)
    if number is not None and (len(parts) == 1 or not 1 <= number <= len(parts)):
        return None
    first = number is None or number == 1
    pages = parts[(number or 1) - 1]
    listed = (*(_unlocalized_urls(site_map, base_url) if first else ()), *_urls(pages, base_url))
    if media_type is MediaType.JSON:
        return _json({"pages": [_fields(each) for each in listed]})
    return _markdown(f"- <{each.url}>{_changed(each)}\n" for each in listed)


def _json(body: object) -> Representation:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Representation(MediaType.JSON, text.encode())


def _markdown(lines: Iterable[str]) -> Representation:
    text = f"{_TITLE}\n{''.join(lines)}"
    tokens = estimate_tokens(text)
    return Representation(f"{MediaType.MARKDOWN}; charset=utf-8", text.encode(), tokens=tokens)


def _fields(page: _ListedUrl) -> dict[str, object]:
    dated = {"updatedAt": _in_utc(page.updated_at)} if page.updated_at else {}
    variants = [{"hreflang": tag, "href": url} for tag, url in page.alternates]
    return {"url": page.url, **dated, "alternates": variants}


def _changed(page: _ListedUrl) -> str:
    return f", updated {page.updated_at:%Y-%m-%d}" if page.updated_at else ""


def _unlocalized_urls(site_map: SiteMap, base_url: str) -> Iterator[_ListedUrl]:
    variants = [(tag, absolute(base_url, path)) for tag, path in site_map.unlocalized_variants]
    for path in site_map.unlocalized:
        yield _ListedUrl(absolute(base_url, path), None, variants)


def _urls(pages: Iterable[SitemapEntry], base_url: str) -> Iterator[_ListedUrl]:
    for page in pages:
        path = absolute("", page.address.path) if page.address.path else ""
        variants = [(tag, f"{base_url}{locale.path}{path}") for tag, locale in page.hreflangs]
        for locale, updated_at in page.variants:
            yield _ListedUrl(f"{base_url}{locale.path}{path}", updated_at, variants)

"""Lines of an llms.txt: a link and a description of each page, sorted; unchanged ones are reused.

An edit makes only the lines of changed pages again, as all of them take seconds on a large site.
The lines of the locales that were asked for last are stored, up to a number of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from knowledge.addresses.addresses import Address, file_at
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.fields.content_types import CITY
from knowledge.fields.page_type import PageGroup
from knowledge.locales import cldr
from knowledge.locales.locale import Locale
from knowledge.markdown.inline import plain_text
from knowledge.resources.document_page import title_of
from knowledge.resources.seo import description_of, resolve_route
from knowledge.resources.site_chrome import brand
from knowledge.resources.site_map import SiteMap, SitemapEntry
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import translate
from renderers.markdown.context import link_text
from renderers.representation import MediaType, suffixed_path

_TITLE_CHARACTERS = 100
_DESCRIPTION_CHARACTERS = 160


class Link(NamedTuple):
    """A link that is not part of the content; `path` starts at the root of the site."""

    title: str
    path: str
    reason: str


def say(view: ContentView, message: str, /, **values: object) -> str:
    """Return a marked text in the view's language, with its placeholders filled."""
    return translate(message, view.locale.language, **values)


def guide_path(locale: Locale, number: int = 1) -> str:
    """Return the path of a locale's llms.txt, or of its continuation with this number.

    >>> from knowledge.locales.locale import ENGLISH
    >>> guide_path(ENGLISH), guide_path(ENGLISH, 2)
    ('/en/llms.txt', '/en/llms-2.txt')
    """
    suffix = "" if number == 1 else f"-{number}"
    return f"{locale.path}/llms{suffix}.txt"


def link_lines(view: ContentView, *links: Link) -> Iterator[str]:
    """Yield the lines of links whose titles and reasons are marked texts."""
    for link in links:
        yield line(view, say(view, link.title), link.path, say(view, link.reason))


def page_line(view: ContentView, entry: PageEntry, describe: bool) -> str:
    """Return the line of a page, with the author's description if `describe` is true."""
    title = one_line(entry.title, _TITLE_CHARACTERS)
    reason = _reason(view, entry, title)
    description = description_of(entry.resolved) if describe else None
    if description:
        reason = f"{reason}. {one_line(plain_text(description), _DESCRIPTION_CHARACTERS)}"
    path = suffixed_path(view.locale.path + entry.address.path, MediaType.MARKDOWN)
    return line(view, title, path, reason)


def locale_lines(view: ContentView, locales: Iterable[Locale]) -> Iterator[str]:
    """Yield the lines that link to the llms.txt of each locale."""
    for locale in locales:
        reason = (
            _("the reader's country is %(country)s and the language %(language)s")
            if locale.country
            else _("the reader's language is %(language)s")
        )
        why = say(view, reason, **_locale_names(view, locale))
        yield line(view, locale_name(view, locale), guide_path(locale), why)


def more_line(view: ContentView, headings: Iterable[str], path: str) -> str:
    """Return the line that links to the file with more pages under these headings."""
    title = say(view, _("More: %(headings)s"), headings=" / ".join(headings))
    return line(view, title, path, say(view, _("what you look for is not listed above")))


def locale_name(view: ContentView, locale: Locale) -> str:
    """Return the country and language of a locale, named in the view's language."""
    names = _locale_names(view, locale)
    return (
        say(view, _("%(country)s, %(language)s"), **names) if locale.country else names["language"]
    )


def site_name(view: ContentView) -> str:
    """Return the short name of the site; a very long one would leave no space for lines."""
    return one_line(brand(view), _TITLE_CHARACTERS)


def country_name(view: ContentView) -> str:
    """Return the name of the view's country in the view's language, `""` without a country."""
    country = view.locale.country
    return cldr.country_name(country, view.locale.language) if country else ""


def line(view: ContentView, title: str, path: str, reason: str) -> str:
    """Return the line of a link, with when to use it."""
    shown = link_text(one_line(title, _TITLE_CHARACTERS))
    use_when = say(view, _("use when"))
    return f"- [{shown}]({view.absolute(path)}): {use_when} {reason}"


def _reason(view: ContentView, entry: PageEntry, title: str) -> str:
    page, slug, _city = entry.address
    names = {"site": site_name(view), "country": country_name(view), "title": title}
    reason = page.reason if view.locale.country else page.reason_anywhere or page.reason
    return say(view, page.slug_reasons.get(slug, reason), **names)


def _locale_names(view: ContentView, locale: Locale) -> dict[str, str]:
    language = view.locale.language
    return {
        "country": cldr.country_name(locale.country, language) if locale.country else "",
        "language": cldr.language_name(locale.language, language),
    }


SortKey = tuple[tuple[PageGroup, int, str], float, float, str]


class PageEntry(NamedTuple):
    """A page of the index; `resolved` is None for a list page without a document."""

    address: Address
    title: str
    resolved: Resolved | None


def page_entry(view: ContentView, address: Address) -> PageEntry:
    """Return the page at an address as the index shows it."""
    resolved = resolve_route(view, address)
    return PageEntry(address, _title(view, address, resolved), resolved)


def _title(view: ContentView, address: Address, resolved: Resolved | None) -> str:
    """Return the title of a document, or a generic one for the home page and untitled lists."""
    page = address.page
    if page.is_list:
        title = resolved.pick(resolved.fields.title) if resolved and page.path else None
        return title or translate(page.index_title or page.title, view.locale.language)
    title = title_of(resolved) if resolved else address.slug
    if not page.in_city:
        return title
    city = view.resolve(CITY, address.city)
    return f"{title} ({city.pick(city.fields.name) or title_of(city)})" if city else title


def sort_key(entry: PageEntry) -> SortKey:
    """Sort by type of page, then posts by date, newest first, and other pages by sortOrder."""
    page, slug, city = entry.address
    if entry.resolved is None:
        return page.order, 0, 0, slug
    fields = entry.resolved.fields
    published_at = fields.published_at if page.by_date else None
    age = -published_at.timestamp() if published_at else 0
    order = 1_000_000 if fields.sort_order is None else fields.sort_order
    return page.order, age, order, slug or city


_MAX_KEPT = 250_000
_MAX_DESCRIBED_PAGES = 150
"""Descriptions are omitted if there are more pages than this, to fit more pages."""

_LOCK = Lock()
Made = TypeVar("Made")


class PageLine(NamedTuple):
    """A line, its page, and its place among the others."""

    page: SitemapEntry
    key: SortKey
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class PageLines:
    """The lines of the pages of one site map in one locale."""

    site_map: SiteMap
    names: tuple[str, ...] | None
    """The names of the site and the country, which are in all lines."""

    describe: bool
    """Whether lines have descriptions."""

    lines: Sequence[PageLine]
    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)

    @property
    def addresses(self) -> Iterator[Address]:
        """Iterate over the pages in the order of the lines."""
        return (line.page.address for line in self.lines)

    @property
    def groups(self) -> Iterator[tuple[PageGroup, tuple[str, ...]]]:
        """Iterate over the groups of pages, each with its lines."""
        for group, lines in groupby(self.lines, key=lambda line: line.key[0][0]):
            yield group, tuple(line.text for line in lines)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made of the lines; made once for each key."""
        if key not in self.cache:
            self.cache[key] = make()
        return cast(Made, self.cache[key])


def kept_locales(snapshot: Snapshot, base_url: str) -> Sequence[Locale]:
    """Return the locales whose lines are kept, as they have been asked for."""
    with _LOCK:
        kept = cast("dict[tuple[Locale, str], PageLines]", snapshot.kept.get(page_lines, {}))
        return [locale for locale, url in kept if url == base_url]


_NO_LINES = PageLines(SiteMap(()), None, False, ())


def page_lines(view: ContentView, site_map: SiteMap) -> PageLines:
    """Return the lines of the pages in the view's locale; `site_map` is of its snapshot."""
    with _LOCK:
        kept = cast("dict[Hashable, PageLines]", view.snapshot.kept.setdefault(page_lines, {}))
        key = (view.locale, view.base_url)
        lines = _next(view, site_map, kept.pop(key, _NO_LINES))
        kept[key] = lines
        while len(kept) > 1 and sum(len(each.lines) for each in kept.values()) > _MAX_KEPT:
            del kept[next(iter(kept))]
    return lines


def _next(view: ContentView, site_map: SiteMap, before: PageLines) -> PageLines:
    names = (site_name(view), country_name(view))
    if before.names != names:
        before = _NO_LINES
    if before.site_map is site_map:
        return before
    pages = {id(page): page for page in site_map.pages_in(view.locale)}
    describe = len(pages) <= _MAX_DESCRIBED_PAGES
    if before.describe != describe:
        before = _NO_LINES
    kept = [line for line in before.lines if id(line.page) in pages]
    lines = [*kept, *_made(view, _without(pages, kept), describe)]
    return PageLines(site_map, names, describe, sorted(lines, key=attrgetter("key")))


def _without(pages: Mapping[int, SitemapEntry], kept: Sequence[PageLine]) -> Sequence[SitemapEntry]:
    known = {id(line.page) for line in kept}
    return [page for number, page in pages.items() if number not in known]


def _made(view: ContentView, pages: Sequence[SitemapEntry], describe: bool) -> Iterator[PageLine]:
    """Yield the lines of pages, without those whose document cannot be shown."""

    def made(page: SitemapEntry) -> PageLine:
        entry = page_entry(view, page.address)
        return PageLine(page, sort_key(entry), page_line(view, entry, describe))

    path_of = partial(file_at, view.snapshot)
    return view.snapshot.left_out.each(pages, made, lambda page: path_of(page.address))

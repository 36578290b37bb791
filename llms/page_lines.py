"""Lines of an llms.txt: a link, a description and a date of each page, in sections of a file.

What holds for all pages of a type is said once, at the head of the file.

An edit makes only the lines of changed pages again, as all of them take seconds on a large site.
The lines of the locales that were asked for last are stored, up to a number of lines.

Each section gets a fair share of the first file: short sections are complete, and long sections
share the remaining space. The other lines follow in further files, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, groupby, takewhile
from operator import attrgetter
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from knowledge.addresses.addresses import Address, file_at
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.body import one_line
from knowledge.fields.content_types import CITY, FORM
from knowledge.fields.page_type import PageGroup, PageType
from knowledge.locales.locale import Locale
from knowledge.markdown.inline import plain_text
from knowledge.resources.blog import excerpt_of
from knowledge.resources.document_page import title_of
from knowledge.resources.forms import site_form
from knowledge.resources.own_values import own_values
from knowledge.resources.seo import description_of, resolve_route
from knowledge.resources.site_map import SiteMap, SitemapEntry
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.phrases import TITLE_CHARACTERS, country_name, line, say, site_name, use_when
from renderers.blocks.context import MarkdownContext, own_facts
from renderers.l10n.formats import local_moment
from renderers.representation import MediaType, suffixed_path

_DESCRIPTION_CHARACTERS = 160
_BEFORE_ELLIPSIS = " ,.;:،؛"
_MAX_KEPT = 250_000

_MAX_DESCRIBED_PAGES = 150
"""Descriptions are omitted if there are more pages than this, to fit more pages."""

_LOCK = Lock()
Made = TypeVar("Made")
SortKey = tuple[tuple[PageGroup, int, str], float, float, str]


class PageEntry(NamedTuple):
    """A page of the index; `resolved` is None for a list page without a document."""

    address: Address
    title: str
    resolved: Resolved | None


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

    @property
    def types(self) -> Iterator[tuple[PageGroup, Iterable[PageType]]]:
        """Iterate over the groups of pages, each with the types of its pages."""
        pages = dict.fromkeys(address.page for address in self.addresses)
        yield from groupby(pages, key=attrgetter("group"))

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what is made of the lines; made once for each key."""
        if key not in self.cache:
            self.cache[key] = make()
        return cast(Made, self.cache[key])


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
    known = {id(line.page) for line in kept}
    added = [page for number, page in pages.items() if number not in known]
    lines = [*kept, *_lines_of(view, added, describe)]
    return PageLines(site_map, names, describe, sorted(lines, key=attrgetter("key")))


def _lines_of(
    view: ContentView, pages: Sequence[SitemapEntry], describe: bool
) -> Iterator[PageLine]:
    """Yield the lines of pages, without those whose document cannot be shown."""

    def line_of(page: SitemapEntry) -> PageLine:
        entry = page_entry(view, page.address)
        return PageLine(page, sort_key(entry), page_line(view, entry, describe))

    path_of = partial(file_at, view.snapshot)
    return view.snapshot.left_out.each(pages, line_of, lambda page: path_of(page.address))


def kept_locales(snapshot: Snapshot, base_url: str) -> Sequence[Locale]:
    """Return the locales whose lines are kept, as they have been asked for."""
    with _LOCK:
        kept = cast("dict[tuple[Locale, str], PageLines]", snapshot.kept.get(page_lines, {}))
        return [locale for locale, url in kept if url == base_url]


def page_entry(view: ContentView, address: Address) -> PageEntry:
    """Return the page at an address as the index shows it."""
    resolved = resolve_route(view, address)
    return PageEntry(address, _title(view, address, resolved), resolved)


def _title(view: ContentView, address: Address, resolved: Resolved | None) -> str:
    """Return the title of a document, or a generic one for the home page and untitled lists."""
    page = address.page
    if page.is_list:
        title = resolved.pick(resolved.fields.title) if resolved and page.path else None
        return title or say(view, page.index_title or page.title)
    title = title_of(resolved) if resolved else address.slug
    if not page.in_city:
        return title
    city = view.resolve(CITY, address.city)
    return f"{title} ({city.pick(city.fields.name) or title_of(city)})" if city else title


def sort_key(entry: PageEntry) -> SortKey:
    """Sort by type of page, then posts by date, newest first, and other pages by sortOrder.

    Documents in folders are sorted by them.
    """
    page, slug, city = entry.address
    if page.is_nested:
        return page.order, 0, 0, slug.replace("/", "\0")
    if entry.resolved is None:
        return page.order, 0, 0, slug
    fields = entry.resolved.fields
    published_at = fields.published_at if page.by_date else None
    age = -published_at.timestamp() if published_at else 0
    order = 1_000_000 if fields.sort_order is None else fields.sort_order
    return page.order, age, order, slug or city


def page_line(view: ContentView, entry: PageEntry, describe: bool) -> str:
    """Return the line of a page: its own reason, the author's description and date of change.

    A line that would say nothing else has the description in any case, or how the text begins.
    """
    title = one_line(entry.title, TITLE_CHARACTERS)
    page, when = entry.address.page, _when(view, entry)
    # The titles of posts, and of lists of posts, say enough.
    is_plain = not describe or (page.by_date and not when) or page.needs_posts
    description = None if is_plain else _description(entry)
    reason = _own_reason(view, entry, title, description)
    if description and when:
        when = f"{description.removesuffix('.')}. {when}"
    text = ". ".join(filter(None, [reason, when or description]))
    told = " ".join(filter(None, [text, _date(view, entry)]))
    path = suffixed_path(view.locale.path + entry.address.path, MediaType.MARKDOWN)
    return line(view, title, path, told or _description(entry) or "")


def _when(view: ContentView, entry: PageEntry) -> str | None:
    """Return when an event begins and ends, with the labels of the fields."""
    kind = view.snapshot.kinds.by_name.get(entry.address.page.kind)
    if kind is None or not kind.has_calendar or entry.address.page.is_list or not entry.resolved:
        return None
    keys = (kind.declared.date, kind.declared.end_date)
    values = own_values(view, entry.resolved, [each for each in kind.fields if each.key in keys])
    facts = own_facts(values, MarkdownContext(view.locale, view.snapshot))
    told = (f"{fact.label}: {text.text}" for fact in facts for text in fact.texts)
    return say(view, _("; ")).join(told) or None


def _description(entry: PageEntry) -> str | None:
    """Return what the author says of a page, or else how its text begins."""
    description = description_of(entry.resolved)
    if not description and entry.resolved:
        description = excerpt_of(entry.resolved)
    if not description:
        return None
    cut = one_line(plain_text(description), _DESCRIPTION_CHARACTERS)
    return f"{cut[:-1].rstrip(_BEFORE_ELLIPSIS)}…" if cut.endswith("…") else cut


def _own_reason(
    view: ContentView, entry: PageEntry, title: str, description: str | None
) -> str | None:
    """Return when to read a page, if the head of the file does not say it for its whole type.

    A description tells more than the general reason of a well-known page.
    """
    page, slug, _city = entry.address
    form = site_form(view, slug) if entry.resolved and entry.resolved.entry.kind == FORM else None
    if form and form.wanted:
        return use_when(
            view, say(view, _("a person wants this: %(wish)s"), wish=say(view, form.wanted.noun))
        )
    reason = page.slug_reasons.get(slug)
    if reason is None and not page.shares_reason:
        reason = _reason(view, page)
    elif description:
        return None
    return reason and use_when(view, say(view, reason, title=title, **_names(view)))


def shared_reasons(view: ContentView, pages: Iterable[PageType]) -> Iterator[str]:
    """Yield the reasons of types of pages that stand on no line."""
    for page in pages:
        if page.shares_reason:
            yield say(view, _reason(view, page), **_names(view))


def _reason(view: ContentView, page: PageType) -> str:
    return page.reason if view.locale.country else page.reason_anywhere or page.reason


def _names(view: ContentView) -> dict[str, str]:
    return {"site": site_name(view), "country": country_name(view)}


def _date(view: ContentView, entry: PageEntry) -> str | None:
    """Return the day of the author's last change, if it is known and not in the future."""
    changed = entry.resolved.updated_at if entry.resolved else None
    if changed is None or changed > view.now:
        return None
    return f"{local_moment(changed, view.locale):%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class LlmsSection:
    """A level-2 heading and its lines; each line is one bullet."""

    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of the section, including the blank line before it."""
        return f"\n## {self.heading}\n\n" + "".join(f"{line}\n" for line in self.lines)

    def split(self, size: int) -> tuple[LlmsSection, LlmsSection]:
        """Split into the lines that fit into `size` characters, and the other lines."""
        end = self._end(0, size)
        return self._part(0, end), self._part(end, len(self.lines))

    def packed(self, remaining: int, size: int) -> Iterator[LlmsSection]:
        """Yield parts of at most `size` characters, the first one of at most `remaining`.

        Each line fits into a part; only the first part may be without lines.
        """
        start = self._end(0, remaining)
        yield self._part(0, start)
        while start < len(self.lines):
            end = self._end(start, size)
            yield self._part(start, end)
            start = end

    def _end(self, start: int, size: int) -> int:
        """Return the end of the lines that fit, from the line `start` on."""
        rest = map(self.lines.__getitem__, range(start, len(self.lines)))
        totals = accumulate((len(line) + 1 for line in rest), initial=self._heading_size)
        return start + max(sum(1 for _ in takewhile(lambda total: total <= size, totals)) - 1, 0)

    def _part(self, start: int, end: int) -> LlmsSection:
        return LlmsSection(self.heading, self.lines[start:end])

    def lines_up_to(self, size: int) -> LlmsSection:
        """Return the section with only those lines that would fit into `size` characters alone."""
        space = size - self._heading_size
        return LlmsSection(self.heading, tuple(line for line in self.lines if len(line) < space))

    @property
    def _heading_size(self) -> int:
        return len(LlmsSection(self.heading, ()).text)


def fit(sections: Sequence[LlmsSection], size: int) -> tuple[list[LlmsSection], list[LlmsSection]]:
    """Split the sections into what fits into a file of `size` characters, and the rest."""
    shares = fair_shares([len(section.text) for section in sections], size)
    parts = [section.split(share) for section, share in zip(sections, shares, strict=True)]
    return _non_empty(shown for shown, _ in parts), _non_empty(rest for _, rest in parts)


def pack(sections: Iterable[LlmsSection], size: int) -> Iterator[list[LlmsSection]]:
    """Yield the sections of each file in order; a file has at most `size` characters.

    A line that fits into no file is omitted.
    """
    file: list[LlmsSection] = []
    remaining = size
    for section in sections:
        for number, part in enumerate(section.lines_up_to(size).packed(remaining, size)):
            if number:
                yield file
                file, remaining = [], size
            if part.lines:
                file.append(part)
                remaining -= len(part.text)
    if file:
        yield file


def fair_shares(demands: Sequence[int], supply: int) -> list[int]:
    """Distribute a supply fairly: small demands are met, large ones get equal shares.

    >>> fair_shares([10, 500, 90], 200)
    [10, 100, 90]
    """
    shares = [0] * len(demands)
    smallest_first = sorted(range(len(demands)), key=lambda index: demands[index])
    for served, index in enumerate(smallest_first):
        shares[index] = min(demands[index], supply // (len(demands) - served))
        supply -= shares[index]
    return shares


def _non_empty(sections: Iterable[LlmsSection]) -> list[LlmsSection]:
    return [section for section in sections if section.lines]

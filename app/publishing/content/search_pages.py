"""The pages of a snapshot as the passage search indexes them.

All readers who see the same text of a page share its passages: a post of all countries is indexed
once. A text that is published for a time is indexed with that time, in advance too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from indexes.passages.passage import SearchPassage
from knowledge.addresses.addresses import (
    Address,
    entry_at,
    file_at,
    locales_of,
    page_of,
    parse_address,
)
from knowledge.diagnostics.messages import mark as _
from knowledge.edits import changed_keys, whole
from knowledge.fields.content_types import CITY, POST, TAG
from knowledge.fields.kinds import type_key
from knowledge.fields.page_type import PageType
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.markdown.inline import plain_text
from knowledge.resources.country_texts import (
    SHARED_TYPES,
    country_groups,
    read_types,
    reads_declared,
    referred_entries,
)
from knowledge.resources.listing import has_posts, is_listed, private_paths
from knowledge.resources.passages import Passage
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import DEVELOPERS, addresses_of, builtin_pages
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, price_currency
from renderers.l10n.translation import site_texts, translate
from renderers.markdown.passages import page_passages

VERSION = 5
"""To be raised with each change of how pages are cut, so that older indexes are not used."""

_WORD = re.compile(r"\w+")
_PLAN = re.compile(r"^### (.+)$", re.MULTILINE)
"""The heading of a plan among others."""

_DIGEST_BYTES = 8
_PATH = attrgetter("path")
_VersionsByType = Mapping[PageType, Mapping[str, str]]


def audience(locale: Locale) -> str:
    """Return the label of a locale's readers."""
    return locale.path.removeprefix("/")


def own_passages(view: ContentView, address: Address) -> Sequence[Passage]:
    """Return the passages of a page that are searched: not those that repeat other pages.

    A page that the sitemap does not list, such as a copy or one with `noIndex`, has none.
    """
    resolved = resolve_route(view, address)
    if resolved is not None and not is_listed(resolved, address):
        return ()
    return [passage for passage in page_passages(view, address) if not passage.is_listing]


class PassageKey(NamedTuple):
    """The key of a passage: its number among those of its page, and the digest of its text.

    `variant` keeps apart the same text at different times.
    """

    page: str
    number: int
    digest: str
    variant: int = 0

    def __str__(self) -> str:
        """Return the key as it is in the index."""
        return "#".join(map(str, self))

    @classmethod
    def parse(cls, key: str) -> PassageKey:
        """Return the key that a search found.

        >>> str(PassageKey.parse("/blog/stock#2#0a#1"))
        '/blog/stock#2#0a#1'
        """
        page, number, digest, variant = key.rsplit("#", 3)
        return cls(page, int(number), digest, int(variant))


class PassageText(NamedTuple):
    """The plain texts of a passage."""

    title: str
    headings: tuple[str, ...]
    body: str

    @property
    def digest(self) -> str:
        """Names the text."""
        return _digest(repr(self).encode())


def text_of(passage: Passage, view: ContentView) -> PassageText:
    """Return what is searched of a passage; prices are also found as such and by currency.

    What stands below the title alone is also found by the names of the page's declared kind.
    """
    # Without the locale in its links, a text is the same in all countries, and parsed once.
    page = passage.page
    body = plain_text(passage.text.replace(f"]({view.locale.path}/", "](/"))
    title = () if page.heading in page.title else (page.heading,)
    headings = (*title, *passage.headings)
    if passage.has_prices:
        currency = price_currency(view)
        body += f" {cldr.currency_name(currency, passage.language)}" if currency else ""
        plans = map(plain_text, _PLAN.findall(passage.text))
        with site_texts(view):
            headings = (*headings, translate(_("Prices"), passage.language), *plans)
    if page.address.page.kind and not passage.headings:
        headings = (*headings, *_kind_names(page.address.page, passage.language, view.snapshot))
    return PassageText(page.title, headings, body)


def _kind_names(page: PageType, language: Language, snapshot: Snapshot) -> Iterator[str]:
    """Yield what a declared kind is called; its name and its path are English words."""
    declared = snapshot.kinds.by_name[page.kind].declared
    for names in filter(None, (declared.singular, declared.plural)):
        yield names.get(language, "")
    if language is Language.EN:
        yield from _WORD.findall(f"{page.kind} {declared.path or ''}")


class _Phase(NamedTuple):
    """A period in which no document of a page is published or withdrawn."""

    start: datetime | None
    end: datetime | None

    def instant(self, now: datetime) -> datetime:
        """Return an instant of the phase, now if possible."""
        return self.start if self.start is not None and self.start > now else now


@dataclass(frozen=True, eq=False)
class SearchPages:
    """The pages to index, by path below the locale, as `indexes.passages.passage.Pages`."""

    snapshot: Snapshot
    now: datetime
    by_type: _VersionsByType
    versions: Mapping[str, str]
    """The version of each page: a digest of all that its passages depend on."""

    def passages(self, page: str) -> Sequence[SearchPassage]:
        """Return the passages of a page, for all readers and all times from now on."""
        address = parse_address(page, self.snapshot)
        if address is None:
            return ()
        made = self.snapshot.left_out.each(
            (address,), lambda each: tuple(self._passages(each)), partial(file_at, self.snapshot)
        )
        return next(made, ())

    def _passages(self, address: Address) -> Iterator[SearchPassage]:
        for variant, (found, readers) in enumerate(self._texts(address).items()):
            number, kind, text, phase = found
            yield SearchPassage(
                key=str(PassageKey(address.path, number, text.digest, variant)),
                page=address.path,
                kind=kind,
                audience=frozenset(map(audience, readers)),
                title=text.title,
                headings=text.headings,
                body=text.body,
                is_opening=number == 0,
                published_at=phase.start,
                unpublish_at=phase.end,
            )

    def _texts(self, address: Address) -> Mapping[_Found, set[Locale]]:
        """Return the texts of a page with the locales whose readers see them."""
        texts: dict[_Found, set[Locale]] = {}
        phases = _phases(sources(self.snapshot, address), self.now)
        for locales in _groups(self.snapshot, address):
            for found in self._found(address, locales[0], phases):
                texts.setdefault(found, set()).update(locales)
        return texts

    def _found(
        self, address: Address, locale: Locale, phases: Iterable[_Phase]
    ) -> Iterator[_Found]:
        """Yield the texts of a page in one locale; adjacent phases with equal ones are joined."""
        by_phase = ((phase, self._cut(address, locale, phase)) for phase in phases)
        for texts, group in groupby(by_phase, key=lambda pair: pair[1]):
            joined = [phase for phase, _ in group]
            phase = _Phase(joined[0].start, joined[-1].end)
            yield from (
                _Found(number, kind, text, phase) for number, (kind, text) in enumerate(texts)
            )

    def _cut(
        self, address: Address, locale: Locale, phase: _Phase
    ) -> Sequence[tuple[str, PassageText]]:
        view = ContentView(self.snapshot, locale, phase.instant(self.now), "")
        return [
            (passage.page.kind.singular, text_of(passage, view))
            for passage in own_passages(view, address)
        ]


class _Found(NamedTuple):
    """A text, its number among those of its page, and when it is published."""

    number: int
    kind: str
    text: PassageText
    phase: _Phase


def search_pages(
    snapshot: Snapshot, now: datetime, before: SearchPages | None = None
) -> SearchPages:
    """Return the pages of a snapshot; versions of `before` are reused for unchanged documents."""
    if before is not None and (
        before.snapshot.open != snapshot.open
        or before.snapshot.kinds is not snapshot.kinds
        or private_paths(before.snapshot) != private_paths(snapshot)
    ):
        before = None
    by_type = {page: _versions(snapshot, page, before) for page in snapshot.page_types.listed}
    versions = {DEVELOPERS.path: _manual_version(snapshot)}
    versions.update(chain.from_iterable(pages.items() for pages in by_type.values()))
    return SearchPages(snapshot, now, by_type, versions)


def _manual_version(snapshot: Snapshot) -> str:
    """Return the version of the manual of the API, which is no document."""
    readers = ",".join(sorted(map(audience, snapshot.open_locales)))
    return _digest(f"{VERSION} {readers} {builtin_pages(snapshot.locales)}".encode())


def _versions(snapshot: Snapshot, page: PageType, before: SearchPages | None) -> Mapping[str, str]:
    countries = ",".join(sorted(snapshot.open.countries))
    shown = filter(None, (*page.content_types, page.lists))
    kinds = ",".join(type_key(snapshot.content_types.named(kind.folder)) for kind in shown)
    head = f"{VERSION} {page.name} {kinds} {countries}{snapshot.kinds.version}".encode()
    if page == POST_PAGE and (tags := _named_tags(snapshot)):
        head += _version(b"", tags.values()).encode()
    entries_of = _entries_of(snapshot, page)

    def version(address: Address) -> str:
        return _version(head, entries_of(address))

    is_alone = page.is_direct and not reads_declared(snapshot, page)
    if before is None or not is_alone or _has_other_sources(snapshot, page, before):
        made = {address.path: version(address) for address in addresses_of(snapshot, (page,))}
        return before.by_type[page] if before and before.by_type[page] == made else made
    (kind,) = page.content_types
    entries = snapshot.entries.get(kind, {})
    changed = changed_keys(before.snapshot.entries.get(kind, {}), entries)
    addresses = [page_of(kind, slug, snapshot) for slug in changed & entries.keys()]
    new = {each.path: version(each) for each in addresses if each.page is page}
    versions = {**before.by_type[page], **new}
    gone = {page_of(kind, slug, snapshot).path for slug in changed if slug not in entries}
    return {path: versions[path] for path in versions if path not in gone} if gone else versions


def _has_other_sources(snapshot: Snapshot, page: PageType, before: SearchPages) -> bool:
    """Return whether documents were edited that pages of this type may show besides their own."""
    if page == POST_PAGE:
        return bool(changed_keys(_named_tags(before.snapshot), _named_tags(snapshot)))
    return any(
        changed_keys(before.snapshot.entries.get(kind, {}), snapshot.entries.get(kind, {}))
        for kind in SHARED_TYPES
    )


def _named_tags(snapshot: Snapshot) -> Mapping[str, Entry]:
    """Return the tags that files name, whose names the posts show."""
    tags = whole(snapshot.entries.get(TAG, {}))
    return {slug: tags[slug] for slug in tags if not tags[slug].is_named_only}


def _entries_of(snapshot: Snapshot, page: PageType) -> Callable[[Address], Iterable[Entry]]:
    """Return the function of the sources of a page of this type; for a post it is one look-up."""
    if page != POST_PAGE or reads_declared(snapshot, page):
        return partial(sources, snapshot)
    entries = whole(snapshot.entries.get(POST, {}))
    return lambda address: (entries[address.slug],)


def _version(head: bytes, entries: Iterable[Entry]) -> str:
    parts = [head]
    documents = [each for entry in entries for each in entry.documents]
    for document in sorted(documents, key=_PATH):
        parts += document.path.encode(errors="surrogatepass"), document.digest
    return _digest(b"\0".join(parts))


def sources(snapshot: Snapshot, address: Address) -> Iterator[Entry]:
    """Yield the entries on whose documents the searched text of a page depends."""
    entry = entry_at(snapshot, address)
    if entry is not None:
        yield entry
    city = snapshot.entry(CITY, address.city) if address.city else None
    if city is not None:
        yield city
    if entry is not None:
        yield from referred_entries(snapshot, entry)
    for kind in read_types(snapshot, address):
        yield from snapshot.all(kind)
    if address.page.is_list:
        yield from _without_pages(snapshot)


def _without_pages(snapshot: Snapshot) -> Iterator[Entry]:
    """Yield the entries that have no page, and are shown in lists."""
    kinds = (kind for kind in snapshot.entries if kind not in snapshot.page_types.by_content_type)
    return chain.from_iterable(map(snapshot.all, kinds))


def _phases(entries: Iterable[Entry], now: datetime) -> Sequence[_Phase]:
    """Return the phases that are not over."""
    documents = chain.from_iterable(entry.documents for entry in entries)
    fields = (document.fields for document in documents)
    moments = {moment for each in fields for moment in (each.published_at, each.unpublish_at)}
    changes = sorted(moment for moment in moments if moment is not None)
    phases = map(_Phase, (None, *changes), (*changes, None))
    return [phase for phase in phases if phase.end is None or phase.end > now]


def _groups(snapshot: Snapshot, address: Address) -> Iterator[Sequence[Locale]]:
    """Yield groups of locales that see the same text, in the other language too."""
    locales = locales_of(snapshot, address)
    groups: Iterable[Sequence[Country | None]] = country_groups(snapshot, address)
    if address.page.is_list:
        groups = [[country] for country in locales.audiences]  # a list may differ in each
    for group in groups:
        yield from (
            [Locale(country, language) for country in group] for language in locales.languages
        )


def is_shown(view: ContentView, address: Address) -> bool:
    """Return whether a page is listed now; one of a category needs a post."""
    return has_posts(view.snapshot, address, view.locale, view.now)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()

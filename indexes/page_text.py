"""Page texts: what is searched of each public page, for each audience that reads it differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from operator import attrgetter

from indexes.analysis import stems
from indexes.breath import TEXTS_A_BREATH, Breathe, hold_no_breath
from indexes.folding import fold
from indexes.vocabulary import Vocabulary
from knowledge.addresses import PAGES, Address, Page
from knowledge.changed_keys import changed_keys
from knowledge.content_path import ContentType
from knowledge.country_groups import group_countries
from knowledge.locale import Country, Language, Locale
from knowledge.resolution import Entry, is_published_at, resolve_uncached, visibility
from knowledge.resources.base import title_of
from knowledge.resources.site_map import is_listed, non_blog_pages
from knowledge.resources.summaries import summary_of
from knowledge.snapshot import NO_DOCUMENTS, Snapshot

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False, slots=True)
class PageText:
    """The folded title and excerpt of one page, as readers in some countries have them."""

    address: Address
    countries: frozenset[Country]
    title: str
    excerpt: str
    opens: datetime | None
    closes: datetime | None
    is_listed: bool

    def is_for(self, country: Country, now: datetime) -> bool:
        """Whether readers in a country have the page at that instant."""
        return country in self.countries and is_published_at(self.opens, self.closes, now)

    @property
    def order(self) -> tuple[bool, float, Address]:
        """Where it stands among equals: pages that do not age, then posts, newest first."""
        is_post = self.address.page is Page.POST
        age = -(self.opens or _LONG_AGO).timestamp() if is_post else 0.0
        return is_post, age, self.address

    def stems_of(self, vocabulary: Vocabulary) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """How often each stem stands in title and excerpt."""
        return Counter(stems(self.title, vocabulary)), Counter(stems(self.excerpt, vocabulary))


Texts = tuple[PageText, ...]
ByLanguage = Mapping[Language, Mapping[Address, Texts]]


@dataclass(frozen=True, eq=False, slots=True)
class Gathered:
    """The texts of a snapshot in both languages, page by page."""

    snapshot: Snapshot
    texts: ByLanguage

    def spoken(self, language: Language) -> Iterator[PageText]:
        """All texts of one language."""
        return chain.from_iterable(self.texts[language].values())


NOTHING = Gathered(NO_DOCUMENTS, {language: {} for language in Language})


def gather(
    snapshot: Snapshot, before: Gathered = NOTHING, breathe: Breathe = hold_no_breath
) -> Gathered:
    """The texts of all pages; what did not change keeps its text of `before`."""
    texts = {language: dict(before.texts[language]) for language in Language}
    for number, (address, entry) in enumerate(_changed(before.snapshot, snapshot)):
        for language in Language:
            found = _told(snapshot, entry, address, language) if entry else ()
            if found:
                texts[language][address] = found
            else:
                texts[language].pop(address, None)
        if number % TEXTS_A_BREATH == 0:
            breathe()
    return Gathered(snapshot, texts)


def _changed(before: Snapshot, snapshot: Snapshot) -> Iterator[tuple[Address, Entry | None]]:
    """The pages that show another document than before, and which; None where they are gone."""
    for kind in (ContentType.CATEGORY, ContentType.POST):
        entries = snapshot.entries.get(kind, {})
        for slug in changed_keys(before.entries.get(kind, {}), entries):
            yield Address(PAGES[kind], slug), entries.get(slug)
    old, new = non_blog_pages(before), non_blog_pages(snapshot)
    moved = changed_keys(before.cities, snapshot.cities)
    changed = changed_keys(old, new) | {address for address in new if address.city in moved}
    yield from ((address, new.get(address)) for address in changed)


def _told(snapshot: Snapshot, entry: Entry, address: Address, language: Language) -> Texts:
    """What `_spoken` gives; a page without a text to search is found by nobody."""
    found = snapshot.left_out.each(
        (entry,), lambda each: _spoken(snapshot, each, address, language), attrgetter("path")
    )
    return next(found, ())


def _spoken(snapshot: Snapshot, entry: Entry, address: Address, language: Language) -> Texts:
    """One text for all countries whose readers have the same one."""
    countries: Iterable[Country] = Country
    city = address.city or None
    if city:
        countries = (snapshot.cities[city],)
    groups = group_countries(entry, countries, city)
    found = (_text(entry, address, tuple(group), language) for group in groups)
    return tuple(text for text in found if text is not None)


def _text(
    entry: Entry, address: Address, countries: tuple[Country, ...], language: Language
) -> PageText | None:
    locale, city = Locale(countries[0], language), address.city or None
    seen = visibility(entry.covering(locale.country, city), locale.country, language)
    # Texts do not change with time: the instant it opens will do, and search asks the clock.
    resolved = resolve_uncached(entry, locale, seen.published_at or _LONG_AGO, city)
    if resolved is None or resolved.language is not language:
        return None
    return PageText(
        address=address,
        countries=_shared(countries),
        title=fold(title_of(resolved)),
        excerpt=fold(summary_of(resolved)),
        opens=seen.published_at,
        closes=seen.unpublish_at,
        is_listed=is_listed(resolved, address),
    )


@cache
def _shared(countries: tuple[Country, ...]) -> frozenset[Country]:
    """One set for all texts that have these countries."""
    return frozenset(countries)


def newest_first(texts: Iterable[PageText]) -> Texts:
    """The texts in the order that equals are shown in."""
    return tuple(sorted(texts, key=lambda text: text.order))

"""The searchable texts of each public page, one per language and group of countries."""

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
from knowledge.addresses import Address
from knowledge.changed_keys import changed_keys
from knowledge.country_groups import group_countries
from knowledge.layer_resolution import Entry, is_published_at, resolve_uncached, visibility
from knowledge.locale import Country, Language, Locale
from knowledge.page_type import PAGE_TYPES
from knowledge.resources.base import title_of
from knowledge.resources.site_map import enumerated_pages, is_listed
from knowledge.resources.summaries import summary_of
from knowledge.snapshot import NO_DOCUMENTS, Snapshot

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False, slots=True)
class PageText:
    """The folded title and excerpt of one page, in one language, for a group of countries."""

    address: Address
    countries: frozenset[Country | None]
    title: str
    excerpt: str
    opens: datetime | None
    closes: datetime | None
    is_listed: bool

    def is_for(self, country: Country | None, now: datetime) -> bool:
        """Return whether the page is published in a country at that time."""
        return country in self.countries and is_published_at(self.opens, self.closes, now)

    @property
    def order(self) -> tuple[bool, float, Address]:
        """The sort key for ties: other pages before posts, then posts newest first."""
        is_post = self.address.page.by_date
        age = -(self.opens or _LONG_AGO).timestamp() if is_post else 0.0
        return is_post, age, self.address

    def stems_of(self, vocabulary: Vocabulary) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the frequency of each stem in the title and in the excerpt."""
        return Counter(stems(self.title, vocabulary)), Counter(stems(self.excerpt, vocabulary))


Texts = tuple[PageText, ...]
ByLanguage = Mapping[Language, Mapping[Address, Texts]]


@dataclass(frozen=True, eq=False, slots=True)
class Gathered:
    """All texts of a snapshot, by language and address."""

    snapshot: Snapshot
    texts: ByLanguage

    def spoken(self, language: Language) -> Iterator[PageText]:
        """Iterate over all texts of one language."""
        return chain.from_iterable(self.texts[language].values())


NOTHING = Gathered(NO_DOCUMENTS, {language: {} for language in Language})


def gather(
    snapshot: Snapshot, before: Gathered = NOTHING, breathe: Breathe = hold_no_breath
) -> Gathered:
    """Return the texts of all pages; unchanged pages keep their texts of `before`."""
    if before.snapshot.locales != snapshot.locales:
        before = NOTHING
    texts = {language: dict(before.texts[language]) for language in Language}
    for number, (address, entry) in enumerate(_changed(before.snapshot, snapshot)):
        for language in Language:
            page_texts = _page_texts(snapshot, entry, address, language) if entry else ()
            if page_texts:
                texts[language][address] = page_texts
            else:
                texts[language].pop(address, None)
        if number % TEXTS_A_BREATH == 0:
            breathe()
    return Gathered(snapshot, texts)


def _changed(before: Snapshot, snapshot: Snapshot) -> Iterator[tuple[Address, Entry | None]]:
    """Yield the pages whose document changed, with the new document; None if it was removed."""
    for page in PAGE_TYPES.all:
        if page.is_direct:
            old_entries, entries = (
                each.entries.get(page.content_types[0], {}) for each in (before, snapshot)
            )
            for slug in changed_keys(old_entries, entries):
                yield Address(page, slug), entries.get(slug)
    old, new = enumerated_pages(before), enumerated_pages(snapshot)
    moved = changed_keys(before.cities, snapshot.cities)
    changed = changed_keys(old, new) | {address for address in new if address.city in moved}
    yield from ((address, new.get(address)) for address in sorted(changed))


def _page_texts(snapshot: Snapshot, entry: Entry, address: Address, language: Language) -> Texts:
    """Return the texts of a page; empty if building them fails, which leaves the page out."""
    built = snapshot.left_out.each(
        (entry,), lambda each: _build_texts(snapshot, each, address, language), attrgetter("path")
    )
    return next(built, ())


def _build_texts(snapshot: Snapshot, entry: Entry, address: Address, language: Language) -> Texts:
    """Return one text for each group of countries with the same version of the page."""
    countries: Iterable[Country | None] = snapshot.locales.audiences
    city = address.city or None
    if city:
        countries = (snapshot.cities[city],)
    groups = group_countries(entry, countries, city)
    texts = (_text(entry, address, tuple(group), language) for group in groups)
    return tuple(text for text in texts if text is not None)


def _text(
    entry: Entry, address: Address, countries: tuple[Country | None, ...], language: Language
) -> PageText | None:
    locale, city = Locale(countries[0], language), address.city or None
    window = visibility(entry.covering(locale.country, city), locale.country, language)
    # Texts do not depend on the time, so any published time works; searches check the clock.
    resolved = resolve_uncached(entry, locale, window.published_at or _LONG_AGO, city)
    if resolved is None or resolved.language is not language:
        return None
    return PageText(
        address=address,
        countries=_shared(countries),
        title=fold(title_of(resolved)),
        excerpt=fold(summary_of(resolved)),
        opens=window.published_at,
        closes=window.unpublish_at,
        is_listed=is_listed(resolved, address),
    )


@cache
def _shared(countries: tuple[Country | None, ...]) -> frozenset[Country | None]:
    """Return the same set object for all texts with these countries, to save memory."""
    return frozenset(countries)


def newest_first(texts: Iterable[PageText]) -> Texts:
    """Return the texts in the order in which ties are shown."""
    return tuple(sorted(texts, key=lambda text: text.order))

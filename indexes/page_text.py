"""Page texts: what is searched of each public page, for each audience that reads it differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from indexes.analysis import stems, words
from indexes.folding import fold
from indexes.vocabulary import Vocabulary
from knowledge.addresses import Address, Page, entry_at
from knowledge.audience import audience
from knowledge.locale import Country, Language, Locale
from knowledge.resolution import Entry, is_open, resolve, visibility
from knowledge.resources.base import title_of
from knowledge.resources.site_map import all_addresses, is_listed
from knowledge.resources.summaries import summary_of
from knowledge.snapshot import Snapshot

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False)
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
        return country in self.countries and is_open(self.opens, self.closes, now)

    @property
    def order(self) -> tuple[bool, float, Address]:
        """Where it stands among equals: pages that do not age, then posts, newest first."""
        is_post = self.address.page is Page.POST
        age = -(self.opens or _LONG_AGO).timestamp() if is_post else 0.0
        return is_post, age, self.address

    @cached_property
    def title_words(self) -> Mapping[str, int]:
        """How often each word stands in the title."""
        return Counter(words(self.title))

    @cached_property
    def excerpt_words(self) -> Mapping[str, int]:
        """How often each word stands in the excerpt."""
        return Counter(words(self.excerpt))

    def stems_of(self, vocabulary: Vocabulary) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """How often each stem stands in title and excerpt."""
        return Counter(stems(self.title, vocabulary)), Counter(stems(self.excerpt, vocabulary))


Texts = tuple[PageText, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Gathered:
    """The texts of a snapshot in both languages, and the entries they were taken from."""

    entries: Mapping[Address, Entry]
    texts: Mapping[Address, Mapping[Language, Texts]]

    def spoken(self, language: Language) -> Iterator[PageText]:
        """All texts of one language."""
        return (text for spoken in self.texts.values() for text in spoken[language])


NOTHING = Gathered({}, {})


def gather(snapshot: Snapshot, before: Gathered = NOTHING) -> Gathered:
    """The texts of all pages; what did not change keeps its text of `before`."""
    entries, texts = {}, {}
    for address in all_addresses(snapshot):
        entry = entry_at(snapshot, address)
        if entry is None:
            continue
        known = before.entries.get(address)
        unchanged = known is not None and known.documents == entry.documents
        entries[address] = entry
        texts[address] = before.texts[address] if unchanged else _texts(snapshot, entry, address)
    return Gathered(entries, texts)


def _texts(snapshot: Snapshot, entry: Entry, address: Address) -> Mapping[Language, Texts]:
    countries = tuple(Country)
    if address.city:
        countries = (snapshot.cities[address.city],)
    return {language: tuple(_spoken(entry, address, countries, language)) for language in Language}


def _spoken(
    entry: Entry, address: Address, countries: Iterable[Country], language: Language
) -> Iterator[PageText]:
    """One text for all countries whose readers have the same one."""
    city = address.city or None
    alike: dict[object, list[Country]] = {}
    for country in countries:
        alike.setdefault(audience(entry, country, city), []).append(country)
    for group in alike.values():
        seen = visibility(entry.covering(group[0], city), group[0], language)
        # Texts do not change with time: the instant it opens will do, and search asks the clock.
        resolved = resolve(entry, Locale(group[0], language), seen.published_at or _LONG_AGO, city)
        if resolved is not None and resolved.language is language:
            yield PageText(
                address=address,
                countries=frozenset(group),
                title=fold(title_of(resolved)),
                excerpt=fold(summary_of(resolved)),
                opens=seen.published_at,
                closes=seen.unpublish_at,
                is_listed=is_listed(resolved, address),
            )


def newest_first(texts: Iterable[PageText]) -> Texts:
    """The texts in the order that equals are shown in."""
    return tuple(sorted(texts, key=lambda text: text.order))

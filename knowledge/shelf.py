"""The shelf: the posts of one locale in reading order, newest first."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from sys import intern

from knowledge.content_path import slugify
from knowledge.country_groups import group_countries
from knowledge.locale import Country, Language, Locale
from knowledge.resolution import Entry, has_language, is_published_at, last_values, visibility

_UNDATED = datetime.min.replace(tzinfo=UTC)
_AGE = attrgetter("age_key")
_READING_ORDER = attrgetter("age_key", "slug")
_FEW = 50


@dataclass(frozen=True, eq=False, slots=True)
class Card:
    """What sorting and filtering need of a post, without parsing it."""

    entry: Entry
    slug: str
    age_key: float
    """Smaller for newer posts; undated ones come last."""

    published_at: datetime | None
    unpublish_at: datetime | None
    category: str
    tags: tuple[str, ...]
    """In the order of the alphabet, each once."""

    def is_published_at(self, now: datetime) -> bool:
        """Whether the post is there to read at that instant."""
        return is_published_at(self.published_at, self.unpublish_at, now)


Cards = Sequence[Card]
_Names = Callable[[Card], Iterable[str]]


@dataclass(frozen=True, eq=False, slots=True)
class Shelf:
    """All posts that speak to one locale, newest first, those of the future and the past too."""

    cards: Cards
    by_slug: Mapping[str, Card]
    by_tag: Mapping[str, Cards]
    by_category: Mapping[str, Cards]
    any_expire: bool

    def at(self, now: datetime) -> Cards:
        """The posts to be read at that instant, newest first."""
        due = self.cards[bisect_left(self.cards, -now.timestamp(), key=_AGE) :]
        if not self.any_expire:
            return due
        return [card for card in due if card.is_published_at(now)]

    def neighbours(self, card: Card, now: datetime) -> tuple[Card | None, Card | None]:
        """The next older post to be read at that instant, and the next newer one."""
        place = bisect_left(self.cards, _READING_ORDER(card), key=_READING_ORDER)
        older = (self.cards[at] for at in range(place + 1, len(self.cards)))
        newer = (self.cards[at] for at in range(place - 1, -1, -1))
        return _first_open(older, now), _first_open(newer, now)

    def exchanged(self, gone: Iterable[str], fresh: Collection[Card]) -> Shelf:
        """The shelf with these cards in place of the posts of those slugs."""
        lost = [self.by_slug[slug] for slug in gone if slug in self.by_slug]
        if not lost and not fresh:
            return self
        by_slug = {**self.by_slug, **{card.slug: card for card in fresh}}
        for slug in {card.slug for card in lost} - {card.slug for card in fresh}:
            del by_slug[slug]
        return Shelf(
            _exchanged(self.cards, lost, fresh),
            by_slug,
            _refiled(self.by_tag, _tags, lost, fresh),
            _refiled(self.by_category, _categories, lost, fresh),
            self.any_expire or _any_expire(fresh),
        )


def make_shelf(cards: Iterable[Card]) -> Shelf:
    """Sort cards and file them; the instant is left to `Shelf.at`."""
    ordered = sorted(cards, key=_READING_ORDER)
    return Shelf(
        ordered,
        {card.slug: card for card in ordered},
        _filed(ordered, _tags),
        _filed(ordered, _categories),
        _any_expire(ordered),
    )


def cards_of(
    entry: Entry, language: Language, countries: Iterable[Country]
) -> Iterator[tuple[Country, Card]]:
    """A post as readers of each country have it in a language, where it speaks to them.

    Countries whose readers have the same version share a card.
    """
    for group in group_countries(entry, countries):
        card = _card(entry, Locale(group[0], language))
        if card is not None:
            yield from ((country, card) for country in group)


def _card(entry: Entry, locale: Locale) -> Card | None:
    covering = entry.covering(locale.country)
    own = [each for each in covering if each.layer.matches_language(locale.language)]
    seen = visibility(own, locale.country, locale.language)
    if seen.hidden or not has_language(own, locale.language):
        return None
    metadata = last_values([each.metadata for each in own], ("category", "tags"))
    return Card(
        entry,
        entry.slug,
        -(seen.published_at or _UNDATED).timestamp(),
        seen.published_at,
        seen.unpublish_at,
        # Many posts share them: each is kept once.
        intern(slugify(metadata.get("category") or "")),
        tuple(sorted({intern(tag.lower()) for tag in metadata.get("tags", ())})),
    )


def _tags(card: Card) -> Iterable[str]:
    return card.tags


def _categories(card: Card) -> Iterable[str]:
    return (card.category,)


def _any_expire(cards: Iterable[Card]) -> bool:
    return any(card.unpublish_at for card in cards)


def _first_open(cards: Iterable[Card], now: datetime) -> Card | None:
    return next((card for card in cards if card.is_published_at(now)), None)


def _filed(cards: Iterable[Card], names: _Names) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {}
    for card in cards:
        for name in names(card):
            found.setdefault(name, []).append(card)
    return found


def _refiled(
    filed: Mapping[str, Cards], names: _Names, lost: Collection[Card], fresh: Collection[Card]
) -> Mapping[str, Cards]:
    left, came = _filed(lost, names), _filed(fresh, names)
    files = dict(filed)
    for name in left.keys() | came.keys():
        cards = _exchanged(files.pop(name, ()), left.get(name, ()), came.get(name, ()))
        if cards:
            files[name] = cards
    return files


def _exchanged(cards: Cards, lost: Collection[Card], fresh: Collection[Card]) -> Cards:
    """The cards in their order without those lost; a few are looked up rather than looked for."""
    if len(lost) + len(fresh) > _FEW:
        gone = set(lost)
        kept = [card for card in cards if card not in gone]
        return sorted((*kept, *fresh), key=_READING_ORDER)
    changed = list(cards)
    for card in lost:
        del changed[bisect_left(changed, _READING_ORDER(card), key=_READING_ORDER)]
    for card in fresh:
        insort(changed, card, key=_READING_ORDER)
    return changed

"""The shelf: the posts of one locale in reading order, newest first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from knowledge.locale import Locale
from knowledge.names import slugify
from knowledge.resolution import Entry, fold, is_open, speaks, visibility

_UNDATED = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False, slots=True)
class Card:
    """What sorting and filtering need of a post, without parsing it."""

    entry: Entry
    published_at: datetime | None
    unpublish_at: datetime | None
    category: str
    tags: frozenset[str]

    @property
    def age_key(self) -> float:
        """Smaller for newer posts; undated ones come last."""
        return -(self.published_at or _UNDATED).timestamp()

    def is_open(self, now: datetime) -> bool:
        """Whether the post is there to read at that instant."""
        return is_open(self.published_at, self.unpublish_at, now)


@dataclass(frozen=True, eq=False)
class Shelf:
    """All posts that speak to one locale, those of the future and the past too."""

    cards: Sequence[Card]

    @cached_property
    def _any_expire(self) -> bool:
        return any(card.unpublish_at for card in self.cards)

    def at(self, now: datetime) -> Sequence[Card]:
        """The posts to be read at that instant, newest first."""
        due = self.cards[bisect_left(self.cards, -now.timestamp(), key=_age) :]
        if not self._any_expire:
            return due
        return [card for card in due if card.is_open(now)]

    @cached_property
    def by_slug(self) -> Mapping[str, Card]:
        """Each post by its slug."""
        return {card.entry.slug: card for card in self.cards}

    @cached_property
    def by_tag(self) -> Mapping[str, Sequence[Card]]:
        """The posts that carry each tag, newest first."""
        tagged: dict[str, list[Card]] = {}
        for card in self.cards:
            for tag in card.tags:
                tagged.setdefault(tag, []).append(card)
        return tagged

    @cached_property
    def by_category(self) -> Mapping[str, Sequence[Card]]:
        """The posts of each category slug, newest first."""
        filed: dict[str, list[Card]] = {}
        for card in self.cards:
            filed.setdefault(card.category, []).append(card)
        return filed


def _age(card: Card) -> float:
    return card.age_key


def make_shelf(entries: Iterable[Entry], locale: Locale) -> Shelf:
    """Choose and sort the posts of a locale; the instant is left to `Shelf.at`."""
    cards = (_card(entry, locale) for entry in entries)
    chosen = [card for card in cards if card is not None]
    return Shelf(sorted(chosen, key=lambda card: (card.age_key, card.entry.slug)))


def _card(entry: Entry, locale: Locale) -> Card | None:
    covering = entry.covering(locale.country)
    own = [each for each in covering if each.layer.speaks(locale.language)]
    seen = visibility(own, locale.country, locale.language)
    if seen.barred or not speaks(own, locale.language):
        return None
    metadata: Mapping[str, Any] = (
        own[0].metadata if len(own) == 1 else fold(each.metadata for each in own)
    )
    return Card(
        entry,
        seen.published_at,
        seen.unpublish_at,
        slugify(metadata.get("category") or ""),
        frozenset(tag.lower() for tag in metadata.get("tags", ())),
    )

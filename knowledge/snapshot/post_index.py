"""The post index: the posts of one locale, newest first, with lookups by slug, tag and category."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from heapq import merge as merge_sorted
from itertools import chain, filterfalse
from operator import attrgetter
from sys import intern
from typing import TypeVar

from msgspec import Struct

from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import AUTHOR, TAG, AnyContentType
from knowledge.fields.merging import merge
from knowledge.locales.locale import Country, Language, Locale
from knowledge.snapshot.layer_resolution import (
    Entry,
    group_countries,
    has_language,
    is_hidden,
    is_published_at,
)
from knowledge.snapshot.named_terms import author_slug, category_slug, tag_slug

_UNDATED = datetime.min.replace(tzinfo=UTC)
_BY_AGE = attrgetter("age_key")
_MAX_BISECTED = 50

Tags = tuple[str, ...]
"""The slugs of the tags of a post, sorted."""


class PostRecord(Struct, frozen=True, eq=False, gc=False):
    """The data for sorting and filtering a post, without parsing its body.

    A struct is made in a seventh of the time of a dataclass.
    """

    slug: str
    age_key: float
    """Smaller for newer posts; undated posts sort last."""

    published_at: datetime | None
    unpublish_at: datetime | None
    categories: tuple[str, ...]
    """The slugs of the categories, the main one first."""

    tags: Tags

    authors: tuple[str, ...]
    """The slugs of the authors."""

    series: str
    """The slug of the series, `""` without one."""

    order: int | None
    """The place in its series."""

    @property
    def place(self) -> tuple[object, ...]:
        """What decides in which lists the post stands, and where."""
        terms = (self.categories, self.tags, self.authors, self.series, self.order)
        return self.age_key, self.published_at, self.unpublish_at, *terms

    def is_published_at(self, now: datetime) -> bool:
        """Return whether the post is published at that instant."""
        return is_published_at(self.published_at, self.unpublish_at, now)

    def is_placed_as(self, others: Mapping[str, PostRecord]) -> bool:
        """Return whether the record of the same slug has the same place."""
        other = others.get(self.slug)
        return other is not None and other.place == self.place

    def has_term(self, kind: AnyContentType, slug: str) -> bool:
        """Return whether the post has a category, tag or author."""
        if kind is AUTHOR:
            return slug in self.authors
        return slug in (self.tags if kind is TAG else self.categories)


PostRecords = Sequence[PostRecord]
Name = TypeVar("Name", bound=Hashable)
Named = TypeVar("Named")


_SORT_KEY = attrgetter("age_key", "slug")
_END = attrgetter("unpublish_at")
_tags: Callable[[PostRecord], Iterable[str]] = attrgetter("tags")
_categories: Callable[[PostRecord], Iterable[str]] = attrgetter("categories")
_authors: Callable[[PostRecord], Iterable[str]] = attrgetter("authors")


@dataclass(frozen=True, eq=False)
class PostIndex:
    """All posts of one locale, newest first, including scheduled and withdrawn ones."""

    records: PostRecords
    by_slug: Mapping[str, PostRecord]
    by_tag: Mapping[str, PostRecords]
    by_category: Mapping[str, PostRecords]
    by_author: Mapping[str, PostRecords]
    by_series: Mapping[str, PostRecords]
    by_tags: Mapping[Tags, PostRecords]
    """The posts with exactly these tags."""

    @cached_property
    def tag_sets(self) -> Mapping[str, AbstractSet[Tags]]:
        """Which combinations of tags posts have, by each of their tags.

        They are far fewer than the posts, of which the most similar ones are found by them.
        """
        tag_sets: defaultdict[str, set[Tags]] = defaultdict(set)
        for tags in self.by_tags:
            for tag in tags:
                tag_sets[tag].add(tags)
        return tag_sets

    @cached_property
    def expiring(self) -> PostRecords:
        """The posts that have an end, those that end first first."""
        return sorted(filter(_END, self.records), key=_END)

    def at(self, now: datetime) -> PostRecords:
        """Return the posts published at that instant, newest first."""
        return self._published(self.records, now)

    def of_term_at(self, kind: AnyContentType, slug: str, now: datetime) -> PostRecords:
        """Return the posts of a category, tag or author published at that instant."""
        return self._published(self.of_term(kind, slug), now)

    def among_at(self, slugs: Iterable[str], now: datetime) -> PostRecords:
        """Return the posts of some slugs published at that instant, in the order of the slugs."""
        records = filter(None, map(self.by_slug.get, slugs))
        scheduled = self.records[: _first_due(self.records, now)]
        return _without({*scheduled, *self._withdrawn(now)}, records)

    def _published(self, records: PostRecords, now: datetime) -> PostRecords:
        due, withdrawn = records[_first_due(records, now) :], self._withdrawn(now)
        return _without({*withdrawn}, due) if withdrawn else due

    def _withdrawn(self, now: datetime) -> PostRecords:
        return self.expiring[: bisect_right(self.expiring, now, key=_END)]

    def around(self, record: PostRecord) -> tuple[Iterator[PostRecord], Iterator[PostRecord]]:
        """Return the posts from one on to the oldest, and to the newest."""
        position = bisect_left(self.records, _SORT_KEY(record), key=_SORT_KEY)
        older = (self.records[index] for index in range(position + 1, len(self.records)))
        newer = (self.records[index] for index in range(position - 1, -1, -1))
        return older, newer

    def sharing_tags(self, record: PostRecord) -> Iterator[PostRecord]:
        """Yield the other posts with a tag of one: those that share the most, newest first."""

        def order(other: PostRecord) -> tuple[float, int, str]:
            first = next(place for place, tag in enumerate(record.tags) if tag in other.tags)
            return other.age_key, first, other.slug

        shared = Counter(chain.from_iterable(self.tag_sets.get(tag, ()) for tag in record.tags))
        by_count: defaultdict[int, list[PostRecords]] = defaultdict(list)
        for tags, count in shared.items():
            by_count[count].append(self.by_tags[tags])
        for count in sorted(by_count, reverse=True):
            records = merge_sorted(*by_count[count], key=order)
            yield from (other for other in records if other is not record)

    def of_term(self, kind: AnyContentType, slug: str) -> PostRecords:
        """Return all posts of a category, tag or author, newest first."""
        if kind is AUTHOR:
            return self.by_author.get(slug, ())
        return (self.by_tag if kind is TAG else self.by_category).get(slug, ())

    def updated(self, removed_slugs: Iterable[str], added: Collection[PostRecord]) -> PostIndex:
        """Return a new index without the posts of some slugs and with added records.

        It is the same if no post has another place: most edits are of texts.
        """
        same = {record.slug for record in added if record.is_placed_as(self.by_slug)}
        added = [record for record in added if record.slug not in same]
        slugs = (slug for slug in removed_slugs if slug in self.by_slug and slug not in same)
        removed = [self.by_slug[slug] for slug in slugs]
        if not removed and not added:
            return self
        by_slug = {**self.by_slug, **{record.slug: record for record in added}}
        for slug in {record.slug for record in removed} - {record.slug for record in added}:
            del by_slug[slug]
        return PostIndex(
            _updated(self.records, removed, added),
            by_slug,
            _reindexed(self.by_tag, _tags, removed, added),
            _reindexed(self.by_category, _categories, removed, added),
            _reindexed(self.by_author, _authors, removed, added),
            _reindexed(self.by_series, _series, removed, added),
            _reindexed(self.by_tags, _tag_set, removed, added),
        )


def build_post_index(records: Iterable[PostRecord]) -> PostIndex:
    """Sort and index records; `PostIndex.at` filters them by instant."""
    ordered = sorted(records, key=_SORT_KEY)
    return PostIndex(
        ordered,
        {record.slug: record for record in ordered},
        _indexed(ordered, _tags),
        _indexed(ordered, _categories),
        _indexed(ordered, _authors),
        _indexed(ordered, _series),
        _indexed(ordered, _tag_set),
    )


def records_of(
    entry: Entry[PostFields], language: Language, countries: Iterable[Country | None]
) -> Iterator[tuple[Country | None, PostRecord]]:
    """Yield the record of a post for each country in which it has a text in that language.

    Countries whose readers see the same version share a record.
    """
    for group in group_countries(entry, countries):
        record = record_of(entry, Locale(group[0], language))
        if record is not None:
            yield from ((country, record) for country in group)


def record_of(entry: Entry[PostFields], locale: Locale) -> PostRecord | None:
    """Return the record of a post for the readers of a locale, None if they have no text of it."""
    covering = entry.covering(locale.country)
    documents = [each for each in covering if each.layer.matches_language(locale.language)]
    if not has_language(documents, locale.language):
        return None
    layers = [each.fields for each in documents]
    fields = merge(layers)
    if is_hidden(layers, fields, locale.country):
        return None
    return PostRecord(
        entry.slug,
        -(fields.published_at or _UNDATED).timestamp(),
        fields.published_at,
        fields.unpublish_at,
        _slugs(category_slug, fields.all_categories),
        tuple(sorted(_slugs(tag_slug, fields.tags))),
        _slugs(author_slug, fields.authors),
        intern(category_slug(fields.series or "")),
        fields.sort_order,
    )


def _slugs(slug_of: Callable[[Named], str], named: Iterable[Named] | None) -> tuple[str, ...]:
    """Return different slugs; interned to save memory, because many posts share them."""
    return tuple(dict.fromkeys(map(intern, filter(None, map(slug_of, named))))) if named else ()


def _tag_set(record: PostRecord) -> Iterable[Tags]:
    return (record.tags,) if record.tags else ()


def _series(record: PostRecord) -> Iterable[str]:
    return (record.series,) if record.series else ()


def _first_due(records: PostRecords, now: datetime) -> int:
    """Return the number of posts that are published later; they come first."""
    return bisect_left(records, -now.timestamp(), key=_BY_AGE)


def _without(hidden: Collection[PostRecord], records: Iterable[PostRecord]) -> PostRecords:
    """Return records without some; without a loop in Python, as there may be many."""
    return list(filterfalse(hidden.__contains__, records))


def _indexed(
    records: Collection[PostRecord], names: Callable[[PostRecord], Iterable[Name]]
) -> dict[Name, list[PostRecord]]:
    by_name: defaultdict[Name, list[PostRecord]] = defaultdict(list)
    for record, of_record in zip(records, map(names, records), strict=True):
        for name in of_record:
            by_name[name].append(record)
    return dict(by_name)


def _reindexed(
    indexed: Mapping[Name, PostRecords],
    names: Callable[[PostRecord], Iterable[Name]],
    removed: Collection[PostRecord],
    added: Collection[PostRecord],
) -> Mapping[Name, PostRecords]:
    removed_by_name, added_by_name = _indexed(removed, names), _indexed(added, names)
    reindexed = dict(indexed)
    for name in removed_by_name.keys() | added_by_name.keys():
        records = _updated(
            reindexed.pop(name, ()), removed_by_name.get(name, ()), added_by_name.get(name, ())
        )
        if records:
            reindexed[name] = records
    return reindexed


def _updated(
    records: PostRecords, removed: Collection[PostRecord], added: Collection[PostRecord]
) -> PostRecords:
    """Remove and add records, keeping the order; a few changes are bisected, more are sorted."""
    if len(removed) + len(added) > _MAX_BISECTED:
        return sorted((*_without(set(removed), records), *added), key=_SORT_KEY)
    updated = list(records)
    for record in removed:
        del updated[bisect_left(updated, _SORT_KEY(record), key=_SORT_KEY)]
    for record in added:
        insort(updated, record, key=_SORT_KEY)
    return updated

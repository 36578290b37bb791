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
_MAX_BISECTED = 50


@dataclass(frozen=True, eq=False, slots=True)
class PostRecord:
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


PostRecords = Sequence[PostRecord]
_Names = Callable[[PostRecord], Iterable[str]]


@dataclass(frozen=True, eq=False, slots=True)
class PostIndex:
    """All posts that speak to one locale, newest first, those of the future and the past too."""

    records: PostRecords
    by_slug: Mapping[str, PostRecord]
    by_tag: Mapping[str, PostRecords]
    by_category: Mapping[str, PostRecords]
    has_expiring: bool

    def at(self, now: datetime) -> PostRecords:
        """The posts to be read at that instant, newest first."""
        due = self.records[bisect_left(self.records, -now.timestamp(), key=_AGE) :]
        if not self.has_expiring:
            return due
        return [record for record in due if record.is_published_at(now)]

    def previous_and_next(
        self, record: PostRecord, now: datetime
    ) -> tuple[PostRecord | None, PostRecord | None]:
        """The next older post to be read at that instant, and the next newer one."""
        place = bisect_left(self.records, _READING_ORDER(record), key=_READING_ORDER)
        older = (self.records[at] for at in range(place + 1, len(self.records)))
        newer = (self.records[at] for at in range(place - 1, -1, -1))
        return _first_published(older, now), _first_published(newer, now)

    def updated(self, gone: Iterable[str], fresh: Collection[PostRecord]) -> PostIndex:
        """The shelf with these cards in place of the posts of those slugs."""
        lost = [self.by_slug[slug] for slug in gone if slug in self.by_slug]
        if not lost and not fresh:
            return self
        by_slug = {**self.by_slug, **{record.slug: record for record in fresh}}
        for slug in {record.slug for record in lost} - {record.slug for record in fresh}:
            del by_slug[slug]
        return PostIndex(
            _updated(self.records, lost, fresh),
            by_slug,
            _reindexed(self.by_tag, _tags, lost, fresh),
            _reindexed(self.by_category, _categories, lost, fresh),
            self.has_expiring or _has_expiring(fresh),
        )


def build_post_index(records: Iterable[PostRecord]) -> PostIndex:
    """Sort cards and file them; the instant is left to `PostIndex.at`."""
    ordered = sorted(records, key=_READING_ORDER)
    return PostIndex(
        ordered,
        {record.slug: record for record in ordered},
        _indexed(ordered, _tags),
        _indexed(ordered, _categories),
        _has_expiring(ordered),
    )


def records_of(
    entry: Entry, language: Language, countries: Iterable[Country]
) -> Iterator[tuple[Country, PostRecord]]:
    """A post as readers of each country have it in a language, where it speaks to them.

    Countries whose readers have the same version share a card.
    """
    for group in group_countries(entry, countries):
        record = _record(entry, Locale(group[0], language))
        if record is not None:
            yield from ((country, record) for country in group)


def _record(entry: Entry, locale: Locale) -> PostRecord | None:
    covering = entry.covering(locale.country)
    own = [each for each in covering if each.layer.matches_language(locale.language)]
    seen = visibility(own, locale.country, locale.language)
    if seen.hidden or not has_language(own, locale.language):
        return None
    metadata = last_values([each.metadata for each in own], ("category", "tags"))
    return PostRecord(
        entry,
        entry.slug,
        -(seen.published_at or _UNDATED).timestamp(),
        seen.published_at,
        seen.unpublish_at,
        # Many posts share them: each is kept once.
        intern(slugify(metadata.get("category") or "")),
        tuple(sorted({intern(tag.lower()) for tag in metadata.get("tags", ())})),
    )


def _tags(record: PostRecord) -> Iterable[str]:
    return record.tags


def _categories(record: PostRecord) -> Iterable[str]:
    return (record.category,)


def _has_expiring(records: Iterable[PostRecord]) -> bool:
    return any(record.unpublish_at for record in records)


def _first_published(records: Iterable[PostRecord], now: datetime) -> PostRecord | None:
    return next((record for record in records if record.is_published_at(now)), None)


def _indexed(records: Iterable[PostRecord], names: _Names) -> dict[str, list[PostRecord]]:
    found: dict[str, list[PostRecord]] = {}
    for record in records:
        for name in names(record):
            found.setdefault(name, []).append(record)
    return found


def _reindexed(
    indexed: Mapping[str, PostRecords],
    names: _Names,
    lost: Collection[PostRecord],
    fresh: Collection[PostRecord],
) -> Mapping[str, PostRecords]:
    left, came = _indexed(lost, names), _indexed(fresh, names)
    files = dict(indexed)
    for name in left.keys() | came.keys():
        records = _updated(files.pop(name, ()), left.get(name, ()), came.get(name, ()))
        if records:
            files[name] = records
    return files


def _updated(
    records: PostRecords, lost: Collection[PostRecord], fresh: Collection[PostRecord]
) -> PostRecords:
    """The cards in their order without those lost; a few are looked up rather than looked for."""
    if len(lost) + len(fresh) > _MAX_BISECTED:
        gone = set(lost)
        kept = [record for record in records if record not in gone]
        return sorted((*kept, *fresh), key=_READING_ORDER)
    changed = list(records)
    for record in lost:
        del changed[bisect_left(changed, _READING_ORDER(record), key=_READING_ORDER)]
    for record in fresh:
        insort(changed, record, key=_READING_ORDER)
    return changed

"""The effects of an edit or of the schedule: the keys whose readers read something else after it.

A change of what all pages show touches everything: documents of `site/`, countries, redirect
rules, templates, the stylesheet, lists of authors and of words. So do thousands of
documents at once.

`Edits` are those of a content store: which keys they touched, so that what else was made is kept.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import ClassVar

from knowledge.addresses.link_index import LINKS, moves_links
from knowledge.documents.images import ASSET
from knowledge.edits import ALL, EDITION, EMPTINESS, Key, SharedResult, changed_keys, whole
from knowledge.fields.content_types import (
    AUTHOR,
    CATEGORY,
    COUNTRY,
    POST,
    SITE,
    TAG,
    AnyContentType,
)
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import former_slug, former_term_slug
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.loading import LoadedContent
from knowledge.snapshot.old_addresses import Claims
from knowledge.snapshot.post_index import PostIndex, PostRecord
from knowledge.snapshot.post_indexes import (
    BUILT,
    NEIGHBOURS,
    ORDER,
    PLACE,
    SERIES,
    PostIndexesByLocale,
    posts_key,
)
from knowledge.snapshot.snapshot import (
    CITY_COUNTRY,
    FILE,
    FORMER_SLUG,
    OLD_ADDRESS,
    Snapshot,
    former_category,
)
from knowledge.views.content_view import SharedResultKey

MAX_ENTRIES = 1_000
"""A change of more documents touches everything: it takes longer to tell what it does not touch."""

ChangedEntries = Mapping[tuple[AnyContentType, str], tuple[Entry | None, Entry | None]]
"""The entries before and after, by type and slug."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a change touches; with `everything`, the keys do not matter."""

    keys: frozenset[Key] = frozenset({EDITION})
    everything: bool = False


EVERYTHING = Touched(everything=True)
INDEXES = Touched()
"""What new search indexes of the same content touch."""


def touched(before: LoadedContent, after: LoadedContent) -> Touched:
    """Return what differs between two loads of the content folder."""
    old, new = before.snapshot, after.snapshot
    if before.word_lists != after.word_lists or _site(old) != _site(new):
        return EVERYTHING
    entries = changed_entries(old, new)
    if len(entries) > MAX_ENTRIES or any(kind in (SITE, COUNTRY) for kind, _ in entries):
        return EVERYTHING
    assets = changed_keys(before.scanned.assets, after.scanned.assets)
    keys = chain(
        (EDITION,),
        _entry_keys(old, new, entries),
        _moved_post_keys(old.post_indexes, new.post_indexes, _post_slugs(entries)),
        _asset_keys(old, new, assets),
        _city_keys(old, new),
        (LINKS,) if moves_links(old, new) else (),
    )
    return Touched(frozenset(keys))


def touched_by_schedule(snapshot: Snapshot, since: datetime, now: datetime) -> Touched:
    """Return what differs because documents are published or withdrawn after `since`."""
    due = snapshot.entries_due(since, now)
    if len(due) > MAX_ENTRIES or any(entry.kind in (SITE, COUNTRY) for entry in due):
        return EVERYTHING
    entries = {(entry.kind, entry.slug): (entry, entry) for entry in due}
    keys = chain(
        (EDITION,),
        _entry_keys(snapshot, snapshot, entries),
        _due_post_keys(snapshot.post_indexes, _post_slugs(entries)),
    )
    return Touched(frozenset(keys))


def _post_slugs(entries: ChangedEntries) -> AbstractSet[str]:
    return {slug for kind, slug in entries if kind == POST}


def _site(snapshot: Snapshot) -> tuple[object, ...]:
    """Return what all pages depend on; each part is replaced only if it changed."""
    return (
        snapshot.locales,
        snapshot.countries,
        id(snapshot.redirects),
        id(snapshot.authors),
        id(snapshot.templates),
        id(snapshot.kinds),
        snapshot.stylesheet,
    )


def changed_entries(before: Snapshot, after: Snapshot) -> ChangedEntries:
    """Return the entries that differ between two snapshots."""
    return {
        (kind, slug): (old.get(slug), new.get(slug))
        for kind in before.entries.keys() | after.entries.keys()
        for old, new in [(_of_kind(before, kind), _of_kind(after, kind))]
        for slug in changed_keys(old, new)
    }


def _of_kind(snapshot: Snapshot, kind: AnyContentType) -> Mapping[str, Entry]:
    return whole(snapshot.entries.get(kind, {}))


def _entry_keys(before: Snapshot, after: Snapshot, entries: ChangedEntries) -> Iterator[Key]:
    for (kind, slug), (old, new) in entries.items():
        yield from ((kind, slug), (kind, ALL))
        category = former_category(former_term_slug(slug))
        yield from ((FORMER_SLUG, each) for each in (slug, former_slug(slug), category))
        for document in chain(*(entry.documents for entry in (old, new) if entry)):
            yield FILE, document.path
        yield from _claimed(before.claims, old)
        yield from _claimed(after.claims, new)
    for kind in {kind for kind, _ in entries}:
        yield FORMER_SLUG, ALL
        if bool(_of_kind(before, kind)) != bool(_of_kind(after, kind)):
            yield kind, EMPTINESS


def _claimed(claims: Claims, entry: Entry | None) -> Iterator[Key]:
    """Yield the old addresses that an entry lists."""
    found = claims.by_entry.get(entry) if entry else None
    for address in found.addresses if found else ():
        yield OLD_ADDRESS, address.path
        yield OLD_ADDRESS, ALL


def _asset_keys(before: Snapshot, after: Snapshot, paths: AbstractSet[str]) -> Iterator[Key]:
    yield from ((ASSET, path) for path in paths)
    if paths:
        yield ASSET, ALL
    if any((path in before.assets) != (path in after.assets) for path in paths):
        yield LINKS


def _city_keys(before: Snapshot, after: Snapshot) -> Iterator[Key]:
    """Yield the cities that came, went, or have another country."""
    slugs = {slug for slug, _ in whole(before.cities).items() ^ whole(after.cities).items()}
    yield from ((CITY_COUNTRY, slug) for slug in (*slugs, *([ALL] if slugs else [])))


def _moved_post_keys(
    before: PostIndexesByLocale, after: PostIndexesByLocale, slugs: AbstractSet[str]
) -> Iterator[Key]:
    """Yield the keys of lists in which edited posts have another place."""
    for language in Language if slugs else ():
        olds, news = (each.built(language) for each in (before, after))
        if not olds:
            yield posts_key(language, BUILT)
        pairs = {(id(old), id(new)): (old, new) for old, new in zip(olds, news, strict=bool(olds))}
        for old, new in pairs.values():
            for slug in slugs:
                # An index keeps the record of a post whose place is the same.
                if old.by_slug.get(slug) is not new.by_slug.get(slug):
                    yield from _place_keys(language, slug, old, new)


def _due_post_keys(indexes: PostIndexesByLocale, slugs: AbstractSet[str]) -> Iterator[Key]:
    """Yield the keys of lists in which posts come or go by schedule."""
    for language in Language if slugs else ():
        for index in {id(each): each for each in indexes.built(language)}.values():
            for slug in slugs:
                yield from _place_keys(language, slug, index)


def _place_keys(language: Language, slug: str, *indexes: PostIndex) -> Iterator[Key]:
    """Yield the keys of the lists in which a post stands, in those indexes that have it."""
    for index in indexes:
        record = index.by_slug.get(slug)
        if record is None:
            continue
        yield posts_key(language, ORDER)
        yield posts_key(language, PLACE, slug)
        yield posts_key(language, NEIGHBOURS, slug)
        for part in _lists(record):
            yield posts_key(language, *part)
        for nearest in index.around(record):
            for neighbour in nearest:
                yield posts_key(language, NEIGHBOURS, neighbour.slug)
                break


def _lists(record: PostRecord) -> Iterable[tuple[Key, ...]]:
    """Yield the lists of terms in which a post stands."""
    for kind, slugs in (
        (CATEGORY, record.categories),
        (TAG, record.tags),
        (AUTHOR, record.authors),
        (SERIES, (record.series,) if record.series else ()),
    ):
        yield from ((kind, slug) for slug in slugs)


log = logging.getLogger(__name__)


def with_shared_results(
    touched: Touched, before: Snapshot, after: Snapshot, now: datetime
) -> Touched:
    """Return what an edit touches, with the shared results that differ after it.

    No result of `before` is kept any more, as it would not be compared.
    """
    until = before.next_change_at(now)
    known, parts = before.shared.close(until), before.shared.parts(until)

    def differs(key: SharedResultKey) -> bool:
        try:
            value, new = known[key].value, key.value(after, now)
            # Equal amounts, such as 1.0 and 1.00, do not look the same.
            return value != new or repr(value) != repr(new)
        except Exception:  # whoever asks for the page gets the error
            log.debug("A result that pages share cannot be made any more", exc_info=True)
            return True

    return _carried(touched, known, parts, after, now, differs)


def touched_between(snapshot: Snapshot, since: datetime, now: datetime) -> Touched:
    """Return what the schedule touches, with the shared results that may differ after it.

    They are not made again to compare them, because requests wait meanwhile.
    """
    until = snapshot.next_change_at(since)
    known, parts = snapshot.shared.until(until), snapshot.shared.parts(until)
    touched = touched_by_schedule(snapshot, since, now)
    return _carried(touched, known, parts, snapshot, now, lambda _: True)


def _carried(
    touched: Touched,
    known: Mapping[Key, SharedResult],
    parts: Mapping[Key, SharedResult],
    after: Snapshot,
    now: datetime,
    differs: Callable[[SharedResultKey], bool],
) -> Touched:
    if touched.everything:
        return touched
    carrying = _Carrying(touched.keys, known, after, now, differs)
    keys = touched.keys.union(filter(carrying.touches, known))
    for key, part in parts.items():
        if not any(map(carrying.touches, part.reads)):
            after.shared.keep_part(key, after.next_change_at(now), part)
    return replace(touched, keys=keys)


@dataclass(frozen=True, eq=False, slots=True)
class _Carrying:
    """The shared results after one change; `differs` compares one of which a part was touched."""

    touched: frozenset[Key]
    before: Mapping[Key, SharedResult]
    after: Snapshot
    now: datetime
    differs: Callable[[SharedResultKey], bool]
    told: dict[Key, bool] = field(default_factory=dict)

    def touches(self, key: Key) -> bool:
        """Return whether what was read differs; shared results are compared once."""
        if not isinstance(key, SharedResultKey):
            return key in self.touched
        if key not in self.told:
            self.told[key] = self._has_changed(key)
        return self.told[key]

    def _has_changed(self, key: SharedResultKey) -> bool:
        """Return whether a result may differ; carry it over if nothing that it read was touched."""
        known = self.before.get(key)
        if known is None:
            return True
        if any(map(self.touches, known.reads)):
            return self.differs(key)
        until = self.after.next_change_at(self.now)
        return self.after.shared.keep(key, until, known) is None


Reads = array  # of hashes of keys, as the keys themselves take ten times the memory


def reads_of(keys: Iterable[Key]) -> Reads[int]:
    """Return what was read, in little memory; of two keys with one hash both count as read."""
    return array("q", {hash(key) for key in keys})


@dataclass(frozen=True, slots=True)
class Edits:
    """All edits up to one edition; `number` counts them."""

    number: int = 0
    newest: frozenset[int] = frozenset()
    """The hashes of the keys that the newest edit touched."""

    last: Mapping[int, int] = field(default_factory=dict)
    """The last edit that touched a key, by its hash."""

    everything: int = 0
    """The last edit that touched everything."""

    recent: tuple[Touched, ...] = ()
    """What the last edits touched, the newest at the end."""

    MAX_KEYS: ClassVar[int] = 50_000
    """The number of keys from which all are forgotten; then everything counts as touched."""

    MAX_RECENT: ClassVar[int] = 32

    def after(self, touched: Touched) -> Edits:
        """Return the edits with one more."""
        number, newest = self.number + 1, frozenset(map(hash, touched.keys))
        last = {**self.last, **dict.fromkeys(newest, number)}
        recent = (*self.recent, touched)[-self.MAX_RECENT :]
        if touched.everything or len(last) > self.MAX_KEYS:
            return Edits(number, everything=number, recent=recent)
        return Edits(number, newest, last, self.everything, recent)

    def since(self, number: int) -> Touched | None:
        """Return what the edits after a number touched together, or None without such edits."""
        count = self.number - number
        if count <= 0:
            return None
        edits = self.recent[-count:]
        if count > len(edits) or any(each.everything for each in edits):
            return EVERYTHING
        return Touched(frozenset().union(*(each.keys for each in edits)))

    def left_alone(self, reads: Reads[int], since: int) -> bool:
        """Return whether no edit after number `since` touched what was read."""
        if since < self.everything:
            return False
        if since == self.number - 1:
            return self.newest.isdisjoint(reads)
        get = self.last.get
        return all(get(key, 0) <= since for key in reads)

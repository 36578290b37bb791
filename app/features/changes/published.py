"""Published pages: their records in the database, and how pages differ from them.

A process records a difference on the revision that it has read. If another one was faster,
nothing is stored, and the process reads what has been recorded meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from itertools import chain, groupby
from operator import attrgetter
from typing import Any
from urllib.parse import unquote

from sqlalchemy import Update, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.changes.log import changes, published_pages, published_state
from app.features.changes.model import NO_RECORD, Change, ChangeType, changes_between, record_of
from app.platform.database.database import Database
from app.platform.database.metadata import insert_of
from knowledge.addresses.addresses import Address, page_of, parse_address, route_of, split_locale
from knowledge.addresses.former_addresses import former_address
from knowledge.fields.content_types import AUTHOR, CATEGORY, POST, TAG
from knowledge.snapshot.document_index import Due
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.post_index import PostRecord
from knowledge.snapshot.redirect_rules import GONE
from knowledge.snapshot.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class PublishedState:
    """The pages as recorded: a text for each, by its path below a locale; at first none.

    What is scheduled is recorded up to `checked_at`, for the locales and cities that `site` names.
    """

    log: str
    revision: int
    last_change: int
    checked_at: datetime | None = None
    site: str = ""
    records: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is to be recorded: changes, and the records of pages that differ, `""` for none."""

    changes: Sequence[Change]
    records: Mapping[str, str]
    checked_at: datetime | None
    site: str


class PublishedStates:
    """The published state in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self) -> PublishedState:
        """Return the whole recorded state."""
        async with self._database.reading() as connection:
            head = await _head(connection)
            return replace(head, records=await _records(connection))

    async def refreshed(self, state: PublishedState) -> PublishedState | None:
        """Return a state with what was recorded since; None if the database was replaced."""
        async with self._database.reading() as connection:
            head = await _head(connection)
            if head.log != state.log or head.revision < state.revision:
                return None
            if head.revision == state.revision:
                return state
            return replace(head, records=_merged(state.records, await _records(connection, state)))

    async def record(
        self, state: PublishedState, difference: Difference, now: datetime
    ) -> PublishedState | None:
        """Record a difference as the next revision of a state; None if it is not the newest."""
        following = PublishedState(
            state.log,
            state.revision + 1,
            state.last_change + len(difference.changes),
            difference.checked_at,
            difference.site,
            _merged(state.records, difference.records),
        )
        # Clocks of machines differ, but this time must never decrease: clients poll by it.
        seen_at = max(now, state.checked_at or now)
        async with self._database.writing() as connection:
            # PostgreSQL locks the row until the commit, so that numbers increase with commits.
            if not (await connection.execute(_claim(state, following))).rowcount:
                return None
            rows = list(_change_rows(state, difference.changes, now))
            if rows:
                await connection.execute(insert(changes), rows)
            await self._store(connection, difference.records, following.revision, seen_at)
        return following

    async def _store(
        self,
        connection: AsyncConnection,
        records: Mapping[str, str],
        revision: int,
        seen_at: datetime,
    ) -> None:
        if not records:
            return
        upsert = insert_of(published_pages, is_postgresql=self._database.is_postgresql)
        new = {name: upsert.excluded[name] for name in ("record", "revision", "seen_at")}
        await connection.execute(
            upsert.on_conflict_do_update(index_elements=["path"], set_=new),
            [
                {"path": path, "record": text, "revision": revision, "seen_at": seen_at}
                for path, text in records.items()
            ],
        )


async def _head(connection: AsyncConnection) -> PublishedState:
    """Return the state without its records."""
    row = (await connection.execute(select(published_state))).one()
    return PublishedState(row.log, row.revision, row.last_change, row.checked_at, row.site)


async def _records(
    connection: AsyncConnection, since: PublishedState | None = None
) -> Mapping[str, str]:
    """Return the records of pages; those of pages that are gone only with `since`."""
    pages = published_pages.c
    condition = pages.revision > since.revision if since else pages.record != ""
    rows = await connection.execute(select(pages.path, pages.record).where(condition))
    return {row.path: row.record for row in rows}


def _claim(state: PublishedState, following: PublishedState) -> Update:
    """Return the statement that replaces a state by the next, if it is the newest."""
    newest = published_state.c.log == state.log, published_state.c.revision == state.revision
    return (
        update(published_state)
        .where(*newest)
        .values(
            revision=following.revision,
            last_change=following.last_change,
            checked_at=following.checked_at,
            site=following.site,
        )
    )


def _merged(records: Mapping[str, str], newer: Mapping[str, str]) -> Mapping[str, str]:
    merged = {**records, **newer}
    for path, record in newer.items():
        if not record:
            del merged[path]
    return merged


def _change_rows(
    state: PublishedState, recorded: Sequence[Change], now: datetime
) -> Iterator[dict[str, Any]]:
    """Yield the rows of changes, numbered in their order."""
    for number, change in enumerate(recorded, start=state.last_change + 1):
        yield {
            **asdict(change),
            "change": str(change.change),
            "country": str(change.country) if change.country else None,
            "language": str(change.language),
            "id": number,
            "revision": state.revision + 1,
            "recorded_at": now,
        }


FORMAT = "1"
"""To be raised when records of unchanged pages are made in another way: they are not changes."""

Pause = Callable[[], None]
"""Called for each page that is looked at; it may wait."""


@dataclass(frozen=True, eq=False, slots=True)
class PublishedContent:
    """The content of an edition: its documents, and the version of each page by its path."""

    snapshot: Snapshot
    versions: Mapping[str, str]

    @property
    def site(self) -> str:
        """Names the locales and cities on which the pages of all documents depend."""
        cities = sorted(self.snapshot.cities.items())
        parts = repr((self.snapshot.open.all, cities)).encode()
        return f"{FORMAT} {blake2b(parts, digest_size=8).hexdigest()}"


@dataclass(frozen=True, slots=True)
class PageDifference:
    """A page whose record differs, and the changes; those of a `group` are recorded together."""

    path: str
    before: str
    record: str
    changes: Sequence[Change]
    group: str = ""


class Derivation:
    """Compares content with the records of its pages, from one instant to another."""

    def __init__(
        self, records: Mapping[str, str], content: PublishedContent, pause: Pause = lambda: None
    ) -> None:
        self._records = records
        self._content = content
        self._pause = pause
        self._new: dict[str, str] = {}
        self._changes: dict[str, list[Change]] = {}

    def scheduled(self, since: datetime | None, now: datetime, edited: AbstractSet[str]) -> None:
        """Add what was published and withdrawn by schedule, without pages edited since."""
        if since is None:
            return
        snapshot = self._content.snapshot
        for instant, dues in groupby(snapshot.schedule.between(since, now), attrgetter("at")):
            paths = _scheduled_paths(snapshot, dues) - edited
            self.look_at((*paths, *dependents(paths, snapshot)), instant)

    def look_at(self, paths: Iterable[str], at: datetime) -> None:
        """Add how pages differ at an instant."""
        for path in sorted(set(paths)):
            self._pause()
            before = self._new.get(path, self._records.get(path, NO_RECORD))
            for record in self._record(path, at):
                if record != before:
                    self._new[path] = record
                    found = changes_between(path, before, record, at)
                    self._changes.setdefault(path, []).extend(found)

    def _record(self, path: str, at: datetime) -> Iterator[str]:
        """Yield the record of a page; none if it cannot be made, so that the last one stays."""
        snapshot, version = self._content.snapshot, self._content.versions.get(path)
        return snapshot.left_out.each(
            (path,), lambda each: record_of(snapshot, each, version, at), lambda each: each
        )

    @property
    def records(self) -> Mapping[str, str]:
        """The records as they will be."""
        return {**self._records, **self._new}

    @property
    def differences(self) -> Sequence[PageDifference]:
        """How the pages differ; those that were moved are told so, with their new pages."""
        targets = {
            change: target
            for change in chain.from_iterable(self._changes.values())
            if (target := self._target(change))
        }
        moved = frozenset(targets.values())
        found = (self._difference(path, targets, moved) for path in self._new)
        return sorted(found, key=lambda each: (each.group, each.path))

    def _difference(
        self, path: str, targets: Mapping[Change, str], moved: AbstractSet[str]
    ) -> PageDifference:
        before, group = self._records.get(path, NO_RECORD), path
        changes: list[Change] = []
        for change in self._changes[path]:
            target = targets.get(change)
            if target is not None:
                group = split_locale(target)[1]
                changes.append(replace(change, change=ChangeType.MOVED, moved_to=target))
            elif change.change is not ChangeType.PUBLISHED or change.path not in moved:
                changes.append(change)
        return PageDifference(path, before, self._new[path], changes, group)

    def _target(self, change: Change) -> str | None:
        """Return where a page that is gone has moved to: the page to which its address leads."""
        locale, _ = split_locale(change.path)
        if change.change is not ChangeType.GONE or locale is None:
            return None
        redirect = former_address(self._content.snapshot, change.path, locale, change.at)
        if redirect is None or redirect.status == GONE or not redirect.is_page:
            return None
        return unquote(redirect.location)


def edited_paths(records: Mapping[str, str], versions: Mapping[str, str]) -> AbstractSet[str]:
    """Return the pages whose documents are not those of their records.

    >>> sorted(edited_paths({"/a": "1 post", "/b": "1 post"}, {"/b": "2", "/c": "1"}))
    ['/a', '/b', '/c']
    """
    get = records.get
    edited = {
        path for path, version in versions.items() if not get(path, "").startswith(f"{version} ")
    }
    return edited | {path for path, record in records.items() if record and path not in versions}


def _scheduled_paths(snapshot: Snapshot, dues: Iterable[Due]) -> AbstractSet[str]:
    """Return the pages with a document that is published or withdrawn."""
    paths: set[str] = set()
    for due in dues:
        document = snapshot.index.documents[due.path]
        entry = snapshot.index.entry_of(document)
        if entry is not None:
            paths.update(_pages_of(snapshot, entry, document.layer.city))
    return paths


def _pages_of(snapshot: Snapshot, entry: Entry, city: str | None) -> Iterator[str]:
    """Yield the paths of the pages that show or list a document, also in a city."""
    address = route_of(snapshot, entry)
    if address is not None:
        yield address.path
    for page in snapshot.page_types.listed:
        if page.in_city and city and entry.kind in page.content_types:
            yield Address(page, entry.slug, city).path
        elif page.is_list and (page.lists == entry.kind or page.singleton == entry.slug):
            yield page.path


def dependents(paths: Iterable[str], *snapshots: Snapshot) -> AbstractSet[str]:
    """Return the lists, and pages of categories, tags and authors, that need some pages."""
    addresses = {
        address for path in paths for each in snapshots if (address := parse_address(path, each))
    }
    kinds = {kind for address in addresses for kind in address.page.content_types}
    types = chain.from_iterable(each.page_types.listed for each in snapshots)
    lists = {page.path for page in types if page.lists in kinds}
    slugs = [each.slug for each in addresses if POST in each.page.content_types]
    records = (
        record
        for snapshot in snapshots
        for index in {
            id(each): each for each in map(snapshot.post_indexes.of, snapshot.open_locales)
        }.values()
        for slug in slugs
        if (record := index.by_slug.get(slug))
    )
    terms = (_terms(record, each) for record in records for each in snapshots)
    return lists | set(chain.from_iterable(terms))


def all_dependents(versions: Iterable[str], snapshot: Snapshot) -> AbstractSet[str]:
    """Return all lists, and all pages of categories, tags and authors."""
    found = ((path, parse_address(path, snapshot)) for path in versions)
    return {
        path
        for path, address in found
        if address and (address.page.lists or address.page.needs_posts)
    }


def _terms(record: PostRecord, snapshot: Snapshot) -> Iterator[str]:
    """Yield the pages of a post's categories, tags and authors."""
    for kind, slugs in (
        (CATEGORY, record.categories),
        (TAG, record.tags),
        (AUTHOR, record.authors),
    ):
        yield from (page_of(kind, slug, snapshot).path for slug in slugs)

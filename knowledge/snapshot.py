"""The snapshot: every document of one reading, found by kind and slug."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from knowledge.changed_keys import changed_keys
from knowledge.content_path import ContentType
from knowledge.diagnostics import Diagnostic
from knowledge.document_index import EMPTY_INDEX, DocumentIndex, index_documents
from knowledge.documents import Document
from knowledge.left_out import LeftOut
from knowledge.locale import Country, Locale, all_locales
from knowledge.post_index import PostIndex
from knowledge.post_indexes import PostIndexes
from knowledge.resolution import Entry


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What one reading of the content folder found; never changed, only replaced."""

    entries: Mapping[ContentType, Mapping[str, Entry]]
    cities: Mapping[str, Country]
    assets: frozenset[str]
    schedule: Sequence[datetime] = ()
    """The instants at which something is published or withdrawn, in their order."""

    index: DocumentIndex = EMPTY_INDEX
    post_indexes: PostIndexes = field(default_factory=lambda: PostIndexes({}), repr=False)
    cache: dict[Hashable, object] = field(default_factory=dict, repr=False)
    """What was worked out of it once, see `view.cached_per_snapshot`."""

    left_out: LeftOut = field(default_factory=LeftOut, repr=False)

    def entry(self, kind: ContentType, slug: str) -> Entry | None:
        """One document with all its layers."""
        return self.entries.get(kind, {}).get(slug)

    def all(self, kind: ContentType) -> Iterable[Entry]:
        """Every document of a kind, published or not."""
        return self.entries.get(kind, {}).values()

    def posts(self, locale: Locale) -> PostIndex:
        """The posts that speak to a locale; sorted when first asked for, then kept."""
        return self.post_indexes.of(locale)

    def entry_of_file(self, path: str) -> Entry | None:
        """The entry that a file is a layer of."""
        document = self.index.documents.get(path)
        entry = self.index.entry_of(document) if document else None
        return entry if entry and self.entry(entry.kind, entry.slug) is entry else None

    @cached_property
    def open_countries(self) -> frozenset[Country]:
        """The countries not switched off with `enabled: false`; all six without files."""
        closed = {
            Country.parse(document.metadata.get("code", entry.slug))
            for entry in self.all(ContentType.COUNTRY)
            for document in entry.documents
            if document.metadata.get("enabled") is False
        }
        return frozenset(Country) - closed

    @cached_property
    def open_locales(self) -> tuple[Locale, ...]:
        """Both languages of every open country, in the contract's order."""
        return tuple(each for each in all_locales() if each.country in self.open_countries)

    @cached_property
    def by_path(self) -> Mapping[str, tuple[Entry, Document]]:
        """Every document, and the entry it is a layer of, by the path of its file."""
        return {
            document.path: (entry, document)
            for entries in self.entries.values()
            for entry in entries.values()
            for document in entry.documents
        }

    def next_change_at(self, now: datetime) -> datetime | None:
        """The next instant after `now` at which something is published or withdrawn."""
        position = bisect_right(self.schedule, now)
        return self.schedule[position] if position < len(self.schedule) else None


NO_DOCUMENTS = Snapshot({}, {}, frozenset())

_RESERVED_SLUGS = frozenset({"blog", "index", "products", "testimonials"})
"""Where the lists stand, and the name that the home page has in its other forms."""

_SCHEDULE_FIELDS = ("dated", "published_at", "unpublish_at")


def build_snapshot(
    documents: Mapping[str, Document],
    cities: Mapping[str, Country],
    assets: Iterable[str],
    previous: Snapshot | None = None,
) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """Place the documents, which come by path in the order of a walk.

    What `previous` knows of what did not change is known of it still.
    """
    index = index_documents(documents, previous.index if previous else EMPTY_INDEX)
    entries = dict(index.entries)
    diagnostics = (*index.diagnostics, *_drop_shared_addresses(entries))
    schedule = _schedule(documents, previous)
    posts = entries.get(ContentType.POST, {})
    post_indexes = previous.post_indexes.next_version(posts) if previous else PostIndexes(posts)
    return Snapshot(entries, cities, frozenset(assets), schedule, index, post_indexes), diagnostics


def _schedule(documents: Mapping[str, Document], previous: Snapshot | None) -> Sequence[datetime]:
    """The former ones where no document differs in them."""
    if previous is not None:
        before = previous.index.documents
        changed = changed_keys(before, documents)
        if all(
            _schedule_of(before.get(path)) == _schedule_of(documents.get(path)) for path in changed
        ):
            return previous.schedule
    return sorted({moment for each in documents.values() for moment in _schedule_of(each)})


def _schedule_of(document: Document | None) -> list[datetime]:
    metadata = document.metadata if document else {}
    return [metadata[name] for name in _SCHEDULE_FIELDS if name in metadata]


def _drop_shared_addresses(entries: dict[ContentType, Mapping[str, Entry]]) -> Iterator[Diagnostic]:
    """Registry and CMS pages stand at the same public address; the registry page keeps it."""
    registry, pages = (
        dict(entries.get(ContentType.REGISTRY, {})),
        dict(entries.get(ContentType.PAGE, {})),
    )
    for same in (registry, pages):
        for slug in sorted(_RESERVED_SLUGS & same.keys()):
            path = same.pop(slug).documents[0].path
            message = (
                f"The page address /{slug} is one of the site's own, so this page is left out."
            )
            yield Diagnostic(path, message, "Give it another slug.")
    for slug in sorted(registry.keys() & pages.keys()):
        dropped = pages.pop(slug).documents[0]
        other = registry[slug].documents[0].path
        message = f"The page address /{slug} is taken by {other}, so this page is left out."
        yield Diagnostic(dropped.path, message, "Give one of them another slug.")
    entries |= {ContentType.REGISTRY: registry, ContentType.PAGE: pages}

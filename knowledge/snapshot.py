"""The snapshot: every document of one reading, found by kind and slug."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from knowledge.documents import Document
from knowledge.faults import Fault, Severity
from knowledge.layers import Layer
from knowledge.locale import Country, Locale, all_locales
from knowledge.names import Kind
from knowledge.resolution import Entry
from knowledge.shelf import Shelf, make_shelf


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What one reading of the content folder found; never changed, only replaced."""

    entries: Mapping[Kind, Mapping[str, Entry]]
    cities: Mapping[str, Country]
    assets: frozenset[str]
    turns: Sequence[datetime] = ()
    """The instants at which something is published or withdrawn, in their order."""

    kept: dict[Hashable, object] = field(default_factory=dict, repr=False)
    """What was worked out of it once, see `view.once_an_edition`."""

    _shelves: dict[Locale, Shelf] = field(default_factory=dict, repr=False)

    def entry(self, kind: Kind, slug: str) -> Entry | None:
        """One document with all its layers."""
        return self.entries.get(kind, {}).get(slug)

    def all(self, kind: Kind) -> Iterable[Entry]:
        """Every document of a kind, published or not."""
        return self.entries.get(kind, {}).values()

    def posts(self, locale: Locale) -> Shelf:
        """The posts that speak to a locale; sorted when first asked for, then kept."""
        if locale not in self._shelves:
            self._shelves[locale] = make_shelf(self.all(Kind.POST), locale)
        return self._shelves[locale]

    @cached_property
    def open_countries(self) -> frozenset[Country]:
        """The countries not switched off with `enabled: false`; all six without files."""
        closed = {
            Country.parse(document.metadata.get("code", entry.slug))
            for entry in self.all(Kind.COUNTRY)
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

    def next_turn(self, now: datetime) -> datetime | None:
        """The next instant after `now` at which something is published or withdrawn."""
        position = bisect_right(self.turns, now)
        return self.turns[position] if position < len(self.turns) else None


_TAKEN = frozenset({"blog", "index", "products", "testimonials"})
"""Where the lists stand, and the name that the home page has in its other forms."""


def build_snapshot(
    documents: Sequence[Document],
    cities: Mapping[str, Country],
    assets: Iterable[str],
    previous: Snapshot | None = None,
) -> tuple[Snapshot, tuple[Fault, ...]]:
    """Group documents by kind and slug; of two that claim one place the first path wins.

    Entries of `previous` that did not change stay the same, and all that is known of them.
    """
    chosen, faults = _chosen_slugs(documents)
    places: dict[Kind, dict[str, dict[Layer, Document]]] = {}
    for document in documents:
        slug = chosen.get((document.kind, document.slug), document.slug)
        layers = places.setdefault(document.kind, {}).setdefault(slug, {})
        taken = layers.setdefault(document.layer, document)
        if taken is not document:
            faults.append(_collision(document, taken, slug))
    entries = {
        kind: {
            slug: _entry(kind, slug, layers.values(), previous) for slug, layers in slugs.items()
        }
        for kind, slugs in places.items()
    }
    faults.extend(_drop_shared_addresses(entries))
    return Snapshot(entries, cities, frozenset(assets), _turns(documents)), tuple(faults)


def _turns(documents: Iterable[Document]) -> Sequence[datetime]:
    moments = {
        document.metadata[name]
        for document in documents
        for name in ("dated", "published_at", "unpublish_at")
        if name in document.metadata
    }
    return sorted(moments)


def _entry(kind: Kind, slug: str, layers: Iterable[Document], previous: Snapshot | None) -> Entry:
    documents = tuple(layers)
    if len(documents) > 1:
        documents = tuple(sorted(documents, key=lambda document: document.layer.order))
    known = previous.entry(kind, slug) if previous else None
    if known is not None and known.documents == documents:
        return known
    return Entry(kind, slug, documents)


def _chosen_slugs(
    documents: Iterable[Document],
) -> tuple[dict[tuple[Kind, str], str], list[Fault]]:
    """The slug that front matter gives a document; its broadest layer decides for all."""
    chosen: dict[tuple[Kind, str], str] = {}
    faults = []
    having = (document for document in documents if "slug" in document.metadata)
    for document in sorted(having, key=lambda document: document.layer.order):
        slug: str = document.metadata["slug"]
        decided = chosen.setdefault((document.kind, document.slug), slug)
        if decided != slug:
            message = f"slug: “{slug}” differs from “{decided}” of the same document."
            suggestion = "A slug belongs to the document: give it once."
            faults.append(Fault(document.path, message, suggestion, severity=Severity.WARNING))
    return chosen, faults


def _collision(document: Document, taken: Document, slug: str) -> Fault:
    message = f"The slug “{slug}” is taken by {taken.path}, so this file is left out."
    return Fault(document.path, message, "Rename one of them, or give it another slug.")


def _drop_shared_addresses(entries: Mapping[Kind, dict[str, Entry]]) -> Iterator[Fault]:
    """Registry and CMS pages stand at the same public address; the registry page keeps it."""
    registry, pages = entries.get(Kind.REGISTRY, {}), entries.get(Kind.PAGE, {})
    for same in (registry, pages):
        for slug in sorted(_TAKEN & same.keys()):
            path = same.pop(slug).documents[0].path
            message = (
                f"The page address /{slug} is one of the site's own, so this page is left out."
            )
            yield Fault(path, message, "Give it another slug.")
    for slug in sorted(registry.keys() & pages.keys()):
        dropped = pages.pop(slug).documents[0]
        other = registry[slug].documents[0].path
        message = f"The page address /{slug} is taken by {other}, so this page is left out."
        yield Fault(dropped.path, message, "Give one of them another slug.")

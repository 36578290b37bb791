"""Placing: which document stands where; what did not change keeps its place without a look.

The slug in a document's front matter, given by its broadest layer, decides for all its layers,
else the file name's. Of two documents that claim one layer of one place the first path wins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from knowledge.changed_keys import changed_keys
from knowledge.content_path import ContentType
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.documents import Document
from knowledge.layers import Layer
from knowledge.resolution import Entry

DocumentKey = tuple[ContentType, str]
"""A kind and a slug: the file's own, or the one that was chosen."""

Key = TypeVar("Key", str, tuple[ContentType, str])
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False, slots=True)
class DocumentIndex:
    """Every document at its place, each kind in the order of slugs; the base of the next."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    slugs: Mapping[DocumentKey, str] = field(default_factory=dict)
    """The slugs chosen in front matter, by the file's own."""

    entries: Mapping[ContentType, Mapping[str, Entry]] = field(default_factory=dict)
    slug_diagnostics: Mapping[DocumentKey, tuple[Diagnostic, ...]] = field(default_factory=dict)
    collisions: Mapping[DocumentKey, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """All that is wrong, in an order that no history changes."""
        for found in (self.slug_diagnostics, self.collisions):
            for key in sorted(found):
                yield from found[key]

    def entry_of(self, document: Document) -> Entry | None:
        """The entry that a document is a layer of, None where it was left out."""
        kind, slug = _key(document, self.slugs)
        entry = self.entries.get(kind, {}).get(slug)
        return entry if entry is not None and document in entry.documents else None


EMPTY_INDEX = DocumentIndex()


def index_documents(
    documents: Mapping[str, Document], before: DocumentIndex = EMPTY_INDEX
) -> DocumentIndex:
    """Place the documents, which come by path in the order of a walk.

    Entries of `before` whose documents did not change stay the same objects.
    """
    changed = changed_keys(before.documents, documents)
    touched = {
        _key(document, {})
        for path in changed
        for document in (before.documents.get(path), documents.get(path))
        if document is not None
    }
    slugs, slug_diagnostics = _slugs(documents.values(), touched)
    chosen = _merged(before.slugs, slugs)
    # Where they stood and where they stand now; whoever else claims that place is looked at too.
    keys = {
        (kind, by.get((kind, slug), slug))
        for kind, slug in touched
        for by in (before.slugs, chosen)
    }
    entries, collisions = _entries(documents.values(), keys, chosen, before)
    return DocumentIndex(
        documents,
        chosen,
        entries,
        _merged(before.slug_diagnostics, slug_diagnostics),
        _merged(before.collisions, collisions),
    )


def _slugs(
    documents: Iterable[Document], touched: Collection[DocumentKey]
) -> tuple[dict[DocumentKey, str | None], dict[DocumentKey, tuple[Diagnostic, ...] | None]]:
    """What the documents of these places choose, None where they choose nothing."""
    chosen: dict[DocumentKey, str | None] = dict.fromkeys(touched)
    diagnostics: dict[DocumentKey, tuple[Diagnostic, ...] | None] = dict.fromkeys(touched)
    having = (document for document in documents if "slug" in document.metadata)
    for key, group in _grouped(having, touched, {}).items():
        group.sort(key=_specificity)
        slug: str = group[0].metadata["slug"]
        chosen[key] = slug
        others = [each for each in group if each.metadata["slug"] != slug]
        diagnostics[key] = tuple(_other_slug(each, slug) for each in others) or None
    return chosen, diagnostics


def _entries(
    documents: Iterable[Document],
    keys: Collection[DocumentKey],
    chosen: Mapping[DocumentKey, str],
    before: DocumentIndex,
) -> tuple[
    Mapping[ContentType, Mapping[str, Entry]], dict[DocumentKey, tuple[Diagnostic, ...] | None]
]:
    found: dict[ContentType, dict[str, Entry | None]] = {}
    diagnostics: dict[DocumentKey, tuple[Diagnostic, ...] | None] = {}
    groups = _grouped(documents, keys, chosen)
    for kind, slug in keys:
        entry, collisions = _entry(kind, slug, groups.get((kind, slug), ()), before)
        found.setdefault(kind, {})[slug] = entry
        diagnostics[kind, slug] = collisions or None
    entries = dict(before.entries)
    for kind, changed in found.items():
        entries[kind] = _merged(entries.get(kind, {}), changed)
    return entries, diagnostics


def _entry(
    kind: ContentType, slug: str, documents: Collection[Document], before: DocumentIndex
) -> tuple[Entry | None, tuple[Diagnostic, ...]]:
    layers: dict[Layer, Document] = {}
    diagnostics = []
    for document in documents:
        taken = layers.setdefault(document.layer, document)
        if taken is not document:
            diagnostics.append(_collision(document, taken, slug))
    if not layers:
        return None, ()
    ordered = tuple(sorted(layers.values(), key=_specificity))
    known = before.entries.get(kind, {}).get(slug)
    if known is not None and known.documents == ordered:
        return known, tuple(diagnostics)
    return Entry(kind, slug, ordered), tuple(diagnostics)


def _grouped(
    documents: Iterable[Document], keys: Collection[DocumentKey], chosen: Mapping[DocumentKey, str]
) -> dict[DocumentKey, list[Document]]:
    """The documents that claim these places, in the order of a walk."""
    groups: dict[DocumentKey, list[Document]] = {}
    for document in documents:
        key = _key(document, chosen)
        if key in keys:
            groups.setdefault(key, []).append(document)
    return groups


def _key(document: Document, chosen: Mapping[DocumentKey, str]) -> DocumentKey:
    own = (document.kind, document.slug)
    return (document.kind, chosen[own]) if own in chosen else own


def _merged(
    before: Mapping[Key, Found], changed: Mapping[Key, Found | None]
) -> Mapping[Key, Found]:
    """With what changed, None for what is gone; in the order of keys."""
    kept = dict(before)
    for key, found in changed.items():
        if found is not None:
            kept[key] = found
        else:
            kept.pop(key, None)
    return kept if kept.keys() == before.keys() else {key: kept[key] for key in sorted(kept)}


def _specificity(document: Document) -> tuple[bool, bool, bool, str]:
    return document.layer.order


def _other_slug(document: Document, decided: str) -> Diagnostic:
    message = f"slug: “{document.metadata['slug']}” differs from “{decided}” of the same document."
    suggestion = "A slug belongs to the document: give it once."
    return Diagnostic(document.path, message, suggestion, severity=Severity.WARNING)


def _collision(document: Document, taken: Document, slug: str) -> Diagnostic:
    message = f"The slug “{slug}” is taken by {taken.path}, so this file is left out."
    return Diagnostic(document.path, message, "Rename one of them, or give it another slug.")

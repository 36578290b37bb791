"""The document index: documents grouped into entries by content type and slug, incrementally.

The slug in the front matter of a document's most general layer applies to all its layers. Without
one, the file name gives the slug. If two files claim the same layer of an entry, the first path
wins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import TypeVar

from knowledge.diagnostics.diagnostic import Diagnostic, Severity
from knowledge.diagnostics.kinds import DiagnosticKind
from knowledge.documents.document import Document
from knowledge.edits.changed_keys import changed_keys
from knowledge.edits.edited_mapping import copied, edited
from knowledge.fields.content_type import AnyContentType
from knowledge.locales.layers import Layer
from knowledge.snapshot.layer_resolution import Entry

DocumentKey = tuple[AnyContentType, str]
"""Content type and slug: the slug of the file name, or the one set in front matter."""

Key = TypeVar("Key", str, tuple[AnyContentType, str])
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False, slots=True)
class DocumentIndex:
    """All documents and their entries, sorted by slug; the next index is built from it."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    slugs: Mapping[DocumentKey, str] = field(default_factory=dict)
    """Slugs set in front matter, by the key that the file name gives."""

    entries: Mapping[AnyContentType, Mapping[str, Entry]] = field(default_factory=dict)
    slug_diagnostics: Mapping[DocumentKey, tuple[Diagnostic, ...]] = field(default_factory=dict)
    collisions: Mapping[DocumentKey, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield all diagnostics in an order that does not depend on earlier indexes."""
        for by_key in (self.slug_diagnostics, self.collisions):
            for key in sorted(by_key):
                yield from by_key[key]

    def entry_of(self, document: Document) -> Entry | None:
        """Return the entry of which a document is a layer, or None if it was left out."""
        kind, slug = _key(document, self.slugs)
        entry = self.entries.get(kind, {}).get(slug)
        return entry if entry is not None and document in entry.documents else None


EMPTY_INDEX = DocumentIndex()


def index_documents(
    documents: Mapping[str, Document], before: DocumentIndex = EMPTY_INDEX
) -> DocumentIndex:
    """Index documents, given by path in directory order.

    Entries of `before` whose documents did not change are reused.
    """
    changed = changed_keys(before.documents, documents)
    return _edited(documents, changed, before) or _moved(documents, changed, before)


def _edited(
    documents: Mapping[str, Document], changed: Iterable[str], before: DocumentIndex
) -> DocumentIndex | None:
    """Return the index if each changed document stays where it was, else None."""
    updates: dict[AnyContentType, dict[str, Entry]] = {}
    for path in changed:
        old, new = before.documents.get(path), documents.get(path)
        known = before.entry_of(old) if old and new and _place(old) == _place(new) else None
        if known is None or new is None or (known.kind, known.slug) in before.collisions:
            return None
        by_slug = updates.setdefault(known.kind, {})
        layers = by_slug.get(known.slug, known).documents
        layers = tuple(new if each is old else each for each in layers)
        by_slug[known.slug] = Entry(known.kind, known.slug, layers)
    entries = {kind: edited(before.entries[kind], by_slug) for kind, by_slug in updates.items()}
    return replace(before, documents=documents, entries={**before.entries, **entries})


def _place(document: Document) -> tuple[object, ...]:
    """Return what decides the entry of a document, and its place there."""
    return document.kind, document.slug, document.chosen_slug, document.layer


def _moved(
    documents: Mapping[str, Document], changed: Iterable[str], before: DocumentIndex
) -> DocumentIndex:
    """Return the index after documents came, went or changed their slugs."""
    file_keys = dict.fromkeys(
        (document.kind, document.slug)
        for path in changed
        for document in (before.documents.get(path), documents.get(path))
        if document is not None
    )
    slugs, slug_diagnostics = _slugs(documents.values(), file_keys.keys(), before)
    chosen = _merged(before.slugs, slugs)
    # The old and the new keys: other documents may claim them too.
    other_keys = dict.fromkeys(
        (kind, slugs_by_key[kind, slug])
        for slugs_by_key in (before.slugs, chosen)
        for kind, slug in slugs_by_key.keys() & file_keys
    )
    keys = file_keys | other_keys
    entries, collisions = _entries(documents.values(), keys, chosen, before)
    return DocumentIndex(
        documents,
        chosen,
        entries,
        _merged(before.slug_diagnostics, slug_diagnostics),
        _merged(before.collisions, collisions),
    )


def _slugs(
    documents: Iterable[Document], keys: AbstractSet[DocumentKey], before: DocumentIndex
) -> tuple[dict[DocumentKey, str | None], dict[DocumentKey, tuple[Diagnostic, ...] | None]]:
    """Return the front matter slugs of the documents with these keys, None without one any more."""
    chosen: dict[DocumentKey, str | None] = dict.fromkeys(before.slugs.keys() & keys)
    diagnostics: dict[DocumentKey, tuple[Diagnostic, ...] | None]
    diagnostics = dict.fromkeys(before.slug_diagnostics.keys() & keys)
    with_slug = (document for document in documents if document.chosen_slug)
    for key, group in _grouped(with_slug, keys, {}).items():
        group.sort(key=_specificity)
        slug = group[0].chosen_slug or group[0].slug
        chosen[key] = slug
        conflicts = [document for document in group if document.chosen_slug != slug]
        diagnostics[key] = tuple(_slug_conflict(document, slug) for document in conflicts) or None
    return chosen, diagnostics


def _entries(
    documents: Iterable[Document],
    keys: Collection[DocumentKey],
    chosen: Mapping[DocumentKey, str],
    before: DocumentIndex,
) -> tuple[
    Mapping[AnyContentType, Mapping[str, Entry]], dict[DocumentKey, tuple[Diagnostic, ...] | None]
]:
    updates: dict[AnyContentType, dict[str, Entry | None]] = {}
    diagnostics: dict[DocumentKey, tuple[Diagnostic, ...] | None] = {}
    groups = _grouped(documents, keys, chosen)
    for kind, slug in keys:
        entry, collisions = _entry(kind, slug, groups.get((kind, slug), ()), before)
        updates.setdefault(kind, {})[slug] = entry
        if collisions or (kind, slug) in before.collisions:
            diagnostics[kind, slug] = collisions or None
    entries = dict(before.entries)
    for kind, changed in updates.items():
        entries[kind] = _merged(entries.get(kind, {}), changed)
    return entries, diagnostics


def _entry(
    kind: AnyContentType, slug: str, documents: Collection[Document], before: DocumentIndex
) -> tuple[Entry | None, tuple[Diagnostic, ...]]:
    ordered, diagnostics = _layers(documents, slug)
    if not ordered:
        return None, ()
    previous = before.entries.get(kind, {}).get(slug)
    if previous is not None and previous.documents == ordered:
        return previous, diagnostics
    return Entry(kind, slug, ordered), diagnostics


def _layers(
    documents: Collection[Document], slug: str
) -> tuple[tuple[Document, ...], tuple[Diagnostic, ...]]:
    """Return the layers from general to specific, and the documents that are left out."""
    if len(documents) == 1:  # as most are
        return tuple(documents), ()
    layers: dict[Layer, Document] = {}
    diagnostics = []
    for document in documents:
        first = layers.setdefault(document.layer, document)
        if first is not document:
            diagnostics.append(_collision(document, first, slug))
    return tuple(sorted(layers.values(), key=_specificity)), tuple(diagnostics)


def _grouped(
    documents: Iterable[Document], keys: Collection[DocumentKey], chosen: Mapping[DocumentKey, str]
) -> dict[DocumentKey, list[Document]]:
    """Group the documents that claim these keys, in directory order."""
    groups: defaultdict[DocumentKey, list[Document]] = defaultdict(list)
    for document in documents:
        key = _key(document, chosen)
        if key in keys:
            groups[key].append(document)
    return groups


def _key(document: Document, chosen: Mapping[DocumentKey, str]) -> DocumentKey:
    key = (document.kind, document.slug)
    return (document.kind, chosen[key]) if key in chosen else key


def _merged(
    before: Mapping[Key, Value], changed: Mapping[Key, Value | None]
) -> Mapping[Key, Value]:
    """Apply changes to a mapping sorted by key; None removes a key."""
    if all(key in before and value is not None for key, value in changed.items()):
        return edited(before, {key: value for key, value in changed.items() if value is not None})
    merged = copied(before)
    for key, value in changed.items():
        if value is not None:
            merged[key] = value
        else:
            merged.pop(key, None)
    return {key: merged[key] for key in sorted(merged)}


def _specificity(document: Document) -> tuple[bool, bool, bool, str]:
    return document.layer.order


def _slug_conflict(document: Document, slug: str) -> Diagnostic:
    message = (
        f"slug: “{document.chosen_slug}” conflicts with “{slug}”, "
        "set by another file of this document."
    )
    suggestion = "Set the slug in one of the files only."
    return Diagnostic(
        document.path,
        message,
        suggestion,
        severity=Severity.WARNING,
        kind=DiagnosticKind.SLUG_CONFLICT,
    )


def _collision(document: Document, first: Document, slug: str) -> Diagnostic:
    message = f"The slug “{slug}” is already used by {first.path}, so this file is left out."
    return Diagnostic(
        document.path,
        message,
        "Rename one of them, or set another slug.",
        kind=DiagnosticKind.DUPLICATE_SLUG,
    )

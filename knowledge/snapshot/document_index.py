"""The document index: documents grouped into entries, and when they are published and withdrawn.

The slug in the front matter of a document's most general layer applies to all its layers. Without
one, the file name gives the slug. If two files claim the same layer of an entry, the first path
wins.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import attrgetter, itemgetter
from typing import NamedTuple

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.kinds import BUILT_IN_KINDS, SiteKinds
from knowledge.fields.moments import end_of
from knowledge.locales.locale import Layer
from knowledge.snapshot.layer_resolution import Entry

DocumentKey = tuple[AnyContentType, str]
"""Content type and slug: the slug of the file name, or the one set in front matter."""

_chosen_slug = attrgetter("chosen_slug")
_layer_order = attrgetter("layer.order")


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
        entry = self.entries.get(document.kind, {}).get(_slug(document, self.slugs))
        return entry if entry is not None and document in entry.documents else None


EMPTY_INDEX = DocumentIndex()


def index_documents(
    documents: Mapping[str, Document], before: DocumentIndex = EMPTY_INDEX
) -> DocumentIndex:
    """Index documents, given by path in directory order.

    Entries of `before` whose documents did not change are reused.
    """
    slugs, slug_diagnostics = _slugs(documents.values())
    by_kind: defaultdict[AnyContentType, dict[str, Entry]] = defaultdict(dict)
    collisions: dict[DocumentKey, tuple[Diagnostic, ...]] = {}
    kind: AnyContentType | None = None
    for (_, slug), group in _grouped(documents.values(), slugs).items():
        if kind is not group[0].kind:
            kind = group[0].kind
            entries_before, made = before.entries.get(kind, {}), by_kind[kind]
        ordered, left_out = _layers(group, slug)
        known = entries_before.get(slug)
        is_same = known is not None and known.documents == ordered
        made[slug] = known if known and is_same else Entry(kind, slug, ordered)
        if left_out:
            collisions[kind, slug] = left_out
    entries = {
        kind: {slug: by_slug[slug] for slug in sorted(by_slug)} for kind, by_slug in by_kind.items()
    }
    return DocumentIndex(documents, slugs, entries, slug_diagnostics, collisions)


def _slugs(
    documents: Iterable[Document],
) -> tuple[Mapping[DocumentKey, str], Mapping[DocumentKey, tuple[Diagnostic, ...]]]:
    """Return the slugs set in front matter, by the key that the file name gives."""
    slugs: dict[DocumentKey, str] = {}
    diagnostics: dict[DocumentKey, tuple[Diagnostic, ...]] = {}
    for group in _grouped(filter(_chosen_slug, documents), {}).values():
        key = group[0].kind, group[0].slug
        ordered = sorted(group, key=_layer_order)
        slug = slugs[key] = ordered[0].chosen_slug or ordered[0].slug
        advice, kind = Text("Set the slug in one of the files only."), DiagnosticKind.SLUG_CONFLICT
        conflicts = [
            kind.warning(
                document.path,
                Text(
                    "slug: “{}” conflicts with “{}”, set by another file of this document.",
                    document.chosen_slug,
                    slug,
                ),
                advice,
            )
            for document in ordered
            if document.chosen_slug != slug
        ]
        if conflicts:
            diagnostics[key] = tuple(conflicts)
    return slugs, diagnostics


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
            message = Text(
                "The slug “{}” is already used by {}, so this file is left out.", slug, first.path
            )
            advice, kind = (
                Text("Rename one of them, or set another slug."),
                DiagnosticKind.DUPLICATE_SLUG,
            )
            diagnostics.append(kind.error(document.path, message, advice))
    return tuple(sorted(layers.values(), key=_layer_order)), tuple(diagnostics)


def _grouped(
    documents: Iterable[Document], chosen: Mapping[DocumentKey, str]
) -> Mapping[tuple[str, str], Sequence[Document]]:
    """Group documents by the folder and the slug that they claim, in directory order.

    Each edit groups all documents; a folder is hashed faster than a content type.
    """
    groups: defaultdict[tuple[str, str], list[Document]] = defaultdict(list)
    for document in documents:
        slug = _slug(document, chosen) if chosen else document.slug
        groups[document.kind.folder, slug].append(document)
    return groups


def _slug(document: Document, chosen: Mapping[DocumentKey, str]) -> str:
    """Return the slug that a document claims: of its file name, or the one chosen for that."""
    return chosen.get((document.kind, document.slug), document.slug)


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Due(NamedTuple):
    """A document, by the path of its file, that is published or withdrawn at an instant."""

    at: datetime
    path: str


_AT, _PATH = itemgetter(0), itemgetter(1)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is published or withdrawn, and when; sorted."""

    dues: Sequence[Due] = ()

    def next_after(self, now: datetime) -> datetime | None:
        """Return the next instant of the schedule, or None."""
        position = bisect_right(self.dues, now, key=_AT)
        return self.dues[position].at if position < len(self.dues) else None

    def last_up_to(self, now: datetime) -> datetime:
        """Return the last instant of the schedule up to `now`; without one, one long ago."""
        position = bisect_right(self.dues, now, key=_AT)
        return self.dues[position - 1].at if position else _LONG_AGO

    def between(self, since: datetime, now: datetime) -> Sequence[Due]:
        """Return what is due after `since`, up to `now`."""
        first = bisect_right(self.dues, since, key=_AT)
        return self.dues[first : bisect_right(self.dues, now, key=_AT)]


def schedule_of(documents: Mapping[str, Document], kinds: SiteKinds = BUILT_IN_KINDS) -> Schedule:
    """Return the schedule of documents by path; lists show an event elsewhere when it is over."""
    calendars = {kind.content_type: kind for kind in kinds.declared if kind.has_calendar}
    dues = [
        Due(end_of(moment), path)
        for path, document in (documents.items() if calendars else ())
        if document.kind in calendars
        for moment in calendars[document.kind].dates(document.fields)
        if moment is not None
    ]
    for path, document in documents.items():
        published_at, unpublish_at = document.fields.published_at, document.fields.unpublish_at
        if published_at is not None:
            dues.append(Due(published_at, path))
        if unpublish_at is not None and unpublish_at != published_at:
            dues.append(Due(unpublish_at, path))
    return Schedule(sorted(sorted(dues, key=_PATH), key=_AT))  # sorts tuples in half the time

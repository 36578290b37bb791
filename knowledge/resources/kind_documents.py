"""The documents of declared kinds: in the order of their list, and in their folders as a menu."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any
from urllib.parse import quote

from pydantic import Field, SkipValidation

from knowledge.addresses.addresses import Address, page_of, parse_address
from knowledge.fields.content_types import OPTIONAL_KINDS
from knowledge.fields.field_types import Omittable
from knowledge.fields.kinds import Kind
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.document_page import not_found, short_text, title_of
from knowledge.resources.listing import is_withdrawn
from knowledge.resources.own_values import sorted_by
from knowledge.resources.seo import is_visible_route
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView, cached_per_snapshot


def kind_named(view: ContentView, name: str) -> Kind:
    """Return a kind that the site has; raises NotFound."""
    kind = next((each for each in all_kinds(view.snapshot) if each.name == name), None)
    if kind is None:
        raise not_found("kind", name)
    return kind


def all_kinds(snapshot: Snapshot) -> Iterator[Kind]:
    """Yield the kinds that a site declares, then the built-in ones that it has."""
    yield from snapshot.kinds.declared
    for each in filter(snapshot.has, OPTIONAL_KINDS):
        yield snapshot.kinds.built_in(each)


def list_path(view: ContentView, kind: Kind) -> str | None:
    """Return the site path of the page above the documents of a kind; None without one."""
    page = kind.list_page or view.snapshot.page_types.lists.get(kind.content_type)
    if page is None:
        own = view.snapshot.page_types.by_content_type[kind.content_type]
        address = parse_address(own.path.rpartition("/")[0], view.snapshot)
    else:
        address = Address(page)
    is_there = address and is_visible_route(view, address)
    return view.locale.path + address.path if address and is_there else None


def entries(view: ContentView, kind: Kind) -> Sequence[Resolved]:
    """Return the published documents of a kind in its order, without that of the list itself.

    Events that are not over come first, the next one at the top, then those that are, the last one
    at the top.
    """
    resolved = [
        each for each in view.resolve_all(kind.content_type) if not is_withdrawn(each.fields)
    ]
    if kind.content_type.is_nested:
        resolved = [each for each in resolved if each.entry.slug != kind.name]
    attribute, is_reversed = kind.sort
    if attribute:
        return sorted_by(view, resolved, attribute, is_reversed=is_reversed)
    if not kind.date:
        return resolved
    latest_first = sorted_by(view, resolved, kind.date, is_reversed=True)
    if not kind.has_calendar:
        return latest_first
    past = [each for each in latest_first if is_past(view, kind, each)]
    coming = [each for each in latest_first if not is_past(view, kind, each)]
    return [*sorted_by(view, coming, kind.date, is_reversed=False), *past]


def is_past(view: ContentView, kind: Kind, resolved: Resolved) -> bool:
    """Return whether a document is an event that is over."""
    span = kind.span(resolved.fields)
    return span is not None and span.over_at <= view.now


@dataclass(frozen=True, slots=True)
class Chapter:
    """A document or a folder with what is in it, or a group of documents, which has no slug.

    `path` is None without a page.
    """

    slug: str
    title: str
    path: str | None
    summary: str = ""
    chapters: tuple[Chapter, ...] = ()

    @property
    def pages(self) -> Iterator[Chapter]:
        """The pages in order, each folder before what is in it."""
        if self.path:
            yield self
        yield from chain.from_iterable(each.pages for each in self.chapters)

    @property
    def start(self) -> str:
        """The path of the first page."""
        return next((each.path for each in self.pages if each.path), "")


@dataclass(frozen=True, slots=True)
class Version:
    """One version of all documents: its folder, its title, and its documents in order."""

    slug: str
    title: str
    chapters: tuple[Chapter, ...]
    pages: tuple[Chapter, ...]

    @property
    def start(self) -> str:
        """The path of the first page."""
        return self.pages[0].path or "" if self.pages else ""

    def within(self, slug: str) -> tuple[Chapter, ...]:
        """Return what is in the folder of a slug."""
        if not slug or slug == self.slug:
            return self.chapters
        found: Iterable[Chapter] = _in_groups(self.chapters)
        while found:
            above = (each for each in found if f"{slug}/".startswith(f"{each.slug}/"))
            chapter = next((each for each in above if each.chapters), None)
            if chapter is None or chapter.slug == slug:
                return chapter.chapters if chapter else ()
            found = chapter.chapters
        return ()


@cached_per_snapshot
def documentation(view: ContentView) -> Mapping[str, tuple[Version, ...]]:
    """Return the versions of each kind with the layout `documentation`, the newest first.

    A kind without versions has one, without a slug. Documents in no folder of a version belong to
    each.
    """
    kinds = view.snapshot.kinds.declared
    return {kind.name: tuple(_versions(view, kind)) for kind in kinds if kind.declared.layout}


def _versions(view: ContentView, kind: Kind) -> Iterator[Version]:
    chapters, slugs = _chapters(view, kind), kind.page.versions if kind.page else ()
    by_slug = {each.slug: each for each in chapters}
    shared = tuple(each for each in chapters if each.slug not in slugs)
    for slug in [slug for slug in slugs if slug in by_slug] or ("",):
        own = by_slug.get(slug)
        first = (Chapter(own.slug, own.title, own.path, own.summary),) if own and own.path else ()
        shown = _grouped(view, kind, (*first, *(own.chapters if own else ()), *shared))
        pages = tuple(chain.from_iterable(each.pages for each in shown))
        yield Version(slug, own.title if own else "", shown, pages)


def _grouped(view: ContentView, kind: Kind, chapters: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    """Return chapters in the groups of their first documents; those without one come last."""
    field = kind.group
    if field is None:
        return chapters
    documents = {each.entry.slug: each for each in entries(view, kind)}
    grouped: dict[str | None, list[Chapter]] = {}
    for each in chapters:
        first = documents[next(each.pages).slug]
        grouped.setdefault(getattr(first.fields, field.attribute), []).append(each)
    language = view.locale.language
    groups = [
        Chapter("", localized_text(label, language), None, chapters=tuple(grouped.pop(option)))
        for option, label in field.choices.items()
        if option in grouped
    ]
    return (*groups, *chain.from_iterable(grouped.values()))


def _in_groups(chapters: Iterable[Chapter]) -> Iterator[Chapter]:
    """Yield chapters, and instead of a group those in it."""
    for each in chapters:
        yield from (each,) if each.slug else each.chapters


def _chapters(view: ContentView, kind: Kind) -> tuple[Chapter, ...]:
    """Return the documents of a kind in their folders; a folder stands where its first one is."""
    documents = {each.entry.slug: each for each in entries(view, kind)}
    order = {slug: number for number, slug in enumerate(documents)}
    slugs = kind.page.versions if kind.page else ()
    versions = dict(zip(slugs, kind.declared.versions or (), strict=True))
    inner: dict[str, set[str]] = {}
    for slug, number in list(order.items()):
        below, above = slug, slug.rpartition("/")[0]
        while below and below not in inner.setdefault(above, set()):
            inner[above].add(below)
            order.setdefault(below, number)
            below, above = above, above.rpartition("/")[0]

    def chapter(slug: str) -> Chapter:
        own = documents.get(slug)
        chapters = tuple(map(chapter, sorted(inner.get(slug, ()), key=order.__getitem__)))
        if own is None:
            words = versions.get(slug) or slug.rpartition("/")[2].replace("-", " ")
            return Chapter(slug, words[:1].upper() + words[1:], None, "", chapters)
        path = view.locale.path + page_of(kind.content_type, slug, view.snapshot).path
        return Chapter(slug, title_of(own), path, short_text(own) or "", chapters)

    return tuple(map(chapter, sorted(inner.get("", ()), key=order.__getitem__)))


def in_folders(view: ContentView, kind: Kind, documents: Sequence[Resolved]) -> Sequence[Resolved]:
    """Return documents in the order of their menu; those of other layouts as they are."""
    versions = documentation(view).get(kind.name, ())
    pages = chain.from_iterable(version.pages for version in versions)
    order = {slug: number for number, slug in enumerate(dict.fromkeys(each.slug for each in pages))}
    return sorted(documents, key=lambda each: order[each.entry.slug]) if order else documents


class EntryLink(Resource):
    """A document before or after another one."""

    slug: str
    """Slug of the document."""
    title: str
    """Title of its page."""
    path: str
    """Site path of its page."""


class VersionLink(Resource):
    """A version of all documents; the path is that of the same page in it, else of its first."""

    version: str
    """Folder of the version."""
    title: str
    """Title of the version."""
    path: str
    """Site path of the page."""
    current: bool
    """Whether this document belongs to it."""


class EntryPlace(Resource):
    """What stands beside a document of a kind with the layout `documentation`."""

    prev: Omittable[EntryLink] = None
    """The document before it."""
    next: Omittable[EntryLink] = None
    """The document after it."""
    versions: Omittable[list[VersionLink]] = None
    """The versions, the newest first, if there are several."""
    edit_url: Omittable[str] = None
    """Where the document may be edited."""
    menu: Annotated[Version | None, SkipValidation, Field(exclude=True)] = None
    inner: Annotated[tuple[Chapter, ...], SkipValidation, Field(exclude=True)] = ()
    """What is in the folder of the document."""

    @property
    def newest(self) -> VersionLink | None:
        """The newest version, if the document belongs to another one."""
        first = next(iter(self.versions or ()), None)
        return first if first and not first.current else None


def entry_place(
    view: ContentView, kind: Kind, slug: str, shown: Resolved | None = None
) -> dict[str, Any]:
    """Return the values of `EntryPlace` of a document; the list itself has no slug."""
    versions = documentation(view).get(kind.name)
    if not versions:
        return {}
    first, _, rest = slug.partition("/")
    own = next((each for each in versions if each.slug == first), versions[0])
    pages = own.pages
    at = next((number for number, each in enumerate(pages) if each.slug == slug), -1)
    after = pages[at + 1 : at + 2] if at >= 0 or not slug else ()
    return {
        "prev": _link(pages[at - 1]) if at > 0 else None,
        "next": _link(after[0]) if after else None,
        "versions": [_version(each, each is own, rest) for each in versions]
        if len(versions) > 1
        else None,
        "edit_url": _edit_url(kind, shown) if shown else None,
        "menu": own,
        "inner": own.within(slug),
    }


def _link(chapter: Chapter) -> EntryLink:
    return EntryLink(slug=chapter.slug, title=chapter.title, path=chapter.path or "")


def _version(version: Version, is_current: bool, rest: str) -> VersionLink:
    wanted = f"{version.slug}/{rest}"
    same = next((each.path for each in version.pages if each.slug == wanted), None)
    return VersionLink(
        version=version.slug,
        title=version.title,
        path=same or version.start,
        current=is_current,
    )


def _edit_url(kind: Kind, shown: Resolved) -> str | None:
    """Return where the text is edited that these readers see."""
    pattern = kind.declared.edit_url
    document = (*shown.documents, *shown.bodies)[-1]
    return pattern.replace("{path}", quote(document.path)) if pattern else None

"""The link index: which page or file a link means that was written for another generator's site.

A link names a page by the end of its path: `/2020/01/02/hello.html`, `../hello/`, `hello.md` and
`Hello%20World` are all found by their last part. Of several pages of that name the one wins whose
folders agree best with the link, then the one nearest to the file with the link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, takewhile
from typing import NamedTuple

from knowledge.addresses.addresses import Address, parse_address, route_of
from knowledge.documents.content_path import folder_prefixes
from knowledge.documents.document import Document
from knowledge.documents.files import path_sort_key
from knowledge.edits.changed_keys import changed_keys
from knowledge.edits.reads import note, recording
from knowledge.fields.content_type import CONTENT_TYPES
from knowledge.fields.content_types import CITY, COUNTRY, PAGE, REGISTRY
from knowledge.fields.file_types import DOCUMENT_SUFFIXES
from knowledge.fields.slugs import slugify
from knowledge.snapshot.document_index import DocumentIndex
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.snapshot import Snapshot

Parts = tuple[str, ...]
"""The parts of a path, as slugs."""

INDEX_NAMES = frozenset({"index", "readme"})
"""The names of files that stand for their folder, as slugs; `_index` has the slug `index`."""

LINKS = "links"
"""The key of all pages and files that a link may name."""

_SUFFIXES = (*DOCUMENT_SUFFIXES, ".html", ".htm")
_MAX_CACHED = 65_536
_PLACE_FOLDERS = (*folder_prefixes(COUNTRY), *folder_prefixes(CITY))
"""The folders of the files that are loaded first."""


_Rank = tuple[int, int, int]


class _Page(NamedTuple):
    """A document that a link may mean: the folders of its file, and its page.

    The page is None if the document was left out, as when another one has its slug.
    """

    folders: Parts
    address: Address | None
    path: str


class _Asset(NamedTuple):
    folders: Parts
    path: str


@lru_cache(maxsize=_MAX_CACHED)
def path_parts(path: str) -> Parts:
    """Return the parts of a path as slugs; an index file is its folder.

    >>> path_parts("posts/2020/Hello World.md"), path_parts("docs/guide/README.md")
    (('posts', '2020', 'hello-world'), ('docs', 'guide'))
    """
    *folders, name = path.strip("/").split("/")
    stem = next((name[: -len(s)] for s in _SUFFIXES if name.lower().endswith(s)), name)
    parts = [slug for slug in map(slugify, (*folders, stem)) if slug]
    if parts and parts[-1] in INDEX_NAMES:
        parts.pop()
    return tuple(parts)


def _without_number(part: str) -> str:
    """Return a part without the number that some generators sort files by.

    >>> _without_number("01-intro"), _without_number("2020")
    ('intro', '2020')
    """
    number, hyphen, rest = part.partition("-")
    return rest if hyphen and rest and number.isdigit() and len(number) < 4 else part


@dataclass(slots=True)
class LinkIndex:
    """The pages of a snapshot, by the slug of their names."""

    pages: dict[str, list[_Page]] = field(default_factory=dict)

    def page(self, wanted: Iterable[Parts], source_path: str) -> Address | None:
        """Return the page that a link means, given the paths that it may stand for, or None."""
        best: tuple[_Rank, Address | None] | None = None
        near = path_parts(source_path)[:-1]
        for parts in wanted:
            for page in self.pages.get(_without_number(parts[-1]), ()) if parts else ():
                rank = _rank(page.folders, parts[:-1], near)
                if best is None or rank > best[0]:
                    best = rank, page.address
        return best[1] if best else None


@dataclass(slots=True)
class AssetIndex:
    """The files of a snapshot that are no documents, by their names."""

    assets: dict[str, list[_Asset]] = field(default_factory=dict)

    def asset(self, wanted: Iterable[str], source_path: str) -> str | None:
        """Return the site path of the file that a link means, or None."""
        best: tuple[_Rank, str] | None = None
        near = path_parts(source_path)[:-1]
        for path in wanted:
            folders = tuple(filter(None, map(slugify, path.split("/")[:-1])))
            for asset in self.assets.get(_asset_name(path), ()):
                rank = _rank(asset.folders, folders, near)
                if best is None or rank > best[0]:
                    best = rank, f"/{asset.path}"
        return best[1] if best else None


def _asset_name(path: str) -> str:
    return path.rpartition("/")[2].casefold()


def _rank(folders: Parts, wanted: Parts, near: Parts) -> _Rank:
    """Return how well the folders of a page agree with a link, and how near they are to it."""
    agreeing = _common(map(_without_number, folders[::-1]), map(_without_number, wanted[::-1]))
    return agreeing, _common(folders, near), -len(folders)


def _common(some: Iterable[str], others: Iterable[str]) -> int:
    """Return how many parts are the same at the start of both."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


class _Kept(NamedTuple):
    """A link index, and the documents that it was made from."""

    documents: DocumentIndex
    links: LinkIndex


class _KeptAssets(NamedTuple):
    """An index of files, and the paths that it was made from."""

    files: AbstractSet[str]
    links: AssetIndex


def link_index(snapshot: Snapshot) -> LinkIndex:
    """Return the index of a snapshot; it is built on first use, from the last one if possible."""
    note(LINKS)
    index = snapshot.cache.get(LinkIndex)
    if not isinstance(index, LinkIndex):
        with recording():
            index = snapshot.cache[LinkIndex] = _next(snapshot)
    return index


def _next(snapshot: Snapshot) -> LinkIndex:
    kept = snapshot.kept.get(LinkIndex)
    before = kept if isinstance(kept, _Kept) else None
    index = LinkIndex(_pages(snapshot, before))
    snapshot.kept[LinkIndex] = _Kept(snapshot.index, index)
    return index


def asset_index(snapshot: Snapshot) -> AssetIndex:
    """Return the index of the files of a snapshot, for which no document is looked at."""
    note(LINKS)
    index = snapshot.cache.get(AssetIndex)
    if not isinstance(index, AssetIndex):
        with recording():
            index = snapshot.cache[AssetIndex] = _next_assets(snapshot)
    return index


def _next_assets(snapshot: Snapshot) -> AssetIndex:
    kept = snapshot.kept.get(AssetIndex)
    if not isinstance(kept, _KeptAssets) or kept.files != snapshot.assets:
        kept = _KeptAssets(snapshot.assets, AssetIndex(_assets(snapshot)))
        snapshot.kept[AssetIndex] = kept
    return kept.links


def _pages(snapshot: Snapshot, before: _Kept | None) -> dict[str, list[_Page]]:
    documents = snapshot.index.documents
    if before is None:
        return _named(snapshot, documents)
    changed = changed_keys(before.documents.documents, documents)
    if _moves_others(before.documents, snapshot.index, changed):
        return _named(snapshot, documents)
    made = _named(snapshot, changed & documents.keys())
    pages = dict(before.links.pages)
    for name in {*made, *chain.from_iterable(_names_in(before.documents, changed))}:
        kept = [page for page in pages.pop(name, ()) if page.path not in changed]
        if together := sorted((*kept, *made.get(name, ())), key=_loading_order):
            pages[name] = together
    return pages


def _moves_others(before: DocumentIndex, after: DocumentIndex, changed: Iterable[str]) -> bool:
    """Return whether edits may change the pages of documents that were not edited."""
    if (before.slugs, before.collisions) != (after.slugs, after.collisions):
        return True
    came_or_went = (
        before.documents.get(path) or after.documents[path]
        for path in changed
        if path not in before.documents or path not in after.documents
    )
    return any(document.kind in (REGISTRY, PAGE) for document in came_or_went)


def _named(snapshot: Snapshot, paths: Iterable[str]) -> dict[str, list[_Page]]:
    """Return the pages of files by their names."""
    pages: dict[str, list[_Page]] = {}
    for path in paths:
        entry = snapshot.entry_of_file(path)
        address = route_of(entry) if entry else None
        page = _Page(path_parts(path)[:-1], address, path)
        for name in _names(snapshot.index.documents[path], entry):
            pages.setdefault(name, []).append(page)
    return pages


def _names_in(index: DocumentIndex, paths: Iterable[str]) -> Iterator[AbstractSet[str]]:
    documents = (index.documents[path] for path in paths if path in index.documents)
    return (_names(document, index.entry_of(document)) for document in documents)


def _names(document: Document, entry: Entry | None) -> AbstractSet[str]:
    """Return the names of a file, and of its page."""
    slugs = {entry.slug if entry else document.slug, document.slug}
    return set(map(_without_number, {*slugs, *path_parts(document.path)[-1:]}))


def _loading_order(page: _Page) -> tuple[bool, str]:
    """Return the sort key of files in the order in which they are loaded."""
    return not page.path.startswith(_PLACE_FOLDERS), path_sort_key(page.path)


def _assets(snapshot: Snapshot) -> dict[str, list[_Asset]]:
    assets: dict[str, list[_Asset]] = {}
    for path in sorted(snapshot.assets):
        asset_folders = tuple(filter(None, map(slugify, path.split("/")[:-1])))
        assets.setdefault(_asset_name(path), []).append(_Asset(asset_folders, path))
    return assets


def list_page(parts: Sequence[str]) -> Address | None:
    """Return the list of a folder's documents, for a link to the folder itself.

    >>> list_page(["posts"]).path
    '/blog'
    """
    kind = CONTENT_TYPES.of_folder(parts[0]) if len(parts) == 1 else None
    if kind is None:
        return None
    page = parse_address("/blog" if kind.has_dated_names else f"/{kind}")
    return page if page is not None and page.page.is_list else None

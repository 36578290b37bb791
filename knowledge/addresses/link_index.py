"""The link index: which page or file a link means that was written for another generator's site.

A link names a page by the end of its path: `/2020/01/02/hello.html`, `../hello/`, `hello.md` and
`Hello%20World` are all found by their last part. Of several pages of that name the one wins whose
folders agree best with the link, then the one nearest to the file with the link.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeVar, cast
from unicodedata import normalize

from knowledge.addresses.addresses import Address, route_of
from knowledge.edits import changed_keys, have_same_keys, note, recording
from knowledge.fields.file_types import DOCUMENT_SUFFIXES
from knowledge.markdown.slugs import slugify
from knowledge.snapshot.snapshot import Snapshot

Parts = tuple[str, ...]
"""The parts of a path, as slugs."""


LINKS = "links"
"""The key of all pages and files that a link may name."""


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


INDEX_NAMES = frozenset({"index", "readme"})
"""The names of files that stand for their folder, as slugs; `_index` has the slug `index`."""

_SUFFIXES = (*DOCUMENT_SUFFIXES, ".html", ".htm")
_MAX_CACHED = 65_536


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
    composed: Mapping[str, str] = field(default_factory=dict)
    """The paths with other letters than those of ASCII, by their composed form (NFC)."""

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
    return normalize("NFC", path.rpartition("/")[2]).casefold()


def _rank(folders: Parts, wanted: Parts, near: Parts) -> _Rank:
    """Return how well the folders of a page agree with a link, and how near they are to it."""
    agreeing = _common(map(_without_number, folders[::-1]), map(_without_number, wanted[::-1]))
    return agreeing, _common(folders, near), -len(folders)


def _common(some: Iterable[str], others: Iterable[str]) -> int:
    """Return how many parts are the same at the start of both."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


Index = TypeVar("Index", LinkIndex, AssetIndex)


class _LastLinks(NamedTuple):
    """A link index, and the snapshot that it was made from."""

    snapshot: Snapshot
    links: LinkIndex


class _LastAssets(NamedTuple):
    """An index of files, and the paths that it was made from."""

    files: AbstractSet[str]
    links: AssetIndex


def link_index(snapshot: Snapshot) -> LinkIndex:
    """Return the index of a snapshot, made on first use; the last one if links mean the same."""
    return _cached(snapshot, LinkIndex, _next_links)


def _cached(snapshot: Snapshot, key: Hashable, make: Callable[[Snapshot], Index]) -> Index:
    note(LINKS)
    if key not in snapshot.cache:
        with recording():
            snapshot.cache[key] = make(snapshot)
    return cast(Index, snapshot.cache[key])


def _next_links(snapshot: Snapshot) -> LinkIndex:
    last = snapshot.kept.get(LinkIndex)
    if not isinstance(last, _LastLinks) or moves_links(last.snapshot, snapshot):
        last = _LastLinks(snapshot, LinkIndex(_pages(snapshot)))
        snapshot.kept[LinkIndex] = last
    return last.links


def moves_links(before: Snapshot, after: Snapshot) -> bool:
    """Return whether documents came or went, or pages have other addresses."""
    old, new = before.index, after.index
    return (
        not have_same_keys(old.documents, new.documents)
        or (old.slugs, old.collisions) != (new.slugs, new.collisions)
        or any(
            _page(before, path) != _page(after, path)
            for path in changed_keys(old.documents, new.documents)
        )
    )


def _page(snapshot: Snapshot, path: str) -> tuple[_Page, AbstractSet[str]]:
    """Return the page of a file, and the names of both."""
    document, entry = snapshot.index.documents[path], snapshot.entry_of_file(path)
    slugs = {entry.slug if entry else document.slug, document.slug}
    names = set(map(_without_number, {*slugs, *path_parts(path)[-1:]}))
    return _Page(path_parts(path)[:-1], route_of(snapshot, entry) if entry else None, path), names


def _pages(snapshot: Snapshot) -> dict[str, list[_Page]]:
    """Return the pages of files by their names."""
    pages: dict[str, list[_Page]] = {}
    for path in snapshot.index.documents:
        page, names = _page(snapshot, path)
        for name in names:
            pages.setdefault(name, []).append(page)
    return pages


def asset_index(snapshot: Snapshot) -> AssetIndex:
    """Return the index of the files of a snapshot, for which no document is looked at."""
    return _cached(snapshot, AssetIndex, _next_assets)


def _next_assets(snapshot: Snapshot) -> AssetIndex:
    last = snapshot.kept.get(AssetIndex)
    if not isinstance(last, _LastAssets) or last.files != snapshot.assets:
        composed = {normalize("NFC", path): path for path in snapshot.assets if not path.isascii()}
        last = _LastAssets(snapshot.assets, AssetIndex(_assets(snapshot), composed))
        snapshot.kept[AssetIndex] = last
    return last.links


def _assets(snapshot: Snapshot) -> dict[str, list[_Asset]]:
    assets: dict[str, list[_Asset]] = {}
    for path in sorted(snapshot.assets):
        asset_folders = tuple(filter(None, map(slugify, path.split("/")[:-1])))
        assets.setdefault(_asset_name(path), []).append(_Asset(asset_folders, path))
    return assets


def list_page(snapshot: Snapshot, parts: Sequence[str]) -> Address | None:
    """Return the list of a folder's documents, for a link to the folder itself.

    >>> from knowledge.snapshot.snapshot import NO_DOCUMENTS
    >>> list_page(NO_DOCUMENTS, ["posts"]).path
    '/blog'
    """
    kind = snapshot.content_types.of_folder(parts[0]) if len(parts) == 1 else None
    page = snapshot.page_types.lists.get(kind) if kind else None
    return Address(page) if page else None

"""The link index: which page or file a link means that was written for another generator's site.

A link names a page by the end of its path: `/2020/01/02/hello.html`, `../hello/`, `hello.md` and
`Hello%20World` are all found by their last part. Of several pages of that name the one wins whose
folders agree best with the link, then the one nearest to the file with the link.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from knowledge.addresses import Address, parse_address, route_of
from knowledge.content_path import slugify
from knowledge.content_type import CONTENT_TYPES
from knowledge.files import DOCUMENT_SUFFIXES
from knowledge.snapshot import Snapshot

Parts = tuple[str, ...]
"""The parts of a path, as slugs."""

INDEX_NAMES = frozenset({"index", "readme"})
"""The names of files that stand for their folder, as slugs; `_index` has the slug `index`."""

_SUFFIXES = (*DOCUMENT_SUFFIXES, ".html", ".htm")
_MAX_CACHED = 65_536


_Rank = tuple[int, int, int]


class _Page(NamedTuple):
    """A document that a link may mean: the folders of its file, and its page.

    The page is None if the document was left out, as when another one has its slug.
    """

    folders: Parts
    address: Address | None


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
    """The pages and files of a snapshot, by the slug of their names."""

    pages: dict[str, list[_Page]] = field(default_factory=dict)
    assets: dict[str, list[_Asset]] = field(default_factory=dict)

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


def link_index(snapshot: Snapshot) -> LinkIndex:
    """Return the index of a snapshot; it is built on first use."""
    index = snapshot.cache.get(LinkIndex)
    if not isinstance(index, LinkIndex):
        index = snapshot.cache[LinkIndex] = _built(snapshot)
    return index


def _built(snapshot: Snapshot) -> LinkIndex:
    index = LinkIndex()
    for path, document in snapshot.index.documents.items():
        entry = snapshot.entry_of_file(path)
        address = route_of(entry) if entry else None
        slug = entry.slug if entry else document.slug
        parts = path_parts(path)
        for name in {slug, document.slug, *parts[-1:]}:
            page = _Page(parts[:-1], address)
            index.pages.setdefault(_without_number(name), []).append(page)
    for path in sorted(snapshot.assets):
        asset_folders = tuple(filter(None, map(slugify, path.split("/")[:-1])))
        index.assets.setdefault(_asset_name(path), []).append(_Asset(asset_folders, path))
    return index


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

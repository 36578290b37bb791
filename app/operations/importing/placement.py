"""Placement: where documents of a source stand in a content folder, and their old addresses.

A pattern is a path with tokens: `:folders` (of the file below its tree), `:name` (the slug or the
file's name), `:year`, `:month`, `:day` and others of Hugo and Jekyll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath

from app.operations.importing.source import PAGES, POSTS, SourceDocument, Tree
from knowledge.documents.content_path import ContentPath, parse_content_path
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import slugify
from knowledge.snapshot.snapshot import reserved_slugs


@dataclass(frozen=True, slots=True)
class Placement:
    """A text, its path in the content folder, and the address of its page without a locale."""

    document: SourceDocument
    path: str
    address: str
    slug: str = ""
    """The slug to set in its front matter; `""` if the path or the text itself gives it."""

    is_renamed: bool = False
    """Whether the file has another name, as another file has its slug."""


def new_addresses(placements: Iterable[Placement]) -> dict[str, str]:
    """Return the new address of each address at which the source's site had a text."""
    addresses: dict[str, str] = {}
    for placement in placements:
        former = _former_address(placement.document)
        if former:
            addresses.setdefault(former, placement.address)
    return addresses


def _former_address(document: SourceDocument) -> str | None:
    """Return the address by the generator's rules; None if front matter has one, which is read."""
    has_own = any(isinstance(document.metadata.get(key), str) for key in ("permalink", "url"))
    return None if has_own else old_address(document, document.tree.address)


def introduces_tree(document: SourceDocument) -> bool:
    """Return whether a text introduces its whole tree: the home page, or the list of posts."""
    tree = document.tree
    at_top = document.is_index and document.path.parent == PurePosixPath()
    return at_top and (tree.is_root or tree.target == POSTS)


def place(documents: Iterable[SourceDocument], language: str) -> list[Placement]:
    """Place all texts but those that introduce a tree; `language` is that of the site."""
    used: set[tuple[object, ...]] = set()
    texts = (document for document in documents if not introduces_tree(document))
    return [_placement(document, language, used) for document in texts]


def _placement(document: SourceDocument, language: str, used: set[tuple[object, ...]]) -> Placement:
    path = _path(document, language)
    parsed = _parsed(path)
    own = document.metadata.get("slug")
    name = slugify(document.file_name) if document.tree.is_numbered else parsed.slug
    slug = _unique_slug(document, parsed, name, used)
    used |= {_key(parsed, parsed.slug), _key(parsed, slug)}
    is_renamed = slug != name
    if is_renamed:
        path = _renamed(path, slug)
    key = slug if _parsed(path).slug != slug and not isinstance(own, str) else ""
    page = slugify(own) if isinstance(own, str) else slug
    address = f"/blog/{page}" if document.tree.target == POSTS else f"/{page}"
    return Placement(document, path, address, key, is_renamed)


def _parsed(path: str) -> ContentPath:
    parsed = parse_content_path(path)
    if parsed is None:
        raise ValueError(f"{path} is not in a folder of documents")
    return parsed


def _renamed(path: str, slug: str) -> str:
    """Return a path with another file name; a language and the extension stay."""
    folder, _, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    language = stem.rpartition(".")[2]
    suffix = f".{language}" if "." in stem and Language.parse(language) else ""
    return f"{folder}/{slug}{suffix}{dot}{extension}"


def _path(document: SourceDocument, language: str) -> str:
    tree = document.tree
    name = document.path.name
    if document.is_index:
        name = f"index.{name.partition('.')[2]}"
    # without the first characters that hide a folder
    folders = (folder.lstrip("_.") or "folder" for folder in document.path.parent.parts)
    return "/".join((*folder_of(tree, language), *folders, name))


def folder_of(tree: Tree, language: str) -> Sequence[str]:
    """Return the folders of the content folder in which the files of a tree are written."""
    own = [tree.language] if tree.language not in ("", language) else []
    subfolders = tree.subfolder.split("/") if tree.subfolder else []
    return [tree.target, *own, *subfolders]


def _key(parsed: ContentPath, slug: str) -> tuple[object, ...]:
    return parsed.kind.folder, slug, parsed.layer


def _unique_slug(
    document: SourceDocument, parsed: ContentPath, slug: str, used: set[tuple[object, ...]]
) -> str:
    """Return a slug that no other text has: its own, or one that begins with its folders."""
    is_page, reserved = document.tree.target == PAGES, reserved_slugs(has_countries=False)
    for candidate in _candidates(document, slug):
        if _key(parsed, candidate) not in used and not (is_page and candidate in reserved):
            return candidate
    return slug


def _candidates(document: SourceDocument, slug: str) -> Iterator[str]:
    """Yield slugs: with more and more of the folders, then with a number.

    A text in a language that the service does not have is no layer: its slug names the language.
    """
    tree = document.tree
    folders = [*tree.subfolder.split("/"), *document.folders]
    language = [] if Language.parse(tree.language) else [tree.language]
    for start in range(len(folders), -1, -1):
        yield slugify("-".join((*language, *folders[start:], slug)))
    for number in count(2):
        yield slugify("-".join((*language, slug, str(number))))


_TOKEN = re.compile(r":([a-z_]+)(?:\[[^\]]*\])?")
_SLASHES = re.compile(r"/{2,}")
_STYLES: Mapping[str, str] = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named patterns of Jekyll."""


def jekyll_pattern(permalink: str) -> str:
    """Return the pattern of a `permalink` setting of Jekyll, which may be the name of one."""
    return _STYLES.get(permalink, permalink) or _STYLES["date"]


def old_address(document: SourceDocument, pattern: str) -> str | None:
    """Return the address of a text by its tree's pattern; None if a token has no value."""
    values = _values(document)
    path = pattern
    for match in _TOKEN.finditer(pattern):
        value = values.get(match[1])
        if value is None:
            return None
        path = path.replace(match[0], value, 1)
    path = _SLASHES.sub("/", f"/{path}")
    return path if path != "/" else None


def _values(document: SourceDocument) -> Mapping[str, str]:
    date = document.date
    section = document.folders[0] if document.folders else ""
    name = document.name
    own = {
        **dict.fromkeys(("name", "title", "slug", "filename", "basename"), name),
        **dict.fromkeys(("slugorfilename", "contentbasename", "slugorcontentbasename"), name),
        **dict.fromkeys(("folders", "sections", "path"), "/".join(document.folders)),
        "section": section,
        "categories": "/".join(document.categories),
        "output_ext": ".html",
    }
    if date is None:
        return own
    return own | {
        "year": f"{date:%Y}",
        "short_year": f"{date:%y}",
        "month": f"{date:%m}",
        "monthname": f"{date:%B}".lower(),
        "i_month": str(date.month),
        "day": f"{date:%d}",
        "i_day": str(date.day),
        "y_day": f"{date:%j}",
        "yearday": str(int(f"{date:%j}")),
    }

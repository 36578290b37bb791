"""The source of another generator: its files, its trees of documents, and each document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from babel.localedata import locale_identifiers

from knowledge.addresses.link_index import INDEX_NAMES
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import front_matter
from knowledge.documents.content_path import split_date
from knowledge.documents.files import read_document
from knowledge.fields.content_types import PAGE, POST
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import slugify

POSTS = POST.folder
PAGES = PAGE.folder

REPOSITORY_FILES = frozenset(
    f"{name}{suffix}"
    for name in ("CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "LICENSE", "README", "SECURITY")
    for suffix in ("", ".md")
)
"""Files about the repository, not the site."""


class MenuLink(NamedTuple):
    """An entry of the main menu; `target` is a URL or an address of the source's site."""

    label: str
    target: str


@dataclass(frozen=True, slots=True)
class SiteConfiguration:
    """What the configuration of a source says about the whole site."""

    title: str = ""
    description: str = ""
    base_url: str = ""
    language: str = ""
    menu: Sequence[MenuLink] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder of texts with one target: `posts` or `pages`.

    `address` is the pattern of the addresses at which the source's site publishes them (see
    `app.operations.importing.placement`), `language` the language of all its files, `""` if it
    is not said.
    """

    folder: Path
    target: str
    address: str = ""
    language: str = ""
    assets_at_root: bool = False
    """Whether images in it have addresses from the root of the site."""

    subfolder: str = ""
    """The folder below the target in which its files are written."""

    is_root: bool = False
    """Whether the index file at its top is the home page."""

    is_numbered: bool = False
    """Whether numbers before names set the order of pages and are no part of addresses."""

    is_draft: bool = False
    excluded: frozenset[str] = frozenset()
    """Names directly in the folder that are not content."""


@dataclass(frozen=True, slots=True)
class Source:
    """The checkout of a site: its trees, and folders of files published at the root.

    A file belongs to the innermost tree that contains it.
    """

    generator: str
    root: Path
    trees: Sequence[Tree]
    configuration: SiteConfiguration = field(default_factory=SiteConfiguration)
    static_folders: Sequence[Path] = ()
    not_imported: Sequence[str] = ()
    """What a person has to do, in sentences."""


def existing(*folders: Path) -> list[Path]:
    """Return those of the folders that exist."""
    return [folder for folder in folders if folder.is_dir()]


POST_FOLDERS = ("posts", "post", "blog", "blogs", "news", "articles", "article")
"""Names that authors give to the folders of dated texts."""

PRETTY = "/:folders/:name/"
PLAIN = "/:folders/:name"

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{2,4})?")


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """How a generator lays out a folder of texts.

    `address` is the pattern of addresses; `section_addresses` has others for folders of posts.
    """

    address: str = PRETTY
    section_addresses: Mapping[str, str] = field(default_factory=dict)
    assets_at_root: bool = False
    excluded: frozenset[str] = frozenset()
    post_folders: Collection[str] = POST_FOLDERS

    def trees(self, folder: Path, prefix: str = "", language: str = "") -> Iterator[Tree]:
        """Yield the trees of a folder; `prefix` begins the addresses of its texts."""
        if not folder.is_dir():
            return
        if not language:
            for name in _language_folders(folder):
                yield from self.trees(folder / name, f"{prefix}/{name}", name)
        sections = [name for name in self.post_folders if (folder / name).is_dir()]
        for section in sections:
            address = self._address(section, f"{prefix}/{section}")
            subfolder = section if section != sections[0] else ""
            yield Tree(folder / section, POSTS, address, language, subfolder=subfolder)
        yield Tree(
            folder,
            PAGES,
            self._address("/", prefix),
            language,
            assets_at_root=self.assets_at_root,
            is_root=True,
            excluded=self.excluded,
        )

    def _address(self, section: str, prefix: str) -> str:
        """Return the pattern of a section; `""` if the generator publishes no addresses."""
        own = self.section_addresses.get(section)
        return own or (prefix + self.address if self.address else "")


def _language_folders(folder: Path) -> list[str]:
    """Return the folders named like languages.

    A single one is a language only if the service has it: `it` may be a folder about computers.
    """
    names = [
        entry.name
        for entry in sorted(folder.iterdir())
        if entry.is_dir()
        and _LANGUAGE.fullmatch(entry.name)
        and entry.name.partition("-")[0] in _languages()
    ]
    return names if len(names) > 1 else [name for name in names if Language.parse(name)]


@cache
def _languages() -> frozenset[str]:
    return frozenset(name.partition("_")[0] for name in locale_identifiers())


_DAY = re.compile(r"/?(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DAY_IN_PATH = re.compile(r"(?:^|/)(\d{4}/\d{1,2}/\d{1,2})(?:/|$)")
_NUMBERED = re.compile(r"(?<!\d)\d+[-_.]\s*(?=\D)")
_LANGUAGES = frozenset(map(str, Language))
_PACKAGES = "node_modules"
_DATE_KEYS = ("date", "pubDate", "publishDate", "publishedAt", "published")


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A text of a source. `path` is relative to the tree's folder."""

    tree: Tree
    path: PurePosixPath
    text: str
    metadata: Mapping[str, object]

    @property
    def is_index(self) -> bool:
        """Whether the file is the page of its folder."""
        return slugify(self.path.name.partition(".")[0]) in INDEX_NAMES

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of the page's address."""
        parts = self.path.parent.parts
        return tuple(map(self._unnumbered, parts[:-1] if self.is_index else parts))

    @property
    def name(self) -> str:
        """The last part of the page's address; `""` for the page of the tree itself."""
        slug = self.metadata.get("slug")
        return slug.strip("/") if isinstance(slug, str) and slug.strip("/") else self.file_name

    @property
    def file_name(self) -> str:
        """The name of the file or, of an index file, its folder, without date and suffixes."""
        if self.is_index:
            return self._unnumbered(self.path.parent.name)
        stem = PurePosixPath(self.path.stem)
        name = stem.stem if stem.suffix[1:] in _LANGUAGES else stem.name
        return self._unnumbered(split_date(name)[0])

    def _unnumbered(self, name: str) -> str:
        return _NUMBERED.sub("", name, count=1) if self.tree.is_numbered else name

    @property
    def title(self) -> str:
        """The title in the front matter, or `""`."""
        title = self.metadata.get("title")
        return title if isinstance(title, str) else ""

    @property
    def file(self) -> Path:
        """The path of the file."""
        return self.tree.folder / self.path

    @property
    def written_date(self) -> datetime | None:
        """The date in the front matter, else in the file's name."""
        written = (_as_date(self.metadata.get(key)) for key in _DATE_KEYS)
        return next((found for found in written if found), None) or split_date(self.path.name)[1]

    @property
    def date(self) -> datetime | None:
        """The written date, else that in the address that the front matter sets."""
        path = self.metadata.get("path")
        day = _DAY_IN_PATH.search(path) if isinstance(path, str) else None
        return self.written_date or (_as_date(day[1]) if day else None)

    @property
    def categories(self) -> list[str]:
        """The names of its categories, as in addresses."""
        value = self.metadata.get("categories", self.metadata.get("category"))
        names = value.split() if isinstance(value, str) else value
        return [str(name).lower() for name in names] if isinstance(names, list) else []


def _as_date(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    match = _DAY.match(value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        return datetime.strptime("-".join(match.groups()), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def read_source_document(tree: Tree, file: Path) -> SourceDocument:
    """Read a text; raises ContentFileError if it is not one, such as an empty file."""
    source = read_document(tree.folder, file.relative_to(tree.folder).as_posix())
    try:
        metadata: Mapping[str, object] = front_matter.parse(source).metadata
    except ContentFileError:  # `majlis check` reports it for the imported file
        metadata = {}
    return SourceDocument(tree, PurePosixPath(source.path), source.text, metadata)


def files_below(folder: Path, excluded: Collection[str] = ()) -> Iterator[Path]:
    """Yield the files in a folder and its folders, without hidden ones and links.

    `excluded` has names directly in the folder that are left out.
    """
    for entry in sorted(folder.iterdir()):
        name = entry.name
        if name.startswith(".") or name in excluded or name == _PACKAGES or entry.is_symlink():
            continue
        if entry.is_dir():
            yield from files_below(entry)
        elif entry.is_file():
            yield entry

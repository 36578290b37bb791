"""One text of a source: its front matter, and what its path says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path, PurePosixPath

from app.operations.importing.source import Tree
from knowledge.addresses.link_index import INDEX_NAMES
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import front_matter
from knowledge.documents.content_path import split_date
from knowledge.documents.files import read_document
from knowledge.fields.slugs import slugify
from knowledge.locales.locale import Language

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

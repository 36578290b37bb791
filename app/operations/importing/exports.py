"""Exports of content management systems: what one publishes, as a source of files.

A reader adds the texts that visitors could see, and says of the others why they stay out: these
are never written.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from app.operations.importing.site_files import front_matter_text
from app.operations.importing.source import (
    PAGES,
    POSTS,
    SiteConfiguration,
    Source,
    Tree,
    files_below,
)
from knowledge.fields.file_types import ASSET_TYPES


class MissingPackages(Exception):
    """An export needs packages that are not installed."""


class InvalidExport(Exception):
    """A file is no export, or cannot be read; the message says why."""


@dataclass(slots=True)
class Export:
    """What the reader of an export found; texts are written into a folder as they come."""

    folder: Path
    hosts: set[str] = field(default_factory=set)
    """The hosts of the site, whose links become paths."""

    base: str = ""
    """The path of the site below its host."""

    kinds: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The declarations of kinds, by folder."""

    files: dict[str, str] = field(default_factory=dict)
    """Further files of the content folder."""

    addresses: dict[Path, Sequence[str]] = field(default_factory=lambda: defaultdict(list))
    """The addresses of each text, the main one first."""

    published: list[str] = field(default_factory=list)
    """The main address of each text."""

    moved: dict[str, str] = field(default_factory=dict)
    """Further addresses, and where each leads."""

    withheld: list[tuple[str, str]] = field(default_factory=list)
    """What was not openly published, and why."""

    left_out: Counter[str] = field(default_factory=Counter)
    """Parts of texts that have no meaning here, such as shortcodes."""

    languages: set[str] = field(default_factory=set)

    def add(
        self,
        target: str,
        path: str,
        metadata: Mapping[str, Any],
        body: str,
        addresses: Sequence[str],
    ) -> None:
        """Write a text; `path` is that of its file without suffix, below its tree."""
        file = self.folder / target / f"{path}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        written = {key: value for key, value in metadata.items() if value not in (None, "", [], {})}
        file.write_text(f"{front_matter_text(written)}\n{body}\n", encoding="utf-8")
        self.addresses[file] = addresses
        self.published += addresses[:1]

    def path_of(self, url: str) -> str | None:
        """Return the decoded path and the query of an address of the site; None for others."""
        try:
            parts = urlsplit(url.strip())
        except ValueError:
            return None
        if parts.scheme not in ("", "http", "https") or not (parts.netloc or url.startswith("/")):
            return None
        if parts.netloc and host_of(url) not in self.hosts:
            return None
        path = re.sub("/{2,}", "/", unquote(parts.path)).removeprefix(self.base) or "/"
        return f"{path}?{parts.query}" if parts.query else path

    def link(self, uploads: Path, place: str, is_open: Callable[[str], bool]) -> int:
        """Publish the files of a folder that are open, at their paths; return their number."""
        count = 0
        for file in files_below(uploads):
            name = file.relative_to(uploads).as_posix()
            if file.suffix.lower() in ASSET_TYPES and is_open(name):
                link = self.static / place / name
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(file.resolve())
                count += 1
        return count

    @property
    def static(self) -> Path:
        """The folder of the files that are published at their paths."""
        return self.folder / "static"

    def source(
        self, name: str, configuration: SiteConfiguration, remaining: Sequence[str]
    ) -> Source:
        """Return the source of all that was added."""
        targets = [POSTS, PAGES, *self.kinds]
        for target in ("static", *targets):
            (self.folder / target).mkdir(exist_ok=True)
        counts = [f"{count} {part}" for part, count in self.left_out.most_common()]
        left_out = [f"Parts of texts that have no meaning here: {', '.join(counts)}."]
        configuration = replace(
            configuration,
            languages=self.languages,
            redirects={**self.moved, **configuration.redirects},
        )
        return Source(
            name,
            self.folder,
            [Tree(self.folder / each, each, is_root=each == PAGES) for each in targets],
            configuration,
            [self.static],
            [*remaining, *(left_out if counts else ())],
            former=lambda file: self.addresses.get(file, ()),
            kinds=self.kinds,
            files=self.files,
            published=self.published,
            withheld=self.withheld,
        )


def host_of(url: str) -> str:
    """Return the host of an address, without `www`; `""` if it has none."""
    try:
        return (urlsplit(url.strip()).hostname or "").removeprefix("www.")
    except ValueError:
        return ""

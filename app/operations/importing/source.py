"""The source of another generator: its files, and the trees of documents in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.localedata import locale_identifiers

from knowledge.fields.content_types import PAGE, POST
from knowledge.locales.locale import Language

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
        if entry.is_dir() and _LANGUAGE.fullmatch(entry.name) and _is_language(entry.name)
    ]
    return names if len(names) > 1 else [name for name in names if Language.parse(name)]


def _is_language(name: str) -> bool:
    return name.partition("-")[0] in _languages()


@cache
def _languages() -> frozenset[str]:
    return frozenset(name.partition("_")[0] for name in locale_identifiers())

"""The source of another generator: where its texts, files and settings are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from knowledge.fields.content_types import PAGE, POST

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
    `app.operations.importing.permalinks`), `language` the language of all its files, `""` if it
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
